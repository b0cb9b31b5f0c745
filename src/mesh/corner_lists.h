// SPDX-License-Identifier: MIT
/// The triangles' corners at each point of a mesh.
#pragma once

#include "base/arena.h"
#include "base/jobs.h"

enum { CORNERS_OF_SMALL_FAN = 128 }; ///< as many or fewer are at most points

/// The corners of a point p, in their order: corner[start[p]] .. corner[start[p + 1] - 1]. Corner k
/// of triangle t has the number 3 t + k.
typedef struct corner_lists {
    uint32_t point_count;
    uint32_t *start;  ///< [point_count + 1]
    uint32_t *corner; ///< [3 * triangle_count]
    uint32_t largest; ///< number of corners at a point
} corner_lists;

/// Lists the corners of triangles. vertex: [3 * triangle_count]. point: [largest vertex + 1] the
/// point of each vertex, below point_count; NULL: vertices are points.
/// The result does not depend on `pool`, which may be NULL.
zt_result corner_lists_build(job_pool *pool, arena *scratch, const uint32_t *vertex,
                             uint32_t triangle_count, const uint32_t *point, uint32_t point_count,
                             corner_lists *out, zt_error *err);

static inline uint32_t corner_lists_size(const corner_lists *c, size_t point)
{
    return c->start[point + 1] - c->start[point];
}

/// Sorts different keys.
void corner_keys_sort(uint64_t *key, size_t count);
