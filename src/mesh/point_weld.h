// SPDX-License-Identifier: MIT
/// Points that are each there once: for files that repeat a point at every triangle.
#pragma once

#include "base/arena.h"
#include "base/jobs.h"
#include "mesh/vertex.h"

/// Where places lie: in records of one or three, three floats each, one place after the other.
typedef struct point_places {
    const uint8_t *first; ///< of the first record
    size_t stride;        ///< bytes from a record to the next
    uint32_t record_size; ///< places: 1 or 3
    uint32_t record_count;
} point_places;

/// The point of a place in a record with a number that is not finite.
#define POINT_LOST UINT32_MAX

typedef struct point_weld {
    vertex_position *point; ///< [count] in the order of their first places; -0 has become 0
    uint32_t count;
    uint32_t lost; ///< records
} point_weld;

/// Numbers the points at `places`: number[record_size * record_count]. Equal places are one point;
/// -0 is equal to 0. There are fewer than 2^32 - 1 places. Points are in `a`. The result does not
/// depend on `pool`, which may be NULL.
zt_result point_weld_places(job_pool *pool, arena *a, const point_places *places, uint32_t *number,
                            point_weld *out, zt_error *err);
