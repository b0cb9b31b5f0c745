// SPDX-License-Identifier: MIT
#include "mesh/far_points.h"
#include "mesh/polygon.h"
#include "mesh/smooth_normals.h"
#include "obj/obj_file.h"

#include <string.h>

typedef struct obj_builder {
    const obj_file *f;
    vertex_position *place; ///< [f->position_count]
    uint32_t count;         ///< of triangles, lines and points
    uint32_t *corner;       ///< [3 * count] of f->corner, later vertices
    uint32_t *material;     ///< [count]
    uint32_t *part;         ///< [count] for normals
    uint8_t *kind;          ///< [count]
    bool has_others;        ///< lines or points
} obj_builder;

static uint32_t pieces_of(const obj_polygon *p)
{
    return p->kind == PRIMITIVE_TRIANGLE ? p->count - 2
           : p->kind == PRIMITIVE_LINE   ? p->count - 1
                                         : p->count;
}

static void add_piece(obj_builder *b, const obj_polygon *p, uint32_t polygon,
                      const uint32_t corner[3])
{
    const uint32_t i = b->count++;
    memcpy(b->corner + 3 * (size_t)i, corner, 3 * sizeof *corner);
    b->material[i] = p->kind == PRIMITIVE_TRIANGLE ? p->material : b->f->material_count;
    b->part[i] = p->smoothing > 0 ? p->smoothing : UINT32_MAX - polygon;
    b->kind[i] = (uint8_t)p->kind;
    b->has_others = b->has_others || p->kind != PRIMITIVE_TRIANGLE;
}

/// `vertex`: room for a number for each corner.
static zt_result add_polygon(obj_builder *b, const obj_polygon *p, uint32_t polygon,
                             uint32_t *vertex, zt_error *err)
{
    uint32_t *out = b->corner + 3 * (size_t)b->count;
    for (uint32_t i = 0; i < p->count; i++)
        vertex[i] = (uint32_t)b->f->corner[p->first + i].position;
    if (p->kind == PRIMITIVE_TRIANGLE)
        ZT_TRY(polygon_cut(b->f->a, b->place, vertex, p->count, out, err));
    for (uint32_t i = 0; i < pieces_of(p); i++) {
        const uint32_t first = p->first;
        const uint32_t triangle[3] = {first + out[3 * i], first + out[3 * i + 1],
                                      first + out[3 * i + 2]};
        const uint32_t line[3] = {first + i, first + i + 1, first + i + 1};
        const uint32_t point[3] = {first + i, first + i, first + i};
        add_piece(b, p, polygon,
                  p->kind == PRIMITIVE_TRIANGLE ? triangle
                  : p->kind == PRIMITIVE_LINE   ? line
                                                : point);
    }
    return ZT_OK;
}

static zt_result cut_polygons(obj_builder *b, zt_error *err)
{
    const obj_file *f = b->f;
    uint64_t count = 0, largest = 1;
    uint32_t *room;
    for (uint32_t i = 0; i < f->polygon_count; i++) {
        count += pieces_of(&f->polygon[i]);
        largest = f->polygon[i].count > largest ? f->polygon[i].count : largest;
    }
    if (count > (uint64_t)f->limits->triangles)
        return zt_fail(err, ZT_ERR_LIMIT, "more than %d triangles", (int)f->limits->triangles);
    ZT_TRY(ARENA_TAKE_RAW(f->a, &b->corner, 3 * count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(f->a, &b->material, count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(f->a, &b->part, count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(f->a, &b->kind, count, "triangles", err));
    ZT_TRY(ARENA_TAKE(f->a, &room, largest, "triangles", err));
    for (uint32_t i = 0; i < f->polygon_count; i++) {
        ZT_TRY(arena_go_on_at(f->a, f->polygon[i].count > 64 ? 0 : i, "triangles", err));
        ZT_TRY(add_polygon(b, &f->polygon[i], i, room, err));
    }
    return ZT_OK;
}

/// Different corners become vertices: b->corner has their numbers then. *out_keys: [*out_count].
static zt_result find_vertices(obj_builder *b, bool with_normals, obj_corner **out_keys,
                               uint32_t *out_count, zt_error *err)
{
    const obj_file *f = b->f;
    const size_t corners = 3 * (size_t)b->count;
    const size_t limit = corners < f->corner_count ? corners : f->corner_count;
    hash_table table;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE_RAW(f->a, out_keys, limit, "vertices", err));
    if (!hash_table_init(&table, f->a, limit))
        return arena_fail(f->a, err, "vertices");
    for (size_t c = 0; c < corners; c++) {
        obj_corner key = f->corner[b->corner[c]];
        if (!with_normals)
            key.normal = -1;
        ZT_TRY(arena_go_on_at(f->a, c, "vertices", err));
        const uint64_t hash =
            hash_number(hash_number(hash_number(0, (uint32_t)key.position), (uint32_t)key.uv),
                        (uint32_t)key.normal);
        uint32_t *slot = hash_table_first(&table, hash);
        while (*slot != 0 && memcmp(&(*out_keys)[*slot - 1], &key, sizeof key) != 0)
            slot = hash_table_next(&table, slot);
        if (*slot == 0) {
            (*out_keys)[count] = key;
            *slot = ++count;
        }
        b->corner[c] = *slot - 1;
    }
    *out_count = count;
    return ZT_OK;
}

static bool has_all_normals(const obj_builder *b)
{
    const obj_file *f = b->f;
    for (size_t c = 0; c < 3 * (size_t)b->count; c++) {
        const int32_t n = f->corner[b->corner[c]].normal;
        if (b->kind[c / 3] == PRIMITIVE_TRIANGLE &&
            (n < 0 ||
             (f->normal[n][0] == 0.0f && f->normal[n][1] == 0.0f && f->normal[n][2] == 0.0f)))
            return false;
    }
    return true;
}

static bool has_some_normals(const obj_builder *b)
{
    for (size_t c = 0; c < 3 * (size_t)b->count; c++)
        if (b->f->corner[b->corner[c]].normal >= 0)
            return true;
    return false;
}

static void set_vertex(const obj_builder *b, const obj_corner *key, uint32_t v, mesh_source *out)
{
    const obj_file *f = b->f;
    vertex_attributes *a = &out->attributes[v];
    out->position[v] = b->place[key->position];
    *a = (vertex_attributes){.nz = 1.0f};
    if (key->uv >= 0) {
        a->u = f->uv[key->uv][0];
        a->v = f->uv[key->uv][1];
    }
    if (key->normal >= 0) {
        a->nx = f->normal[key->normal][0];
        a->ny = f->normal[key->normal][1];
        a->nz = f->normal[key->normal][2];
    }
    if (!out->extra)
        return;
    const float *c = f->color[key->position];
    out->extra[v] = (vertex_extra){.r = (float)srgb_decode((double)c[0]),
                                   .g = (float)srgb_decode((double)c[1]),
                                   .b = (float)srgb_decode((double)c[2]),
                                   .a = c[3]};
}

zt_result obj_build(job_pool *pool, const obj_file *f, bool at_origin, mesh_source *out,
                    bool *out_normals, zt_error *err)
{
    obj_builder b = {.f = f};
    obj_corner *keys = NULL;
    uint32_t *point, count = 0;
    dvec3 middle = {0.0, 0.0, 0.0};
    ZT_TRY(ARENA_TAKE_RAW(f->a, &b.place, f->position_count, "vertices", err));
    far_points_load((const double *)f->position, f->position_count, b.place,
                    at_origin ? &middle : NULL);
    ZT_TRY(cut_polygons(&b, err));
    const bool with_normals = has_all_normals(&b);
    *out_normals = !with_normals && has_some_normals(&b);
    ZT_TRY(find_vertices(&b, with_normals, &keys, &count, err));
    *out = (mesh_source){
        .name = f->name, .middle = middle, .vertex_count = count, .triangle_count = b.count};
    ZT_TRY(ARENA_TAKE_RAW(f->a, &out->position, count, "vertices", err));
    ZT_TRY(ARENA_TAKE_RAW(f->a, &out->attributes, count, "vertices", err));
    ZT_TRY(ARENA_TAKE_RAW(f->a, &point, count, "vertices", err));
    if (f->color)
        ZT_TRY(ARENA_TAKE_RAW(f->a, &out->extra, count, "vertices", err));
    for (uint32_t v = 0; v < count; v++) {
        set_vertex(&b, &keys[v], v, out);
        point[v] = (uint32_t)keys[v].position;
    }
    out->corner = b.corner;
    out->material = b.material;
    out->kind = b.has_others ? b.kind : NULL;
    const smooth_rule rule = {.point = point,
                              .point_count = f->position_count,
                              .part = f->has_smoothing ? b.part : NULL,
                              .parts_alone = f->has_smoothing};
    return with_normals ? ZT_OK : mesh_smooth_normals(pool, f->a, out, &rule, err);
}
