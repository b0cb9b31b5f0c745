// SPDX-License-Identifier: MIT
/// First and second step of tangent generation. Equal vertices are welded, and for each triangle
/// the direction in which u grows is computed. With edges d1, d2 and texture edges (s1, t1), (s2,
/// t2) from corner 0, and the signed area a = s1 t2 - s2 t1, the derivative of position by u is (t2
/// d1 - t1 d2) / a. Then triangles that share an edge of welded vertices are paired.
#include "base/hash.h"
#include "mesh/tangents_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void vertex_key(const mesh_source *mesh, uint32_t v, float key[8])
{
    const vertex_position *p = &mesh->position[v];
    const vertex_attributes *a = &mesh->attributes[v];
    const float values[8] = {p->x, p->y, p->z, a->nx, a->ny, a->nz, a->u, a->v};
    for (int k = 0; k < 8; k++)
        key[k] = values[k] + 0.0f; // -0 becomes 0: they compare equal
}

static uint64_t hash_key(const float key[8])
{
    uint64_t h = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t bits;
        memcpy(&bits, &key[k], sizeof bits);
        h = hash_number(h, bits);
    }
    return h;
}

// out[v] = the first vertex equal to v. [vertex_count].
static zt_result weld(arena *scratch, const mesh_source *mesh, uint32_t **out, zt_error *err)
{
    hash_table table; // of vertices
    uint32_t *first = ARENA_ARRAY_RAW(scratch, uint32_t, mesh->vertex_count);
    if (!hash_table_init(&table, scratch, mesh->vertex_count) || !first)
        return arena_fail(scratch, err, "tangents");
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        float key[8], other[8];
        if (arena_cancelled_at(scratch, v))
            return arena_fail(scratch, err, "tangents");
        vertex_key(mesh, v, key);
        uint32_t *slot = hash_table_first(&table, hash_key(key));
        for (; *slot != 0; slot = hash_table_next(&table, slot)) {
            vertex_key(mesh, *slot - 1, other);
            if (memcmp(key, other, sizeof key) == 0)
                break;
        }
        if (*slot == 0)
            *slot = v + 1;
        first[v] = *slot - 1;
    }
    *out = first;
    return ZT_OK;
}

static bool same_place(const vertex_position *a, const vertex_position *b)
{
    return a->x == b->x && a->y == b->y && a->z == b->z;
}

static bool is_zero(float x) { return !(fabsf(x) > FLT_MIN); }

static float length3(const float v[3]) { return sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void measure(const mesh_source *mesh, const uint32_t *corner, tangent_triangle *t)
{
    const vertex_position *p0 = &mesh->position[corner[0]], *p1 = &mesh->position[corner[1]],
                          *p2 = &mesh->position[corner[2]];
    const vertex_attributes *a0 = &mesh->attributes[corner[0]], *a1 = &mesh->attributes[corner[1]],
                            *a2 = &mesh->attributes[corner[2]];
    t->degenerate = same_place(p0, p1) || same_place(p1, p2) || same_place(p2, p0);
    const float d1[3] = {p1->x - p0->x, p1->y - p0->y, p1->z - p0->z};
    const float d2[3] = {p2->x - p0->x, p2->y - p0->y, p2->z - p0->z};
    // The second coordinate is 1 - v, so its differences change sign.
    const float s1 = a1->u - a0->u, t1 = a0->v - a1->v;
    const float s2 = a2->u - a0->u, t2 = a0->v - a2->v;
    const float area = s1 * t2 - s2 * t1;
    t->preserving = area > 0.0f;
    t->any = true;
    if (is_zero(area))
        return;
    float u[3], v[3];
    for (int k = 0; k < 3; k++) {
        u[k] = t2 * d1[k] - t1 * d2[k];
        v[k] = s1 * d2[k] - s2 * d1[k];
    }
    const float u_length = length3(u), v_length = length3(v);
    const float sign = t->preserving ? 1.0f : -1.0f;
    if (!is_zero(u_length))
        for (int k = 0; k < 3; k++)
            t->along_u[k] = u[k] * (sign / u_length);
    t->any = is_zero(u_length / fabsf(area)) || is_zero(v_length / fabsf(area));
}

typedef struct measure_loop {
    const mesh_source *mesh;
    const uint32_t *first;
    tangent_triangle *triangles;
} measure_loop;

static void measure_range(void *user, size_t first, size_t count)
{
    const measure_loop *l = user;
    for (size_t i = first; i < first + count; i++) {
        tangent_triangle *t = &l->triangles[i];
        const uint32_t *corner = &l->mesh->corner[3 * i];
        measure(l->mesh, corner, t);
        for (int k = 0; k < 3; k++) {
            t->vertex[k] = l->first[corner[k]];
            t->neighbour[k] = TANGENT_NONE;
        }
    }
}

static zt_result weld_triangles(job_pool *pool, arena *scratch, const mesh_source *mesh,
                                tangent_triangle **out_triangles, zt_error *err)
{
    uint32_t *first = NULL;
    ZT_TRY(weld(scratch, mesh, &first, err));
    tangent_triangle *triangles;
    ZT_TRY(ARENA_TAKE(scratch, &triangles, mesh->triangle_count, "tangents", err));
    ZT_TRY(job_pool_ranges(pool, scratch->budget, mesh->triangle_count, measure_range,
                           &(measure_loop){mesh, first, triangles}, err));
    *out_triangles = triangles;
    return ZT_OK;
}

// ---- Neighbours ---------------------------------------------------------------------------------
//
// Edges are sorted by their two vertices (counting sort, so stable and linear); among the edges
// between the same two, each is paired with the earliest free one of the opposite direction.

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

// Stable: sorts `in` by the lower or higher vertex into `out`. False: cancelled.
static bool sort_edges(arena *scratch, const tangent_triangle *triangles, bool by_low,
                       const uint32_t *in, size_t count, uint32_t *start, size_t vertex_count,
                       uint32_t *out)
{
    for (size_t v = 0; v <= vertex_count; v++)
        start[v] = 0;
    for (size_t i = 0; i < count; i++) {
        const edge_ends e = ends_of(triangles, in[i]);
        if (arena_cancelled_at(scratch, i))
            return false;
        start[(by_low ? e.low : e.high) + 1u]++;
    }
    for (size_t v = 0; v < vertex_count; v++)
        start[v + 1] += start[v];
    for (size_t i = 0; i < count; i++) {
        const edge_ends e = ends_of(triangles, in[i]);
        if (arena_cancelled_at(scratch, i))
            return false;
        out[start[by_low ? e.low : e.high]++] = in[i];
    }
    return true;
}

// Pairs a run of edges between two vertices. All that wait, in the queue `waiting`, have one
// direction: an opposite one would have been paired. False: the work is cancelled.
static bool pair_run(arena *scratch, tangent_triangle *triangles, const uint32_t *edges,
                     size_t count, uint32_t *waiting)
{
    size_t head = 0, tail = 0;
    for (size_t i = 0; i < count; i++) {
        if (arena_cancelled_at(scratch, i + 1)) // most runs are too short to ask
            return false;
        const bool rising = ends_of(triangles, edges[i]).rising;
        if (head < tail && ends_of(triangles, waiting[head]).rising != rising) {
            const uint32_t other = waiting[head++];
            triangles[other / 3].neighbour[other % 3] = edges[i] / 3;
            triangles[edges[i] / 3].neighbour[edges[i] % 3] = other / 3;
        } else {
            waiting[tail++] = edges[i];
        }
    }
    return true;
}

// Pairs all edges, which are sorted. False: the work is cancelled.
static bool pair_edges(arena *scratch, tangent_triangle *triangles, const uint32_t *edges,
                       size_t count, uint32_t *waiting)
{
    for (size_t i = 0, end; i < count; i = end) {
        const edge_ends run = ends_of(triangles, edges[i]);
        for (end = i + 1; end < count; end++) {
            const edge_ends e = ends_of(triangles, edges[end]);
            if (arena_cancelled_at(scratch, end))
                return false;
            if (e.low != run.low || e.high != run.high)
                break;
        }
        if (!pair_run(scratch, triangles, &edges[i], end - i, waiting))
            return false;
    }
    return true;
}

static zt_result connect_triangles(arena *scratch, const mesh_source *mesh,
                                   tangent_triangle *triangles, zt_error *err)
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
    if (!sort_edges(scratch, triangles, false, first, count, start, vertices, second) ||
        !sort_edges(scratch, triangles, true, second, count, start, vertices, first) ||
        !pair_edges(scratch, triangles, first, count, second))
        return arena_fail(scratch, err, "tangents");
    return ZT_OK;
}

zt_result tangents_triangles(job_pool *pool, arena *scratch, const mesh_source *mesh,
                             tangent_triangle **out, zt_error *err)
{
    ZT_TRY(weld_triangles(pool, scratch, mesh, out, err));
    return connect_triangles(scratch, mesh, *out, err);
}
