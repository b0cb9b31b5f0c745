// SPDX-License-Identifier: MIT
/// A picture -> an environment. Its irradiance may be given by spherical harmonics instead.
#pragma once

#include "base/jobs.h"
#include "environment/environment_loops.h"
#include "image/hdr_picture.h"

/// Factors of the real spherical harmonics Y(l, m), l from 0 to 2 and m from -l to l, about +z.
typedef struct light_harmonics {
    const double (*factors)[3]; ///< [9], r, g, b
    const double *rotation; ///< unit quaternion x, y, z, w from their space to the environment's
    double intensity;
} light_harmonics;

/// Irradiance / pi on a surface with the unit normal n; not negative.
void harmonics_irradiance(const light_harmonics *h, const double n[3], double out[3]);

/// Cells a side of each level of the chain; they do not grow from level to level.
typedef struct environment_sizes {
    int32_t size[ENVIRONMENT_LEVELS];
} environment_sizes;

/// The sizes for a picture of so many rows: the first level has the detail of the picture.
environment_sizes environment_sizes_for(int32_t height);

/// Makes an environment of an equirectangular picture; its texels are in `a`. `irradiance` NULL:
/// that of the picture; `pool` NULL: on the calling thread. The result has the same bits for every
/// instruction set and number of threads. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result environment_build(const environment_loops *loops, const hdr_picture *picture,
                            const light_harmonics *irradiance, const environment_sizes *sizes,
                            job_pool *pool, arena *a, environment *out, zt_error *err);
