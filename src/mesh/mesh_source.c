// SPDX-License-Identifier: MIT
#include "mesh/mesh_source.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/// An array of vertices of a mesh.
typedef struct vertex_array {
    size_t offset, size; ///< of the member, and of an element
    const void *missing; ///< the value of vertices of a joined mesh without it; NULL: all have it
    bool stays;          ///< in mesh->keep
} vertex_array;

static const float right_handed = 1.0f;
static const vertex_extra white = {.r = 1.0f, .g = 1.0f, .b = 1.0f, .a = 1.0f};
static const vertex_joints no_joints = {{0, 0, 0, 0}};
static const vertex_weights first_joint = {{1.0f, 0.0f, 0.0f, 0.0f}}, no_weights = {{0.0f}};

#define ARRAY(member) offsetof(mesh_source, member), sizeof *((mesh_source *)NULL)->member
static const vertex_array tangent_array = {ARRAY(tangent_w), &right_handed, false};
static const vertex_array origin_array = {ARRAY(origin), NULL, false};
/// Those that are both gathered and joined.
static const vertex_array arrays[] = {
    {ARRAY(position), NULL, true},
    {ARRAY(attributes), NULL, true},
    {ARRAY(extra), &white, false},
    {ARRAY(joints), &no_joints, false},
    {ARRAY(weights), &first_joint, false},
    {ARRAY(joints_more), &no_joints, false},
    {ARRAY(weights_more), &no_weights, false},
};
#undef ARRAY
enum { ARRAY_COUNT = sizeof arrays / sizeof *arrays };

static const uint8_t *array_of(const mesh_source *mesh, const vertex_array *array)
{
    const uint8_t *elements;
    memcpy(&elements, (const uint8_t *)mesh + array->offset, sizeof elements);
    return elements;
}

/// An array of vertices that is copied by their numbers.
typedef struct gather_loop {
    uint8_t *to;
    const uint8_t *from;
    size_t size; ///< of an element
    const uint32_t *index;
} gather_loop;

static void gather_range(void *user, size_t first, size_t count)
{
    const gather_loop *l = user;
    for (size_t i = first; i < first + count; i++)
        memcpy(l->to + i * l->size, l->from + l->index[i] * l->size, l->size);
}

zt_result mesh_source_gather(job_pool *pool, arena *a, mesh_source *mesh, const uint32_t *from,
                             size_t count, zt_error *err)
{
    for (int i = 0; i <= ARRAY_COUNT; i++) {
        const vertex_array *array = i < ARRAY_COUNT ? &arrays[i] : &origin_array;
        gather_loop loop = {.from = array_of(mesh, array), .size = array->size, .index = from};
        if (!loop.from)
            continue;
        arena *to = array->stays && mesh->keep ? mesh->keep : a;
        ZT_TRY(ARENA_TAKE_RAW(to, &loop.to, pad16(count) * loop.size, "vertices", err));
        memcpy((uint8_t *)mesh + array->offset, &loop.to, sizeof loop.to);
        ZT_TRY(job_pool_ranges(pool, a->budget, count, gather_range, &loop, err));
    }
    mesh->vertex_count = (uint32_t)count;
    mesh->tangent_w = NULL;
    return ZT_OK;
}

void mesh_flat_normal(const vertex_position p[3], float n[3])
{
    const float a[3] = {p[1].x - p[0].x, p[1].y - p[0].y, p[1].z - p[0].z};
    const float b[3] = {p[2].x - p[0].x, p[2].y - p[0].y, p[2].z - p[0].z};
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
    // Scaled by the largest component first: the square of a tiny area would vanish.
    float largest = 0.0f;
    for (int i = 0; i < 3; i++)
        largest = fabsf(n[i]) > largest ? fabsf(n[i]) : largest;
    if (largest > 0.0f && largest <= 3.4e38f) {
        for (int i = 0; i < 3; i++)
            n[i] = n[i] / largest;
        const float length = sqrtf(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int i = 0; i < 3; i++)
            n[i] = n[i] / length;
    } else { // no area: never drawn
        n[0] = n[1] = 0.0f;
        n[2] = 1.0f;
    }
}

/// False: the work is cancelled.
static bool set_flat_normals(arena *a, mesh_source *mesh)
{
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        float n[3];
        if (arena_cancelled_at(a, t))
            return false;
        mesh_flat_normal(&mesh->position[3 * t], n);
        for (size_t k = 3 * t; k < 3 * t + 3; k++) {
            mesh->attributes[k].nx = n[0];
            mesh->attributes[k].ny = n[1];
            mesh->attributes[k].nz = n[2];
        }
    }
    return true;
}

zt_result mesh_source_flatten(arena *a, mesh_source *mesh, zt_error *err)
{
    const size_t count = 3 * (size_t)mesh->triangle_count;
    uint32_t *corner;
    ZT_TRY(ARENA_TAKE_RAW(a, &corner, count, "flat normals", err));
    ZT_TRY(mesh_source_gather(NULL, a, mesh, mesh->corner, count, err));
    for (size_t i = 0; i < count; i++) {
        ZT_TRY(arena_go_on_at(a, i, "flat normals", err));
        corner[i] = (uint32_t)i;
    }
    mesh->corner = corner;
    return set_flat_normals(a, mesh) ? ZT_OK : arena_fail(a, err, "flat normals");
}

/// Joins one array of all parts, if any of them has it.
static zt_result join_array(arena *a, const vertex_array *array, const mesh_source *const *parts,
                            uint32_t count, mesh_source *out, zt_error *err)
{
    const size_t size = array->size;
    bool any = !array->missing;
    for (uint32_t i = 0; i < count; i++)
        any = any || array_of(parts[i], array);
    if (!any)
        return ZT_OK;
    uint8_t *to;
    ZT_TRY(ARENA_TAKE_RAW(a, &to, out->vertex_count * size, "a mesh", err));
    memcpy((uint8_t *)out + array->offset, &to, sizeof to);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *from = array_of(parts[i], array);
        const size_t n = parts[i]->vertex_count;
        if (from)
            memcpy(to, from, n * size);
        else
            for (size_t v = 0; v < n; v++)
                memcpy(to + v * size, array->missing, size);
        to += n * size;
    }
    return ZT_OK;
}

zt_result mesh_source_join(arena *a, const mesh_source *const *parts, uint32_t count,
                           mesh_source *out, zt_error *err)
{
    *out = (mesh_source){0};
    for (uint32_t i = 0; i < count; i++) {
        out->vertex_count += parts[i]->vertex_count;
        out->triangle_count += parts[i]->triangle_count;
    }
    ZT_TRY(join_array(a, &tangent_array, parts, count, out, err));
    for (int i = 0; i < ARRAY_COUNT; i++)
        ZT_TRY(join_array(a, &arrays[i], parts, count, out, err));
    uint32_t *corner, vertex = 0;
    ZT_TRY(ARENA_TAKE_RAW(a, &corner, 3 * (size_t)out->triangle_count, "a mesh", err));
    out->corner = corner;
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < 3 * (size_t)parts[i]->triangle_count; k++)
            *corner++ = parts[i]->corner[k] + vertex;
        vertex += parts[i]->vertex_count;
    }
    return ZT_OK;
}
