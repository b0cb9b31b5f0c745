// SPDX-License-Identifier: MIT
/// Morph targets from two models of one topology: how formats without targets get some.
#include "model/model.h"

#include <string.h>

/// Walks the triangles of a mesh in the order of the file, in any division into meshlets.
typedef struct triangle_walk {
    const model_mesh *mesh;
    uint32_t meshlet, triangle;
} triangle_walk;

static void next_triangle(triangle_walk *w, uint32_t out[3])
{
    const meshlet *m = &w->mesh->meshlets[w->meshlet];
    while (w->triangle == m->triangle_count) {
        m = &w->mesh->meshlets[++w->meshlet];
        w->triangle = 0;
    }
    for (int k = 0; k < 3; k++) {
        const uint8_t local = w->mesh->meshlet_corner[k][m->triangle_first + w->triangle];
        out[k] = w->mesh->meshlet_vertex[m->vertex_first + local];
    }
    w->triangle++;
}

static zt_result compare_meshes(const model_mesh *base, const model_mesh *target, uint32_t index,
                                zt_error *err)
{
    if (base->vertex_count != target->vertex_count)
        return zt_fail(err, ZT_ERR_FORMAT, "mesh %u has %u vertices (expected %u)", index,
                       target->vertex_count, base->vertex_count);
    if (base->triangle_count != target->triangle_count)
        return zt_fail(err, ZT_ERR_FORMAT, "mesh %u has %u triangles (expected %u)", index,
                       target->triangle_count, base->triangle_count);
    triangle_walk a = {.mesh = base}, b = {.mesh = target};
    for (uint32_t t = 0; t < base->triangle_count; t++) {
        uint32_t expected[3], found[3];
        next_triangle(&a, expected);
        next_triangle(&b, found);
        if (memcmp(expected, found, sizeof found) != 0)
            return zt_fail(err, ZT_ERR_FORMAT,
                           "triangle %u of mesh %u joins the vertices %u, %u, %u (expected %u, "
                           "%u, %u)",
                           t, index, found[0], found[1], found[2], expected[0], expected[1],
                           expected[2]);
    }
    return ZT_OK;
}

static zt_result subtract(arena *keep, float *dense, const void *base, const void *target,
                          uint32_t vertices, size_t width, morph_part *out, zt_error *err)
{
    const float *from = base, *to = target;
    memset(dense, 0, pad16(vertices) * width * sizeof *dense);
    for (size_t i = 0; i < vertices * width; i++)
        dense[i] = to[i] - from[i];
    return morph_part_build(keep, dense, vertices, width, out, err);
}

/// True when all vertices have these floats: the file gives no coordinates, or no tangents.
static bool all_alike(const vertex_attributes *v, uint32_t count, const size_t *floats, size_t n)
{
    for (uint32_t i = 1; i < count; i++)
        for (size_t k = 0; k < n; k++)
            if ((&v[i].nx)[floats[k]] != (&v[0].nx)[floats[k]])
                return false;
    return true;
}

/// Attributes without a target stay those of the base. `out` has room for both meshes' vertices.
static const vertex_attributes *
complete_attributes(const model_mesh *base, const model_mesh *target, vertex_attributes *out)
{
    static const size_t uv[] = {3, 7}, tangent[] = {4, 5, 6};
    const uint32_t count = base->vertex_count;
    const bool no_uv = all_alike(target->attributes, count, uv, 2);
    const bool no_tangent = all_alike(target->attributes, count, tangent, 3);
    for (uint32_t i = 0; i < count; i++) {
        float *to = &out[i].nx;
        const float *from = &base->attributes[i].nx;
        out[i] = target->attributes[i];
        if (no_uv)
            for (size_t k = 0; k < 2; k++)
                to[uv[k]] = from[uv[k]];
        if (no_tangent)
            for (size_t k = 0; k < 3; k++)
                to[tangent[k]] = from[tangent[k]];
    }
    return out;
}

zt_result morph_between(const zt_model *base, const zt_model *target, arena *keep, arena *scratch,
                        morph_target *out, zt_error *err)
{
    uint32_t largest = 0;
    if (base->mesh_count != target->mesh_count)
        return zt_fail(err, ZT_ERR_FORMAT, "there are %u meshes (expected %u)", target->mesh_count,
                       base->mesh_count);
    for (uint32_t i = 0; i < base->mesh_count; i++) {
        ZT_TRY(compare_meshes(&base->meshes[i], &target->meshes[i], i, err));
        largest = base->meshes[i].vertex_count > largest ? base->meshes[i].vertex_count : largest;
    }
    enum { WIDEST = sizeof(vertex_attributes) / sizeof(float) };
    float *dense = arena_alloc_raw(scratch, pad16(largest), WIDEST * sizeof *dense);
    vertex_attributes *complete = ARENA_ARRAY_RAW(scratch, vertex_attributes, largest);
    if (!dense || !complete)
        return arena_fail(scratch, err, "morph targets");
    for (uint32_t i = 0; i < base->mesh_count; i++) {
        const model_mesh *a = &base->meshes[i], *b = &target->meshes[i];
        const uint32_t n = a->vertex_count;
        ZT_TRY(subtract(keep, dense, a->position, b->position, n, 4, &out[i].position, err));
        const vertex_attributes *to = complete_attributes(a, b, complete);
        ZT_TRY(subtract(keep, dense, a->attributes, to, n, 8, &out[i].attributes, err));
        if (a->extra && b->extra)
            ZT_TRY(subtract(keep, dense, a->extra, b->extra, n, 8, &out[i].extra, err));
    }
    return ZT_OK;
}
