// SPDX-License-Identifier: MIT
#include "ply/ply_build.h"

#include "base/hash.h"
#include "image/picture.h"
#include "mesh/far_points.h"
#include "mesh/point_weld.h"
#include "mesh/polygon.h"
#include "mesh/smooth_normals.h"

#include <math.h>
#include <string.h>

/// Triangles before vertices are split.
typedef struct triangles {
    uint32_t count;
    uint32_t *vertex;  ///< [3 * count]
    uint32_t *corner;  ///< [3 * count] of ply_mesh.corner
    uint32_t *polygon; ///< [count]
} triangles;

static bool is_finite_vertex(const ply_mesh *m, uint32_t v)
{
    return v < m->vertex_count && !isnan(m->position[v].x);
}

/// True for a polygon that can be shown.
static bool check_polygon(const ply_mesh *m, const uint32_t *corner, uint32_t size,
                          ply_losses *losses)
{
    bool sound = true;
    for (uint32_t i = 0; i < size; i++)
        sound = sound && is_finite_vertex(m, corner[i]);
    losses->thin += size < 3;
    losses->faces += size >= 3 && !sound;
    return sound && size >= 3;
}

static uint64_t count_triangles(const ply_mesh *m)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < m->polygon_count; i++)
        count += m->size[i] >= 3 ? m->size[i] - 2 : 0;
    return count;
}

static zt_result cut_polygons(const ply_mesh *m, triangles *out, ply_losses *losses, zt_error *err)
{
    const uint64_t count = count_triangles(m);
    if (count > (uint64_t)m->limits->triangles)
        return zt_fail(err, ZT_ERR_LIMIT, "more than %d triangles", (int)m->limits->triangles);
    ZT_TRY(ARENA_TAKE_RAW(m->a, &out->vertex, 3 * count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(m->a, &out->corner, 3 * count, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(m->a, &out->polygon, count, "triangles", err));
    for (uint32_t i = 0, first = 0; i < m->polygon_count; first += m->size[i++]) {
        const uint32_t *corner = m->corner ? m->corner + first : NULL; // of faces without corners
        ZT_TRY(arena_go_on_at(m->a, m->size[i] > 64 ? 0 : i, "triangles", err));
        if (!check_polygon(m, corner, m->size[i], losses))
            continue;
        uint32_t *places = out->corner + 3 * (size_t)out->count;
        ZT_TRY(polygon_cut(m->a, m->position, corner, m->size[i], places, err));
        for (uint32_t k = 0; k < 3 * (m->size[i] - 2); k++) {
            out->vertex[3 * (size_t)out->count + k] = corner[places[k]];
            places[k] += first;
        }
        for (uint32_t k = 0; k < m->size[i] - 2; k++)
            out->polygon[out->count++] = i;
    }
    return ZT_OK;
}

/// A vertex as a corner has it.
typedef struct split_key {
    uint32_t vertex, color;
    float uv[2];
} split_key;

static uint64_t hash_key(const split_key *key)
{
    uint32_t words[4];
    uint64_t hash = 0;
    memcpy(words, key, sizeof words);
    for (int i = 0; i < 4; i++)
        hash = hash_number(hash, words[i]);
    return hash;
}

static split_key key_of(const ply_mesh *m, const triangles *t, size_t corner)
{
    split_key key = {.vertex = t->vertex[corner]};
    if (m->color && !m->extra)
        key.color = m->color[t->polygon[corner / 3]];
    if (m->corner_uv)
        memcpy(key.uv, m->corner_uv[t->corner[corner]], sizeof key.uv);
    key.uv[0] += 0.0f; // -0 becomes 0
    key.uv[1] += 0.0f;
    return key;
}

/// Numbers the different vertices of corners, in t->vertex. *out_keys: [*out_count].
static zt_result find_keys(const ply_mesh *m, triangles *t, split_key **out_keys,
                           uint32_t *out_count, zt_error *err)
{
    hash_table table;
    const size_t corners = 3 * (size_t)t->count;
    const size_t limit = corners < m->corner_count ? corners : m->corner_count;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE_RAW(m->a, out_keys, limit, "vertices", err));
    if (!hash_table_init(&table, m->a, limit))
        return arena_fail(m->a, err, "vertices");
    for (size_t c = 0; c < corners; c++) {
        const split_key key = key_of(m, t, c);
        uint32_t *slot = hash_table_first(&table, hash_key(&key));
        ZT_TRY(arena_go_on_at(m->a, c, "vertices", err));
        while (*slot != 0 && memcmp(&(*out_keys)[*slot - 1], &key, sizeof key) != 0)
            slot = hash_table_next(&table, slot);
        if (*slot == 0) {
            (*out_keys)[count] = key;
            *slot = ++count;
        }
        t->vertex[c] = *slot - 1;
    }
    *out_count = count;
    return ZT_OK;
}

static vertex_extra unpack_color(uint32_t color)
{
    return (vertex_extra){.r = (float)srgb_decode((double)(color & 255) / 255.0),
                          .g = (float)srgb_decode((double)(color >> 8 & 255) / 255.0),
                          .b = (float)srgb_decode((double)(color >> 16 & 255) / 255.0),
                          .a = (float)(color >> 24) / 255.0f};
}

static zt_result split_vertices(const ply_mesh *m, triangles *t, mesh_source *out, zt_error *err)
{
    split_key *keys = NULL;
    uint32_t count = 0, *from;
    ZT_TRY(find_keys(m, t, &keys, &count, err));
    ZT_TRY(ARENA_TAKE_RAW(m->a, &from, count, "vertices", err));
    for (uint32_t v = 0; v < count; v++)
        from[v] = keys[v].vertex;
    ZT_TRY(mesh_source_gather(NULL, m->a, out, from, count, err));
    if (m->color && !out->extra) {
        ZT_TRY(ARENA_TAKE_RAW(m->a, &out->extra, count, "vertices", err));
        for (uint32_t v = 0; v < count; v++)
            out->extra[v] = unpack_color(keys[v].color);
    }
    if (m->corner_uv)
        for (uint32_t v = 0; v < count; v++) {
            out->attributes[v].u = keys[v].uv[0];
            out->attributes[v].v = keys[v].uv[1];
        }
    return ZT_OK;
}

/// Makes normals unit. False: one that is used has no length.
static bool use_normals(mesh_source *mesh)
{
    for (size_t c = 0; c < 3 * (size_t)mesh->triangle_count; c++) {
        vertex_attributes *a = &mesh->attributes[mesh->corner[c]];
        const double n[3] = {(double)a->nx, (double)a->ny, (double)a->nz};
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        if (!(length > 1e-30))
            return false;
        a->nx = (float)(n[0] / length);
        a->ny = (float)(n[1] / length);
        a->nz = (float)(n[2] / length);
    }
    return true;
}

static zt_result make_normals(job_pool *pool, arena *a, mesh_source *mesh, zt_error *err)
{
    point_weld points;
    uint32_t *point;
    const point_places places = {.first = (const uint8_t *)mesh->position,
                                 .stride = sizeof *mesh->position,
                                 .record_size = 1,
                                 .record_count = mesh->vertex_count};
    ZT_TRY(ARENA_TAKE_RAW(a, &point, mesh->vertex_count, "normals", err));
    ZT_TRY(point_weld_places(pool, a, &places, point, &points, err));
    const smooth_rule rule = {.point = point, .point_count = points.count};
    return mesh_smooth_normals(pool, a, mesh, &rule, err);
}

/// The colours of faces are shown in place of those of vertices, unless all faces are alike and
/// vertices are not white.
static void choose_colors(ply_mesh *m, ply_losses *losses)
{
    static const float white[4] = {1.0f, 1.0f, 1.0f, 1.0f};
    bool faces_differ = false, faces_colored = false, colored = false;
    for (uint32_t i = 0; i < m->polygon_count; i++) {
        faces_differ = faces_differ || m->color[i] != m->color[0];
        faces_colored = faces_colored || m->color[i] != UINT32_MAX;
    }
    for (uint32_t v = 0; v < m->vertex_count; v++)
        colored = colored || memcmp(&m->extra[v].r, white, sizeof white) != 0;
    losses->colors = !colored || !faces_colored ? NULL : faces_differ ? "faces" : "vertices";
    if (faces_differ || !colored)
        m->extra = NULL;
    else
        m->color = NULL;
}

/// Each vertex that is finite is a point.
static zt_result build_points(const ply_mesh *m, mesh_source *out, ply_losses *losses,
                              zt_error *err)
{
    uint32_t *corner;
    uint8_t *kind;
    if (m->vertex_count > (uint32_t)m->limits->triangles)
        return zt_fail(err, ZT_ERR_LIMIT, "more than %d points", (int)m->limits->triangles);
    ZT_TRY(ARENA_TAKE_RAW(m->a, &corner, 3 * (size_t)m->vertex_count, "points", err));
    ZT_TRY(ARENA_TAKE_RAW(m->a, &kind, m->vertex_count, "points", err));
    memset(kind, PRIMITIVE_POINT, m->vertex_count);
    out->corner = corner;
    out->kind = kind;
    for (uint32_t v = 0; v < m->vertex_count; v++) {
        if (!is_finite_vertex(m, v)) {
            losses->points++;
            continue;
        }
        for (int k = 0; k < 3; k++)
            *corner++ = v;
        out->triangle_count++;
    }
    return ZT_OK;
}

/// Vertices that nothing uses may be anywhere, and are no part of bounds.
static void drop_lost_places(mesh_source *mesh)
{
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        if (isnan(mesh->position[v].x))
            mesh->position[v] = (vertex_position){0.0f, 0.0f, 0.0f, 1.0f};
}

zt_result ply_build(job_pool *pool, bool at_origin, ply_mesh *m, mesh_source *out,
                    ply_losses *losses, zt_error *err)
{
    triangles t = {0};
    dvec3 middle = {0.0, 0.0, 0.0};
    *losses = (ply_losses){0};
    ZT_TRY(ARENA_TAKE_RAW(m->a, &m->position, m->vertex_count, "vertices", err));
    far_points_load((const double *)m->place, m->vertex_count, m->position,
                    at_origin ? &middle : NULL);
    if (m->color && m->extra)
        choose_colors(m, losses);
    *out = (mesh_source){.name = "",
                         .middle = middle,
                         .vertex_count = m->vertex_count,
                         .position = m->position,
                         .attributes = m->attributes,
                         .extra = m->extra};
    if (m->polygon_count > 0) {
        ZT_TRY(cut_polygons(m, &t, losses, err));
        if (m->corner_uv || (m->color && !m->extra))
            ZT_TRY(split_vertices(m, &t, out, err));
        for (uint32_t i = 0; m->texture && i < t.count; i++)
            t.polygon[i] = m->texture[t.polygon[i]];
        out->material = m->texture ? t.polygon : NULL;
        out->corner = t.vertex;
        out->triangle_count = t.count;
        losses->normals = m->has_normals && !use_normals(out);
        if (!m->has_normals || losses->normals)
            ZT_TRY(make_normals(pool, m->a, out, err));
    } else {
        ZT_TRY(build_points(m, out, losses, err));
        m->has_normals = m->has_normals && use_normals(out);
    }
    drop_lost_places(out);
    return ZT_OK;
}
