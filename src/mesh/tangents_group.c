// SPDX-License-Identifier: MIT
/// Third step of tangent generation: groups the corners at a vertex and sums their tangents.
///
/// The definition may split groups by direction; its default, 180 degrees, glTF's, splits nothing.
#include "base/maths.h"
#include "mesh/tangents_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

void tangents_perpendicular(const float n[3], float out[3])
{
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (fabsf(n[k]) < fabsf(n[axis]))
            axis = k;
    float t[3];
    for (int k = 0; k < 3; k++)
        t[k] = (k == axis ? 1.0f : 0.0f) - n[axis] * n[k];
    const float length = sqrtf(t[0] * t[0] + t[1] * t[1] + t[2] * t[2]);
    for (int k = 0; k < 3; k++)
        out[k] = length > 0.0f ? t[k] / length : (k == 0 ? 1.0f : 0.0f);
}

typedef struct grouping {
    const mesh_source *mesh;
    tangent_triangle *triangles;
    const vertex_corners *corners;
    bool *taken;            ///< [3 * triangle_count] the corner has its group's tangent
    corner_tangent *corner; ///< [3 * triangle_count]: in t, what it adds to its group until then
    arena *scratch;
} grouping;

/// Triangles whose corners are weighed together, in loops for the compiler to vectorize.
enum { WEIGHED_TOGETHER = 64, WEIGHED_CORNERS = 3 * WEIGHED_TOGETHER };

typedef float weighed_vectors[3][WEIGHED_CORNERS];

// Projects into the planes of unit normals and makes unit length; 0 stays 0.
static void project(weighed_vectors normal, weighed_vectors v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float n[3] = {normal[0][i], normal[1][i], normal[2][i]};
        const float d = n[0] * v[0][i] + n[1] * v[1][i] + n[2] * v[2][i];
        const float x = v[0][i] - n[0] * d, y = v[1][i] - n[1] * d, z = v[2][i] - n[2] * d;
        const float length = sqrtf(x * x + y * y + z * z);
        const float largest = maths_maxf(maths_maxf(fabsf(x), fabsf(y)), fabsf(z));
        const float divisor = largest > FLT_MIN && length > 0.0f ? length : 1.0f;
        v[0][i] = x / divisor;
        v[1][i] = y / divisor;
        v[2][i] = z / divisor;
    }
}

static void set_vector(weighed_vectors v, size_t i, float x, float y, float z)
{
    v[0][i] = x;
    v[1][i] = y;
    v[2][i] = z;
}

static void set_difference(weighed_vectors v, size_t i, const vertex_position *to,
                           const vertex_position *from)
{
    set_vector(v, i, to->x - from->x, to->y - from->y, to->z - from->z);
}

// The tangent of each corner, in the plane of the normal, times its angle in that plane.
static void weigh_some(const grouping *g, size_t first, size_t count)
{
    weighed_vectors normal, along, before, after;
    float angle[WEIGHED_CORNERS];
    const size_t corners = 3 * count;
    for (size_t i = 0, c = 0; i < count; i++) {
        const tangent_triangle *t = &g->triangles[first + i];
        const vertex_position *p[3];
        for (int k = 0; k < 3; k++)
            p[k] = &g->mesh->position[t->vertex[k]];
        for (int k = 0; k < 3; k++, c++) {
            const vertex_attributes *a = &g->mesh->attributes[t->vertex[k]];
            set_vector(normal, c, a->nx, a->ny, a->nz);
            set_vector(along, c, t->along_u[0], t->along_u[1], t->along_u[2]);
            set_difference(before, c, p[(k + 2) % 3], p[k]);
            set_difference(after, c, p[(k + 1) % 3], p[k]);
        }
    }
    project(normal, along, corners);
    project(normal, before, corners);
    project(normal, after, corners);
    for (size_t c = 0; c < corners; c++)
        angle[c] = maths_acos(before[0][c] * after[0][c] + before[1][c] * after[1][c] +
                              before[2][c] * after[2][c]);
    corner_tangent *out = g->corner + 3 * first;
    for (size_t c = 0; c < corners; c++)
        for (int i = 0; i < 3; i++)
            out[c].t[i] = angle[c] * along[i][c];
}

static void weigh_range(const grouping *g, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i += WEIGHED_TOGETHER)
        weigh_some(g, first + i, count - i < WEIGHED_TOGETHER ? count - i : WEIGHED_TOGETHER);
}

/// Angles take long: shorter ranges than those of job_pool_ranges() are worth a thread.
enum { WEIGHED_TRIANGLES = 2048 };

static void weigh_part(void *user, int64_t index, int32_t worker)
{
    const grouping *g = user;
    const size_t first = (size_t)index * WEIGHED_TRIANGLES, left = g->mesh->triangle_count - first;
    (void)worker;
    if (budget_cancelled(g->scratch->budget))
        return;
    weigh_range(user, first, left < WEIGHED_TRIANGLES ? left : WEIGHED_TRIANGLES);
}

static zt_result weigh_all(job_pool *pool, grouping *g, zt_error *err)
{
    const int64_t parts =
        ((int64_t)g->mesh->triangle_count + WEIGHED_TRIANGLES - 1) / WEIGHED_TRIANGLES;
    if (pool && parts > 1)
        job_pool_run(pool, parts, weigh_part, g);
    else
        for (int64_t i = 0; i < parts; i++)
            weigh_part(g, i, 0);
    return budget_cancelled(g->scratch->budget) ? cancel_fail(err) : ZT_OK; // some were left out
}

// The corner of the triangle at this welded vertex; triangles here have three different ones.
static uint32_t corner_at(const tangent_triangle *t, uint32_t vertex)
{
    return t->vertex[0] == vertex ? 0 : t->vertex[1] == vertex ? 1 : 2;
}

// True when the triangle may join: it has the group's orientation, or none and no group either.
static bool may_join(const grouping *g, uint32_t triangle, bool preserving)
{
    tangent_triangle *t = &g->triangles[triangle];
    const bool *taken = &g->taken[3 * (size_t)triangle];
    if (t->any && !taken[0] && !taken[1] && !taken[2])
        t->preserving = preserving;
    return t->preserving == preserving;
}

static corner_tangent group_tangent(const grouping *g, uint32_t vertex, const float sum[3],
                                    bool preserving)
{
    const vertex_attributes *a = &g->mesh->attributes[vertex];
    corner_tangent out = {.w = preserving ? 1.0f : -1.0f};
    const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (length > FLT_MIN && length < FLT_MAX)
        for (int k = 0; k < 3; k++)
            out.t[k] = sum[k] / length;
    else
        tangents_perpendicular((const float[3]){a->nx, a->ny, a->nz}, out.t);
    return out;
}

// Floods from a corner over edges that meet at its vertex, sums tangents and hands out the sum.
// `room`: 3 numbers for each corner at the vertex, and 2.
static void flood(const grouping *g, uint32_t seed, uint32_t *room)
{
    const uint32_t vertex = g->triangles[seed / 3].vertex[seed % 3];
    const bool preserving = g->triangles[seed / 3].preserving;
    float sum[3] = {0.0f, 0.0f, 0.0f};
    uint32_t *stack = room + (g->corners->start[vertex + 1] - g->corners->start[vertex]);
    size_t depth = 0, count = 0;
    stack[depth++] = seed / 3;
    while (depth > 0) {
        const uint32_t triangle = stack[--depth];
        const tangent_triangle *t = &g->triangles[triangle];
        const uint32_t k = corner_at(t, vertex), corner = 3 * triangle + k;
        if (g->taken[corner] || !may_join(g, triangle, preserving))
            continue;
        g->taken[corner] = true;
        room[count++] = corner;
        for (int i = 0; i < 3 && !t->any; i++)
            sum[i] += g->corner[corner].t[i];
        const uint32_t left = t->neighbour[k], right = t->neighbour[(k + 2) % 3];
        if (right != TANGENT_NONE)
            stack[depth++] = right;
        if (left != TANGENT_NONE)
            stack[depth++] = left;
    }
    const corner_tangent out = group_tangent(g, vertex, sum, preserving);
    for (size_t i = 0; i < count; i++)
        g->corner[room[i]] = out;
}

static void group_vertex(void *user, uint32_t vertex, uint64_t *room)
{
    const grouping *g = user;
    for (uint32_t i = g->corners->start[vertex]; i < g->corners->start[vertex + 1]; i++)
        if (!g->taken[g->corners->corner[i]])
            flood(g, g->corners->corner[i], (uint32_t *)room);
}

// Groups in the order of corners: triangles that fit any orientation take that of their first
// group.
static zt_result group_in_order(const grouping *g, zt_error *err)
{
    uint32_t *room;
    ZT_TRY(ARENA_TAKE_RAW(g->scratch, &room, 3 * (size_t)g->corners->largest + 2, "tangents", err));
    for (uint32_t c = 0; c < 3 * g->mesh->triangle_count; c++) {
        const tangent_triangle *t = &g->triangles[c / 3];
        if (arena_cancelled_at(g->scratch, c))
            return arena_fail(g->scratch, err, "tangents");
        if (!t->degenerate && !t->any && !g->taken[c])
            flood(g, c, room);
    }
    return ZT_OK;
}

// Corners that no group took get what an earlier corner at their vertex has, or any perpendicular.
static zt_result fill_rest(arena *scratch, const grouping *g, corner_tangent *out, zt_error *err)
{
    uint32_t *first = ARENA_ARRAY(scratch, uint32_t, g->mesh->vertex_count); // 1 + corner
    if (!first)
        return arena_fail(scratch, err, "tangents");
    const size_t corners = (size_t)g->mesh->triangle_count * 3;
    for (size_t c = 0; c < corners; c++) {
        const uint32_t vertex = g->triangles[c / 3].vertex[c % 3];
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "tangents");
        if (g->taken[c] && first[vertex] == 0)
            first[vertex] = (uint32_t)c + 1;
    }
    for (size_t c = 0; c < corners; c++) {
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "tangents");
        if (g->taken[c])
            continue;
        const uint32_t vertex = g->triangles[c / 3].vertex[c % 3];
        const vertex_attributes *a = &g->mesh->attributes[vertex];
        if (first[vertex] != 0) {
            out[c] = out[first[vertex] - 1];
        } else {
            tangents_perpendicular((const float[3]){a->nx, a->ny, a->nz}, out[c].t);
            out[c].w = 1.0f;
        }
    }
    return ZT_OK;
}

zt_result tangents_group(job_pool *pool, arena *scratch, const mesh_source *mesh,
                         tangent_triangle *triangles, const vertex_corners *corners,
                         corner_tangent **out, zt_error *err)
{
    const size_t count = (size_t)mesh->triangle_count * 3;
    grouping g = {.mesh = mesh, .triangles = triangles, .corners = corners, .scratch = scratch};
    ZT_TRY(ARENA_TAKE(scratch, &g.taken, count, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &g.corner, count, "tangents", err));
    *out = g.corner;
    ZT_TRY(weigh_all(pool, &g, err));
    ZT_TRY(corners->has_any ? group_in_order(&g, err)
                            : tangents_each_vertex(pool, scratch, corners, group_vertex, &g, err));
    return memchr(g.taken, false, count) ? fill_rest(scratch, &g, g.corner, err) : ZT_OK;
}
