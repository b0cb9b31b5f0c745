// SPDX-License-Identifier: MIT
/// Second step of tangent generation: finds the neighbour of each triangle over each edge. Edges
/// are sorted by their two vertices (counting sort, so stable and linear); among the edges between
/// the same two, each is paired with the earliest free one of the opposite direction.
#include "mesh/tangents.h"

typedef struct edge_ends {
    uint32_t low, high;
    bool rising; ///< runs from low to high
} edge_ends;

// Edge e runs from corner e % 3 to the next one of triangle e / 3.
static edge_ends ends_of(const tangent_triangle *triangles, uint32_t edge)
{
    const tangent_triangle *t = &triangles[edge / 3];
    const uint32_t from = t->vertex[edge % 3], to = t->vertex[(edge % 3 + 1) % 3];
    return from < to ? (edge_ends){from, to, true} : (edge_ends){to, from, false};
}

// Stable: sorts `in` by the lower or the higher vertex into `out`. `start` is [vertex_count + 1].
static void sort_edges(const tangent_triangle *triangles, bool by_low, const uint32_t *in,
                       size_t count, uint32_t *start, size_t vertex_count, uint32_t *out)
{
    for (size_t v = 0; v <= vertex_count; v++)
        start[v] = 0;
    for (size_t i = 0; i < count; i++) {
        const edge_ends e = ends_of(triangles, in[i]);
        start[(by_low ? e.low : e.high) + 1u]++;
    }
    for (size_t v = 0; v < vertex_count; v++)
        start[v + 1] += start[v];
    for (size_t i = 0; i < count; i++) {
        const edge_ends e = ends_of(triangles, in[i]);
        out[start[by_low ? e.low : e.high]++] = in[i];
    }
}

// Pairs a run of edges between the same two vertices. Those waiting all run the same way, since an
// opposite one would have been paired with them; `waiting` is a queue of them.
static void pair_run(tangent_triangle *triangles, const uint32_t *edges, size_t count,
                     uint32_t *waiting)
{
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < count; i++) {
        const bool rising = ends_of(triangles, edges[i]).rising;
        if (head < tail && ends_of(triangles, waiting[head]).rising != rising) {
            const uint32_t other = waiting[head++];
            triangles[other / 3].neighbour[other % 3] = edges[i] / 3;
            triangles[edges[i] / 3].neighbour[edges[i] % 3] = other / 3;
        } else {
            waiting[tail++] = edges[i];
        }
    }
}

zt_result tangents_connect(arena *scratch, const mesh_source *mesh, tangent_triangle *triangles,
                           zt_error *err)
{
    const size_t vertices = mesh->vertex_count, most = (size_t)mesh->triangle_count * 3;
    uint32_t *first = ARENA_ARRAY_RAW(scratch, uint32_t, most);
    uint32_t *second = ARENA_ARRAY_RAW(scratch, uint32_t, most);
    uint32_t *start = ARENA_ARRAY_RAW(scratch, uint32_t, vertices + 1);
    if (!first || !second || !start)
        return arena_fail(scratch, err, "tangents");
    size_t count = 0;
    for (size_t e = 0; e < most; e++)
        if (!triangles[e / 3].degenerate)
            first[count++] = (uint32_t)e;
    sort_edges(triangles, false, first, count, start, vertices, second);
    sort_edges(triangles, true, second, count, start, vertices, first);
    for (size_t i = 0, end; i < count; i = end) {
        const edge_ends run = ends_of(triangles, first[i]);
        for (end = i + 1; end < count; end++) {
            const edge_ends e = ends_of(triangles, first[end]);
            if (e.low != run.low || e.high != run.high)
                break;
        }
        pair_run(triangles, &first[i], end - i, second);
    }
    return ZT_OK;
}
