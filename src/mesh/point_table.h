// SPDX-License-Identifier: MIT
/// Points that are each there once: for files that repeat a point at every triangle.
#pragma once

#include "base/hash.h"
#include "mesh/vertex.h"

typedef struct point_table {
    arena *a;
    hash_table slots;       ///< of points
    vertex_position *point; ///< [count] in the order in which they were added
    uint32_t count, capacity;
} point_table;

/// `expected` points are added without moving the table. False: no memory in `a`.
bool point_table_init(point_table *t, arena *a, size_t expected);
/// Equal points have one hash; -0 is equal to 0. They must be finite.
uint64_t point_hash(const float p[3]);
/// The number of a point with this hash, which is added where it is new. False: no memory, or
/// 2^32 - 1 points.
bool point_table_add(point_table *t, const float p[3], uint64_t hash, uint32_t *out);

/// Begins to load what point_table_add() will look at.
static inline void point_table_prefetch(const point_table *t, uint64_t hash)
{
    __builtin_prefetch(hash_table_first(&t->slots, hash), 1);
}
