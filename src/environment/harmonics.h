// SPDX-License-Identifier: MIT
/// Irradiance that is given by spherical harmonics.
#pragma once

/// Factors of the real spherical harmonics Y(l, m), l from 0 to 2 and m from -l to l, about +z.
typedef struct light_harmonics {
    const double (*factors)[3]; ///< [9], r, g, b
    const double *rotation; ///< unit quaternion x, y, z, w from their space to the environment's
    double intensity;
} light_harmonics;

/// Irradiance / pi on a surface with the unit normal n; not negative.
void harmonics_irradiance(const light_harmonics *h, const double n[3], double out[3]);
