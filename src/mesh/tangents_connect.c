// SPDX-License-Identifier: MIT
/// Second step of tangent generation: triangles that share an edge of welded vertices are paired.
///
/// Each edge belongs to the lower of its two vertices. There the edges are sorted by the higher
/// one; among those between the same two, each is paired with the earliest free one of the opposite
/// direction.
#include "mesh/tangents_parts.h"

enum { INSERTION_EDGES = 32 }; ///< sorted by insertion

// ---- Corners of vertices ------------------------------------------------------------------------

// The triangles' corners, counted at start[v + 1]. False: cancelled.
static bool count_corners(arena *scratch, const tangent_triangle *triangles, uint32_t count,
                          vertex_corners *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const tangent_triangle *t = &triangles[i];
        if (arena_cancelled_at(scratch, i))
            return false;
        out->has_any = out->has_any || t->any;
        for (int k = 0; k < 3; k++)
            out->start[t->vertex[k] + 1u]++;
    }
    return true;
}

static zt_result find_corners(arena *scratch, const mesh_source *mesh,
                              const tangent_triangle *triangles, vertex_corners *out, zt_error *err)
{
    uint32_t *next;
    *out = (vertex_corners){.vertex_count = mesh->vertex_count};
    ZT_TRY(ARENA_TAKE(scratch, &out->start, (size_t)mesh->vertex_count + 1, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &next, mesh->vertex_count, "tangents", err));
    ZT_TRY(
        ARENA_TAKE_RAW(scratch, &out->corner, (size_t)mesh->triangle_count * 3, "tangents", err));
    if (!count_corners(scratch, triangles, mesh->triangle_count, out))
        return arena_fail(scratch, err, "tangents");
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        const uint32_t count = out->start[v + 1];
        out->largest = count > out->largest ? count : out->largest;
        next[v] = out->start[v];
        out->start[v + 1] += out->start[v];
    }
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        if (arena_cancelled_at(scratch, i))
            return arena_fail(scratch, err, "tangents");
        for (uint32_t k = 0; k < 3; k++)
            out->corner[next[triangles[i].vertex[k]]++] = 3 * i + k;
    }
    return ZT_OK;
}

// ---- Edges --------------------------------------------------------------------------------------

static void sift_down(uint64_t *key, size_t at, size_t count)
{
    const uint64_t own = key[at];
    for (size_t child = 2 * at + 1; child < count; at = child, child = 2 * at + 1) {
        child += child + 1 < count && key[child + 1] > key[child];
        if (key[child] <= own)
            break;
        key[at] = key[child];
    }
    key[at] = own;
}

/// Keys are different. A heap sort, where they are many.
static void sort_keys(uint64_t *key, size_t count)
{
    for (size_t i = 1; i < count && count <= INSERTION_EDGES; i++) {
        const uint64_t own = key[i];
        size_t at = i;
        for (; at > 0 && key[at - 1] > own; at--)
            key[at] = key[at - 1];
        key[at] = own;
    }
    if (count <= INSERTION_EDGES)
        return;
    for (size_t i = count / 2; i-- > 0;)
        sift_down(key, i, count);
    for (size_t end = count - 1; end > 0; end--) {
        const uint64_t largest = key[0];
        key[0] = key[end];
        key[end] = largest;
        sift_down(key, 0, end);
    }
}

typedef struct edge_loop {
    const vertex_corners *corners;
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
    sort_keys(key, count);
    for (size_t i = 0, last; i < count; i = last) {
        for (last = i + 1; last < count && key[last] >> 32 == key[i] >> 32;)
            last++;
        pair_run(l->triangles, vertex, key + i, last - i);
    }
}

static void connect_range(void *user, size_t first, size_t count)
{
    const edge_loop *l = user;
    uint64_t key[2 * TANGENT_SMALL_FAN];
    for (size_t v = first; v < first + count; v++)
        if (l->corners->start[v + 1] - l->corners->start[v] <= TANGENT_SMALL_FAN)
            connect_vertex(l, (uint32_t)v, key);
}

zt_result tangents_connect(job_pool *pool, arena *scratch, const mesh_source *mesh,
                           tangent_triangle *triangles, vertex_corners *out, zt_error *err)
{
    ZT_TRY(find_corners(scratch, mesh, triangles, out, err));
    edge_loop loop = {out, triangles};
    uint64_t *key;
    ZT_TRY(job_pool_ranges(pool, scratch->budget, out->vertex_count, connect_range, &loop, err));
    if (out->largest <= TANGENT_SMALL_FAN)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &key, 2 * (size_t)out->largest, "tangents", err));
    for (uint32_t v = 0; v < out->vertex_count; v++) {
        if (out->start[v + 1] - out->start[v] <= TANGENT_SMALL_FAN)
            continue;
        if (arena_cancelled(scratch))
            return arena_fail(scratch, err, "tangents");
        connect_vertex(&loop, v, key);
    }
    return ZT_OK;
}
