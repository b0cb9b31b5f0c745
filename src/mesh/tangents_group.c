// SPDX-License-Identifier: MIT
/// Third step of tangent generation: groups the corners at a vertex and sums their tangents.
///
/// The definition may split groups by direction; its default, 180 degrees, glTF's, splits nothing.
#include "base/maths.h"
#include "mesh/tangents_parts.h"

#include <float.h>
#include <math.h>

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
    uint32_t *group;        ///< [3 * triangle_count], TANGENT_NONE
    uint32_t *stack;        ///< [2 * triangle_count + 2]
    corner_tangent *corner; ///< [3 * triangle_count]: in t, what the corner adds to its group
    arena *scratch;
} grouping;

static bool is_zero3(const float v[3])
{
    return !(fabsf(v[0]) > FLT_MIN) && !(fabsf(v[1]) > FLT_MIN) && !(fabsf(v[2]) > FLT_MIN);
}

// Projects into the plane of the unit normal and makes it unit length; 0 stays 0.
static void project(const float normal[3], float v[3])
{
    const float d = normal[0] * v[0] + normal[1] * v[1] + normal[2] * v[2];
    for (int k = 0; k < 3; k++)
        v[k] = v[k] - normal[k] * d;
    if (is_zero3(v))
        return;
    const float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (length > 0.0f)
        for (int k = 0; k < 3; k++)
            v[k] /= length;
}

// The tangent of one corner in the plane of the normal. Returns the cosine of its angle there.
static float project_corner(const grouping *g, const tangent_triangle *t, uint32_t k,
                            float out_along[3])
{
    const vertex_attributes *a = &g->mesh->attributes[t->vertex[k]];
    const vertex_position *p = &g->mesh->position[t->vertex[k]];
    const vertex_position *before = &g->mesh->position[t->vertex[(k + 2) % 3]];
    const vertex_position *after = &g->mesh->position[t->vertex[(k + 1) % 3]];
    const float normal[3] = {a->nx, a->ny, a->nz};
    float e1[3] = {before->x - p->x, before->y - p->y, before->z - p->z};
    float e2[3] = {after->x - p->x, after->y - p->y, after->z - p->z};
    for (int i = 0; i < 3; i++)
        out_along[i] = t->along_u[i];
    project(normal, out_along);
    project(normal, e1);
    project(normal, e2);
    return e1[0] * e2[0] + e1[1] * e2[1] + e1[2] * e2[2];
}

/// Triangles whose angles are found together, in a loop for the compiler to vectorize.
enum { ANGLE_TRIANGLES = 64 };

// Weighs tangents by the angles of their corners.
static void weigh_some(const grouping *g, size_t first, size_t count)
{
    float angle[3 * ANGLE_TRIANGLES];
    corner_tangent *corner = &g->corner[3 * first];
    for (size_t c = 0; c < 3 * count; c++) {
        const tangent_triangle *t = &g->triangles[first + c / 3];
        angle[c] = 0.0f;
        corner[c] = (corner_tangent){.w = 0.0f};
        if (!t->any && !t->degenerate)
            angle[c] = project_corner(g, t, (uint32_t)(c % 3), corner[c].t);
    }
    for (size_t c = 0; c < 3 * count; c++)
        angle[c] = maths_acos(angle[c]);
    for (size_t c = 0; c < 3 * count; c++)
        for (int i = 0; i < 3; i++)
            corner[c].t[i] = angle[c] * corner[c].t[i];
}

static void weigh_range(const grouping *g, size_t first, size_t count)
{
    for (size_t i = 0; i < count; i += ANGLE_TRIANGLES)
        weigh_some(g, first + i, count - i < ANGLE_TRIANGLES ? count - i : ANGLE_TRIANGLES);
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
    const uint32_t *group = &g->group[3 * (size_t)triangle];
    if (t->any && group[0] == TANGENT_NONE && group[1] == TANGENT_NONE && group[2] == TANGENT_NONE)
        t->preserving = preserving;
    return t->preserving == preserving;
}

// Floods from a corner over edges that meet at its vertex and sums tangents. False: cancelled.
static bool flood(const grouping *g, uint32_t seed, uint32_t seed_corner, uint32_t id,
                  corner_tangent *out_tangent)
{
    const uint32_t vertex = g->triangles[seed].vertex[seed_corner];
    const bool preserving = g->triangles[seed].preserving;
    float sum[3] = {0.0f, 0.0f, 0.0f};
    size_t depth = 0, steps = 0;
    g->stack[depth++] = seed;
    while (depth > 0) {
        if (arena_cancelled_at(g->scratch, ++steps)) // most floods are too short to ask
            return false;
        const uint32_t triangle = g->stack[--depth];
        const tangent_triangle *t = &g->triangles[triangle];
        const uint32_t k = corner_at(t, vertex);
        uint32_t *group = &g->group[3 * (size_t)triangle + k];
        if (*group != TANGENT_NONE || !may_join(g, triangle, preserving))
            continue;
        *group = id;
        for (int i = 0; i < 3 && !t->any; i++)
            sum[i] += g->corner[3 * (size_t)triangle + k].t[i];
        const uint32_t left = t->neighbour[k], right = t->neighbour[(k + 2) % 3];
        if (right != TANGENT_NONE)
            g->stack[depth++] = right;
        if (left != TANGENT_NONE)
            g->stack[depth++] = left;
    }
    const vertex_attributes *a = &g->mesh->attributes[vertex];
    corner_tangent out = {.w = preserving ? 1.0f : -1.0f};
    const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    if (length > FLT_MIN && length < FLT_MAX)
        for (int k = 0; k < 3; k++)
            out.t[k] = sum[k] / length;
    else
        tangents_perpendicular((const float[3]){a->nx, a->ny, a->nz}, out.t);
    *out_tangent = out;
    return true;
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
        if (g->group[c] != TANGENT_NONE && first[vertex] == 0)
            first[vertex] = (uint32_t)c + 1;
    }
    for (size_t c = 0; c < corners; c++) {
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "tangents");
        if (g->group[c] != TANGENT_NONE)
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
                         tangent_triangle *triangles, corner_tangent **out, zt_error *err)
{
    const size_t corners = (size_t)mesh->triangle_count * 3;
    grouping g = {.mesh = mesh, .triangles = triangles, .scratch = scratch};
    g.group = ARENA_ARRAY_RAW(scratch, uint32_t, corners);
    g.stack = ARENA_ARRAY_RAW(scratch, uint32_t, (size_t)mesh->triangle_count * 2 + 2);
    corner_tangent *of_group = ARENA_ARRAY_RAW(scratch, corner_tangent, corners);
    corner_tangent *result = ARENA_ARRAY_RAW(scratch, corner_tangent, corners);
    if (!g.group || !g.stack || !of_group || !result)
        return arena_fail(scratch, err, "tangents");
    g.corner = result; // until all groups are summed
    for (size_t c = 0; c < corners; c++)
        g.group[c] = TANGENT_NONE;
    ZT_TRY(weigh_all(pool, &g, err));
    uint32_t groups = 0;
    for (uint32_t c = 0; c < corners; c++) {
        const tangent_triangle *t = &triangles[c / 3];
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "tangents");
        if (t->degenerate || t->any || g.group[c] != TANGENT_NONE)
            continue;
        if (!flood(&g, c / 3, c % 3, groups, &of_group[groups]))
            return arena_fail(scratch, err, "tangents");
        groups++;
    }
    for (size_t c = 0; c < corners; c++) {
        if (arena_cancelled_at(scratch, c))
            return arena_fail(scratch, err, "tangents");
        if (g.group[c] != TANGENT_NONE)
            result[c] = of_group[g.group[c]];
    }
    *out = result;
    return fill_rest(scratch, &g, result, err);
}
