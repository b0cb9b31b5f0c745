// SPDX-License-Identifier: MIT
/// Third step of tangent generation: groups the corners at a vertex and sums their tangents.
///
/// The definition may split groups by direction; its default, 180 degrees, glTF's, splits nothing.
/// Vertices do not depend on each other, but for triangles whose texture coordinates span no area:
/// they take the orientation of the first group that they are met by, in the order of corners.
#include "base/maths.h"
#include "mesh/tangents_parts.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
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

/// Corners that are weighed together, in loops for the compiler to vectorize.
enum { WEIGHED = 192 };

typedef float weighed_vectors[3][WEIGHED];

typedef struct corner_group {
    uint32_t first, count; ///< in fan_batch.corner
} corner_group;

/// The corners at a welded vertex.
typedef struct fan {
    uint32_t vertex, first_group, group_count;
} fan;

/// Fans whose corners are weighed together. Each array has room for all corners of the largest.
typedef struct fan_batch {
    uint32_t corner_count, group_count, fan_count;
    uint32_t *corner;   ///< [corner_count] of groups, in the order in which they were met
    float (*weight)[3]; ///< [corner_count] what each adds to its group
    uint32_t *stack;    ///< twice the room, and 1
    corner_group *group;
    fan *fan;
} fan_batch;

typedef struct grouping {
    const mesh_source *mesh;
    tangent_triangle *triangles;
    const corner_lists *corners;
    vertex_tangents *out;
    bool orients; ///< triangles without an orientation take that of the group that meets them
} grouping;

// Projects into the planes of unit normals and makes unit length; 0 stays 0.
static void project(weighed_vectors normal, weighed_vectors v, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const float n[3] = {normal[0][i], normal[1][i], normal[2][i]};
        const float d = n[0] * v[0][i] + n[1] * v[1][i] + n[2] * v[2][i];
        const float x = v[0][i] - n[0] * d, y = v[1][i] - n[1] * d, z = v[2][i] - n[2] * d;
        const float length = sqrtf(x * x + y * y + z * z);
        const float largest = maths_maxf(maths_maxf(fabsf(x), fabsf(y)), fabsf(z));
        const float scale = 1.0f / (largest > FLT_MIN && length > 0.0f ? length : 1.0f);
        v[0][i] = x * scale;
        v[1][i] = y * scale;
        v[2][i] = z * scale;
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

// The tangents of corners, in the planes of their normals, times their angles in these planes.
static void weigh_some(const grouping *g, const uint32_t *corner, size_t count, float (*out)[3])
{
    weighed_vectors normal, along, before, after;
    float angle[WEIGHED];
    for (size_t c = 0; c < count; c++) {
        const tangent_triangle *t = &g->triangles[corner[c] / 3];
        const uint32_t k = corner[c] % 3;
        const vertex_attributes *a = &g->mesh->attributes[t->vertex[k]];
        const vertex_position *p = g->mesh->position, *own = &p[t->vertex[k]];
        set_vector(normal, c, a->nx, a->ny, a->nz);
        set_vector(along, c, t->along_u[0], t->along_u[1], t->along_u[2]);
        set_difference(before, c, &p[t->vertex[(k + 2) % 3]], own);
        set_difference(after, c, &p[t->vertex[(k + 1) % 3]], own);
    }
    project(normal, along, count);
    project(normal, before, count);
    project(normal, after, count);
    for (size_t c = 0; c < count; c++)
        angle[c] = maths_acos(before[0][c] * after[0][c] + before[1][c] * after[1][c] +
                              before[2][c] * after[2][c]);
    for (size_t c = 0; c < count; c++)
        for (int i = 0; i < 3; i++)
            out[c][i] = angle[c] * along[i][c];
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
    const uint8_t *state = &g->out->state[3 * (size_t)triangle];
    if (g->orients && t->any && !state[0] && !state[1] && !state[2])
        t->preserving = preserving;
    return t->preserving == preserving;
}

// Lists the corners that are connected with one over edges that meet at its vertex. Returns their
// number.
static uint32_t flood(const grouping *g, uint32_t seed, uint32_t *stack, uint32_t *out)
{
    const uint32_t vertex = g->triangles[seed / 3].vertex[seed % 3];
    const bool preserving = g->triangles[seed / 3].preserving;
    uint32_t depth = 0, count = 0;
    stack[depth++] = seed / 3;
    while (depth > 0) {
        const uint32_t triangle = stack[--depth];
        const tangent_triangle *t = &g->triangles[triangle];
        const uint32_t k = corner_at(t, vertex), corner = 3 * triangle + k;
        if (g->out->state[corner] || !may_join(g, triangle, preserving))
            continue;
        g->out->state[corner] = TANGENT_GROUPED;
        out[count++] = corner;
        const uint32_t left = t->neighbour[k], right = t->neighbour[(k + 2) % 3];
        if (right != TANGENT_NONE)
            stack[depth++] = right;
        if (left != TANGENT_NONE)
            stack[depth++] = left;
    }
    return count;
}

// True for a corner from which a group begins, if it is in none.
static bool is_seed(const grouping *g, uint32_t corner)
{
    const tangent_triangle *t = &g->triangles[corner / 3];
    return !t->degenerate && !t->any && !g->out->state[corner];
}

static void add_fan(const grouping *g, uint32_t vertex, fan_batch *b)
{
    fan *f = &b->fan[b->fan_count++];
    *f = (fan){.vertex = vertex, .first_group = b->group_count};
    for (uint32_t i = g->corners->start[vertex]; i < g->corners->start[vertex + 1]; i++) {
        if (!is_seed(g, g->corners->corner[i]))
            continue;
        corner_group *group = &b->group[b->group_count++];
        group->first = b->corner_count;
        group->count = flood(g, g->corners->corner[i], b->stack, b->corner + b->corner_count);
        b->corner_count += group->count;
    }
    f->group_count = b->group_count - f->first_group;
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

// The tangent of a group: the sum over its triangles that have a direction.
static corner_tangent sum_group(const grouping *g, const fan_batch *b, uint32_t vertex,
                                const corner_group *group)
{
    float sum[3] = {0.0f, 0.0f, 0.0f};
    for (uint32_t c = group->first; c < group->first + group->count; c++)
        if (!g->triangles[b->corner[c] / 3].any)
            for (int i = 0; i < 3; i++)
                sum[i] += b->weight[c][i];
    return group_tangent(g, vertex, sum, g->triangles[b->corner[group->first] / 3].preserving);
}

// The corners of a fan that no group took get what the first that one took has, or any.
static void fill_rest(const grouping *g, uint32_t vertex, const uint32_t *corner, uint32_t count)
{
    const vertex_attributes *a = &g->mesh->attributes[vertex];
    corner_tangent rest = {.w = 1.0f};
    uint32_t first = 0;
    while (first < count && !g->out->state[corner[first]])
        first++;
    if (first < count)
        rest = g->out->wanted[corner[first]];
    else
        tangents_perpendicular((const float[3]){a->nx, a->ny, a->nz}, rest.t);
    for (uint32_t i = 0; i < count; i++)
        if (!g->out->state[corner[i]])
            g->out->wanted[corner[i]] = rest;
}

// The first tangent of a vertex stays, in the order of corners. Others are counted.
static void take_first(const grouping *g, const uint32_t *corner, uint32_t count)
{
    vertex_tangents *out = g->out;
    size_t others = 0;
    for (uint32_t i = 0; i < count; i++) {
        corner_tangent *t = &out->tangent[g->mesh->corner[corner[i]]];
        const bool has = t->w != 0.0f;
        const bool differs = has && !corner_tangents_equal(t, &out->wanted[corner[i]]);
        if (!has)
            *t = out->wanted[corner[i]];
        others += differs;
        out->state[corner[i]] = differs ? TANGENT_OTHER : TANGENT_GROUPED;
    }
    if (others > 0)
        atomic_fetch_add_explicit(&out->others, others, memory_order_relaxed);
}

// Most fans are one group.
static void finish_fan(const grouping *g, const fan_batch *b, const fan *f)
{
    const uint32_t *corner = &g->corners->corner[g->corners->start[f->vertex]];
    const uint32_t count = corner_lists_size(g->corners, f->vertex);
    const corner_group *group = &b->group[f->first_group];
    if (f->group_count == 1) { // which others at the vertex join
        const corner_tangent t = sum_group(g, b, f->vertex, group);
        for (uint32_t i = 0; i < count; i++)
            g->out->tangent[g->mesh->corner[corner[i]]] = t;
        return;
    }
    for (uint32_t k = 0; k < f->group_count; k++) {
        const corner_tangent t = sum_group(g, b, f->vertex, &group[k]);
        for (uint32_t i = group[k].first; i < group[k].first + group[k].count; i++)
            g->out->wanted[b->corner[i]] = t;
    }
    fill_rest(g, f->vertex, corner, count);
    take_first(g, corner, count);
}

static void finish_batch(const grouping *g, fan_batch *b)
{
    for (uint32_t i = 0; i < b->corner_count; i += WEIGHED)
        weigh_some(g, b->corner + i, b->corner_count - i < WEIGHED ? b->corner_count - i : WEIGHED,
                   b->weight + i);
    for (uint32_t i = 0; i < b->fan_count; i++)
        finish_fan(g, b, &b->fan[i]);
    b->corner_count = b->group_count = b->fan_count = 0;
}

static void clear_range(void *user, size_t first, size_t count)
{
    const grouping *g = user;
    for (size_t v = first; v < first + count; v++)
        g->out->tangent[v].w = 0.0f; // none yet
}

// The fans of a range of vertices, but for large ones.
static void group_range(void *user, size_t first, size_t count)
{
    const grouping *g = user;
    uint32_t corner[WEIGHED], stack[2 * WEIGHED + 1];
    float weight[WEIGHED][3];
    corner_group group[WEIGHED];
    fan fans[WEIGHED];
    fan_batch b = {.corner = corner, .weight = weight, .stack = stack, .group = group, .fan = fans};
    for (size_t v = first; v < first + count; v++) {
        const uint32_t size = corner_lists_size(g->corners, v);
        if (size == 0 || size > CORNERS_OF_SMALL_FAN)
            continue;
        if (b.corner_count + size > WEIGHED || b.fan_count == WEIGHED)
            finish_batch(g, &b);
        add_fan(g, (uint32_t)v, &b);
    }
    finish_batch(g, &b);
}

static zt_result group_large(const grouping *g, arena *scratch, zt_error *err)
{
    const size_t room = g->corners->largest;
    fan one;
    fan_batch b = {.fan = &one};
    if (room <= CORNERS_OF_SMALL_FAN)
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &b.corner, room, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &b.weight, room, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &b.stack, 2 * room + 1, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &b.group, room, "tangents", err));
    for (uint32_t v = 0; v < g->corners->point_count; v++) {
        if (corner_lists_size(g->corners, v) <= CORNERS_OF_SMALL_FAN)
            continue;
        ZT_TRY(arena_go_on(scratch, "tangents", err));
        add_fan(g, v, &b);
        finish_batch(g, &b);
    }
    return ZT_OK;
}

// Gives triangles that fit any orientation that of their first group.
static zt_result orient(grouping *g, arena *scratch, zt_error *err)
{
    const size_t corners = (size_t)g->mesh->triangle_count * 3, room = g->corners->largest;
    uint32_t *list, *stack;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &list, room, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &stack, 2 * room + 1, "tangents", err));
    g->orients = true;
    for (size_t c = 0; c < corners; c++) {
        ZT_TRY(arena_go_on_at(scratch, c, "tangents", err));
        if (is_seed(g, (uint32_t)c))
            flood(g, (uint32_t)c, stack, list);
    }
    g->orients = false;
    memset(g->out->state, 0, corners * sizeof *g->out->state);
    return ZT_OK;
}

zt_result tangents_group(job_pool *pool, arena *scratch, const mesh_source *mesh,
                         const tangent_triangles *triangles, const corner_lists *corners,
                         vertex_tangents *out, zt_error *err)
{
    const size_t count = (size_t)mesh->triangle_count * 3;
    grouping g = {.mesh = mesh, .triangles = triangles->triangle, .corners = corners, .out = out};
    ZT_TRY(ARENA_TAKE(scratch, &out->state, count, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &out->wanted, count, "tangents", err));
    ZT_TRY(ARENA_TAKE_RAW(scratch, &out->tangent, mesh->vertex_count, "tangents", err));
    out->others = 0;
    ZT_TRY(job_pool_ranges(pool, scratch->budget, mesh->vertex_count, clear_range, &g, err));
    if (triangles->has_any)
        ZT_TRY(orient(&g, scratch, err));
    ZT_TRY(job_pool_ranges(pool, scratch->budget, mesh->vertex_count, group_range, &g, err));
    return group_large(&g, scratch, err);
}
