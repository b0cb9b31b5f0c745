// SPDX-License-Identifier: MIT
/// A picture -> the harmonics of its light.
#ifndef ZT_LIGHT_HARMONICS_H
#define ZT_LIGHT_HARMONICS_H

#include "base/jobs.h"
#include "image/hdr_picture.h"
#include "light/environment.h"

/// The harmonics of an equirectangular picture, whose pixels are rectangles of constant light:
/// their integrals are exact. Sums run in double over columns, then over rows. `scratch` holds
/// tables.
zt_result harmonics_build(const hdr_picture *picture, job_pool *pool, arena *scratch,
                          double out[HARMONIC_COUNT][3], zt_error *err);

/// The harmonics of irradiance that is given by factors of the real spherical harmonics Y(l, m), l
/// from 0 to 2 and m from -l to l, about +z; `rotation` is the unit quaternion x, y, z, w that
/// brings them to the environment.
void harmonics_from_spherical(const double factors[9][3], const double rotation[4],
                              double intensity, double out[HARMONIC_COUNT][3]);

#endif
