// SPDX-License-Identifier: MIT
#include "mesh/polygon_mesh.h"

#include "base/hash.h"
#include "mesh/polygon.h"
#include "mesh/smooth_normals.h"

#include <string.h>

typedef struct builder {
    const polygon_mesh *from;
    arena *a;
    uint32_t count;            ///< of triangles
    uint32_t *corner;          ///< [3 * count] of from->corner, later vertices
    uint32_t *material, *part; ///< [count]
    uint32_t *vertex_corner;   ///< [vertex_count] a corner that has the values of each
    uint32_t vertex_count;
} builder;

static uint32_t corners_of(const polygon_mesh *from, uint32_t polygon)
{
    return from->first[polygon + 1] - from->first[polygon];
}

static zt_result add_polygon(builder *b, uint32_t polygon, zt_error *err)
{
    const polygon_mesh *from = b->from;
    const uint32_t first = from->first[polygon], count = corners_of(from, polygon);
    uint32_t *out = b->corner + 3 * (size_t)b->count;
    ZT_TRY(polygon_cut(b->a, from->point, from->corner + first, count, out, err));
    for (uint32_t i = 0; i < 3 * (count - 2); i++)
        out[i] += first;
    for (uint32_t i = 0; i < count - 2; i++) {
        b->material[b->count + i] = from->material ? from->material[polygon] : 0;
        b->part[b->count + i] = from->part ? from->part[polygon] : 0;
    }
    b->count += count - 2;
    return ZT_OK;
}

static zt_result cut_polygons(builder *b, zt_error *err)
{
    const polygon_mesh *from = b->from;
    uint64_t count = 0;
    for (uint32_t i = 0; i < from->polygon_count; i++) {
        const uint32_t corners = corners_of(from, i);
        count += corners > 2 ? corners - 2 : 0;
    }
    if (count > (uint64_t)b->a->budget->limits->triangles)
        return zt_fail(err, ZT_ERR_LIMIT, "more than %d triangles",
                       (int)b->a->budget->limits->triangles);
    ZT_TRY(ARENA_TAKE_RAW(b->a, &b->corner, 3 * count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(b->a, &b->material, count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(b->a, &b->part, count, "triangles", err));
    for (uint32_t i = 0; i < from->polygon_count; i++) {
        const uint32_t corners = corners_of(from, i);
        ZT_TRY(arena_go_on_at(b->a, corners > 64 ? 0 : i, "triangles", err));
        if (corners > 2)
            ZT_TRY(add_polygon(b, i, err));
    }
    return ZT_OK;
}

static uint64_t corner_hash(const polygon_mesh *m, uint32_t c)
{
    uint64_t hash = hash_number(0, m->corner[c]);
    if (m->uv)
        hash = hash_floats(hash, m->uv + 2 * (size_t)c, 2);
    if (m->normal)
        hash = hash_floats(hash, m->normal + 3 * (size_t)c, 3);
    return hash;
}

/// `values`: `width` for each corner, or NULL.
static bool is_same(const float *values, size_t width, uint32_t a, uint32_t b)
{
    return !values || memcmp(values + a * width, values + b * width, width * sizeof *values) == 0;
}

static bool is_same_corner(const polygon_mesh *m, uint32_t a, uint32_t b)
{
    return m->corner[a] == m->corner[b] && is_same(m->normal, 3, a, b) && is_same(m->uv, 2, a, b) &&
           is_same(m->uv1, 2, a, b) && is_same(m->color, 4, a, b);
}

static zt_result find_vertices(builder *b, zt_error *err)
{
    const size_t corners = 3 * (size_t)b->count;
    const size_t limit = corners < b->from->corner_count ? corners : b->from->corner_count;
    hash_table table;
    ZT_TRY(ARENA_TAKE_RAW(b->a, &b->vertex_corner, limit, "vertices", err));
    if (!hash_table_init(&table, b->a, limit))
        return arena_fail(b->a, err, "vertices");
    for (size_t i = 0; i < corners; i++) {
        const uint32_t c = b->corner[i];
        ZT_TRY(arena_go_on_at(b->a, i, "vertices", err));
        uint32_t *slot = hash_table_first(&table, corner_hash(b->from, c));
        while (*slot != 0 && !is_same_corner(b->from, b->vertex_corner[*slot - 1], c))
            slot = hash_table_next(&table, slot);
        if (*slot == 0) {
            b->vertex_corner[b->vertex_count++] = c;
            *slot = b->vertex_count;
        }
        b->corner[i] = *slot - 1;
    }
    return ZT_OK;
}

static zt_result take_arrays(const builder *b, mesh_source *out, zt_error *err)
{
    const polygon_mesh *from = b->from;
    const size_t n = b->vertex_count;
    ZT_TRY(ARENA_TAKE_RAW(b->a, &out->position, n, "vertices", err));
    ZT_TRY(ARENA_TAKE(b->a, &out->attributes, n, "vertices", err));
    ZT_TRY(ARENA_TAKE_RAW(b->a, &out->origin, n, "vertices", err));
    if (from->uv1 || from->color)
        ZT_TRY(ARENA_TAKE(b->a, &out->extra, n, "vertices", err));
    if (from->joints) {
        ZT_TRY(ARENA_TAKE_RAW(b->a, &out->joints, n, "vertices", err));
        ZT_TRY(ARENA_TAKE_RAW(b->a, &out->weights, n, "vertices", err));
    }
    if (from->joints_more) {
        ZT_TRY(ARENA_TAKE_RAW(b->a, &out->joints_more, n, "vertices", err));
        ZT_TRY(ARENA_TAKE_RAW(b->a, &out->weights_more, n, "vertices", err));
    }
    return ZT_OK;
}

static void set_vertex(const polygon_mesh *from, uint32_t c, uint32_t v, const mesh_source *out)
{
    const uint32_t point = from->corner[c];
    vertex_attributes *a = &out->attributes[v];
    out->position[v] = from->point[point];
    out->origin[v] = point;
    if (from->normal) {
        const float *n = from->normal + 3 * (size_t)c;
        a->nx = n[0];
        a->ny = n[1];
        a->nz = n[2];
    }
    if (from->uv) {
        a->u = from->uv[2 * (size_t)c];
        a->v = from->uv[2 * (size_t)c + 1];
    }
    if (out->extra) {
        const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
        memcpy(&out->extra[v].r, from->color ? from->color + 4 * (size_t)c : white, sizeof white);
        if (from->uv1)
            memcpy(&out->extra[v].u1, from->uv1 + 2 * (size_t)c, 2 * sizeof(float));
    }
    if (from->joints) {
        out->joints[v] = from->joints[point];
        out->weights[v] = from->weights[point];
    }
    if (from->joints_more) {
        out->joints_more[v] = from->joints_more[point];
        out->weights_more[v] = from->weights_more[point];
    }
}

/// Vertices whose normal is 0 get that of their last triangle.
static void complete_normals(const mesh_source *mesh)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; i++) {
        vertex_attributes *a = &mesh->attributes[mesh->corner[i]];
        if (a->nx != 0.0f || a->ny != 0.0f || a->nz != 0.0f)
            continue;
        const uint32_t *c = mesh->corner + i / 3 * 3;
        const vertex_position p[3] = {mesh->position[c[0]], mesh->position[c[1]],
                                      mesh->position[c[2]]};
        float n[3];
        mesh_flat_normal(p, n);
        a->nx = n[0];
        a->ny = n[1];
        a->nz = n[2];
    }
}

zt_result polygon_mesh_build(job_pool *pool, arena *a, const polygon_mesh *from, mesh_source *out,
                             zt_error *err)
{
    builder b = {.from = from, .a = a};
    ZT_TRY(cut_polygons(&b, err));
    ZT_TRY(find_vertices(&b, err));
    *out = (mesh_source){.name = from->name,
                         .middle = from->middle,
                         .vertex_count = b.vertex_count,
                         .triangle_count = b.count,
                         .corner = b.corner,
                         .material = b.material};
    ZT_TRY(take_arrays(&b, out, err));
    for (uint32_t v = 0; v < b.vertex_count; v++) {
        ZT_TRY(arena_go_on_at(a, v, "vertices", err));
        set_vertex(from, b.vertex_corner[v], v, out);
    }
    if (from->normal) {
        complete_normals(out);
        return ZT_OK;
    }
    uint32_t *point;
    ZT_TRY(ARENA_TAKE_RAW(a, &point, b.vertex_count, "normals", err));
    memcpy(point, out->origin, b.vertex_count * sizeof *point);
    const smooth_rule rule = {.point = point,
                              .point_count = from->point_count,
                              .part = from->part ? b.part : NULL,
                              .parts_alone = from->part != NULL};
    return mesh_smooth_normals(pool, a, out, &rule, err);
}
