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

#endif
