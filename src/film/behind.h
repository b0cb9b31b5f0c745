// SPDX-License-Identifier: MIT
/// The picture behind transmissive surfaces: linear colours of a view's opaque surfaces, with
/// blended ones behind all refracting and rough glass of their pixel, and blurred versions for
/// rough surfaces. Other fragments are put in their exact order by blend_glass.inl. Unlit colours
/// stay apart on all levels, so that the film shows them as they are.
///
/// Level k has half the size of level k - 1, rounded up. Its pixel (x, y) covers pixels
/// [x 2^k, (x + 1) 2^k) of the picture. A level is made from the one before it with the weights
/// 1 3 3 1 (of 8) along each axis, which is close to a Gaussian: read through a cubic B-spline,
/// level k > 0 has a standard deviation of sqrt(7/12 4^k - 1/4) pixels along each axis.
#pragma once

#include "base/arena.h"

#include <stdint.h>

enum { BEHIND_LEVELS_MAX = 15 };

typedef struct behind_level {
    float (*color)[4]; ///< [height][width], 16-byte aligned: premultiplied radiance before
                       ///< exposure, and coverage
    float (*unlit)[4]; ///< the same of unlit colours, which `color` does not have; NULL: nothing
                       ///< is unlit
    float *nearness;   ///< [height][width]: 1 / w in perspective, depth in orthographic views; 0
                       ///< where nothing is: infinitely far
    int32_t width, height;
} behind_level;

typedef struct behind_picture {
    behind_level level[BEHIND_LEVELS_MAX];
    int32_t level_count;
} behind_picture;

/// Rows [first_row, end_row) of `to` from `from`, the level before it.
typedef struct behind_reduce_job {
    const behind_level *from, *to;
    int32_t first_row, end_row;
} behind_reduce_job;

/// Allocates the levels of a width x height picture in `a`; `any_unlit`: apart. MEMORY, LIMIT.
zt_result behind_picture_init(behind_picture *behind, int32_t width, int32_t height, bool any_unlit,
                              arena *a, zt_error *err);

typedef struct film_loops film_loops;
/// Jobs of behind_picture_reduce for one level.
int64_t behind_picture_reduce_count(const behind_picture *behind, int32_t level);
/// Makes some rows of `level` > 0 from the level before it, which must be whole.
void behind_picture_reduce(const behind_picture *behind, const film_loops *loops, int32_t level,
                           int64_t index);
