// SPDX-License-Identifier: MIT
/// Second step of tangent generation: triangles that share an edge of welded vertices are paired.
///
/// Each edge belongs to the lower of its two vertices. There the edges are sorted by the higher
/// one; among those between the same two, each is paired with the earliest free one of the opposite
/// direction.
#include "mesh/tangents_parts.h"

typedef struct edge_loop {
    const corner_lists *corners;
    tangent_triangle *triangles;
} edge_loop;

// Pairs the edges between two vertices, which are sorted. All that wait, in the places before `i`,
// have one direction: an opposite one would have been paired.
static void pair_run(tangent_triangle *triangles, uint32_t vertex, uint64_t *key, size_t count)
{
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t edge = (uint32_t)key[i], other = (uint32_t)key[head];
        const bool rising = triangles[edge / 3].vertex[edge % 3] == vertex;
        if (head < tail && (triangles[other / 3].vertex[other % 3] == vertex) != rising) {
            head++;
            triangles[other / 3].neighbour[other % 3] = edge / 3;
            triangles[edge / 3].neighbour[edge % 3] = other / 3;
        } else {
            key[tail++] = key[i];
        }
    }
}

// Pairs the edges from this vertex to higher ones, but for those of degenerate triangles. A key is
// the higher vertex, then the edge: that from corner k of triangle t to the next one is 3 t + k.
static void connect_vertex(const edge_loop *l, uint32_t vertex, uint64_t *key)
{
    const uint32_t first = l->corners->start[vertex], end = l->corners->start[vertex + 1];
    size_t count = 0;
    for (uint32_t i = first; i < end; i++) {
        const uint32_t corner = l->corners->corner[i], k = corner % 3;
        const tangent_triangle *t = &l->triangles[corner / 3];
        const uint32_t after = t->vertex[(k + 1) % 3], before = t->vertex[(k + 2) % 3];
        if (after > vertex && !t->degenerate)
            key[count++] = (uint64_t)after << 32 | corner;
        if (before > vertex && !t->degenerate)
            key[count++] = (uint64_t)before << 32 | (corner - k + (k + 2) % 3);
    }
    corner_keys_sort(key, count);
    for (size_t i = 0, last; i < count; i = last) {
        for (last = i + 1; last < count && key[last] >> 32 == key[i] >> 32;)
            last++;
        pair_run(l->triangles, vertex, key + i, last - i);
    }
}

static void connect_range(void *user, size_t first, size_t count)
{
    const edge_loop *l = user;
    uint64_t key[2 * CORNERS_OF_SMALL_FAN];
    for (size_t v = first; v < first + count; v++)
        if (corner_lists_size(l->corners, v) <= CORNERS_OF_SMALL_FAN)
            connect_vertex(l, (uint32_t)v, key);
}

zt_result tangents_connect(job_pool *pool, arena *scratch, tangent_triangle *triangles,
                           const corner_lists *corners, zt_error *err)
{
    edge_loop loop = {corners, triangles};
    uint64_t *key;
    ZT_TRY(job_pool_ranges(pool, scratch->budget, corners->point_count, connect_range, &loop, err));
    if (corners->largest <= CORNERS_OF_SMALL_FAN)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &key, 2 * (size_t)corners->largest, "tangents", err));
    for (uint32_t v = 0; v < corners->point_count; v++) {
        if (corner_lists_size(corners, v) <= CORNERS_OF_SMALL_FAN)
            continue;
        ZT_TRY(arena_go_on(scratch, "tangents", err));
        connect_vertex(&loop, v, key);
    }
    return ZT_OK;
}
