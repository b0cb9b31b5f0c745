// SPDX-License-Identifier: MIT
/// Properties of triangles -> colours and texture coordinates at corners; meshes of objects.
#include "mesh/far_points.h"
#include "mesh/mesh_build.h"
#include "mesh/polygon_mesh.h"
#include "model/single_mesh.h"
#include "threemf/threemf_parts.h"

#include <math.h>
#include <string.h>

enum { GROUP_STEPS = 16 }; ///< of one property of a triangle

/// A corner's colour and coordinates.
typedef struct corner_value {
    float color[4];
    float uv[2];
    int32_t texture; ///< of the package; -1: none
    uint32_t finish; ///< 0: none
} corner_value;

/// The numbers of an entry; NULL: there is none.
static const float *entry_of(const threemf_group *g, uint32_t index)
{
    return g->width > 0 && index < g->number_count / g->width ? g->number + (size_t)index * g->width
                                                              : NULL;
}

/// Mixtures are the mean of their base materials by shares: the group becomes one of colours.
static zt_result mix(const threemf_package *p, threemf_group *g, zt_error *err)
{
    const threemf_group *bases = threemf_find_group(p, (threemf_key){g->key.part, g->list_id});
    const uint32_t count = g->width > 0 ? g->number_count / g->width : 0;
    float *mixed;
    ZT_TRY(ARENA_TAKE_RAW(p->scratch, &mixed, 4 * (size_t)count, "colours", err));
    for (uint32_t n = 0; n < count; n++) {
        const float *shares = entry_of(g, n);
        float sum = 0.0f, color[4] = {0.0f};
        for (uint32_t i = 0; bases && i < g->list_count; i++) {
            const float *base = entry_of(bases, g->list[i]);
            if (!base || bases->kind != THREEMF_BASE || !(shares[i] > 0.0f))
                continue;
            sum += shares[i];
            for (int k = 0; k < 4; k++)
                color[k] += shares[i] * base[k];
        }
        for (int k = 0; k < 4; k++)
            mixed[4 * (size_t)n + (size_t)k] = sum > 0.0f ? color[k] / sum : 1.0f;
    }
    g->kind = THREEMF_COLORS;
    g->width = 4;
    g->number = mixed;
    g->number_count = 4 * count;
    g->list_count = 0;
    return ZT_OK;
}

/// The finish of a base material.
static uint32_t finish_of(const threemf_package *p, const threemf_group *g, uint32_t index)
{
    const threemf_group *f = threemf_find_group(p, (threemf_key){g->key.part, g->list_id});
    return f && f->kind == THREEMF_FINISH && entry_of(f, index) ? f->first + index : 0;
}

/// Multiplies a corner by property `index` of a group.
static void add_property(const threemf_package *p, const threemf_group *g, uint32_t index,
                         corner_value *out)
{
    const float *entry = entry_of(g, index);
    if (!entry)
        return;
    if (g->kind == THREEMF_BASE || g->kind == THREEMF_COLORS)
        for (int k = 0; k < 4; k++)
            out->color[k] *= entry[k];
    if (g->kind == THREEMF_BASE && out->finish == 0)
        out->finish = finish_of(p, g, index);
    if (g->kind == THREEMF_COORDS && out->texture < 0) { // of several the first is shown
        out->texture = threemf_find_texture(p, (threemf_key){g->key.part, g->texture});
        out->uv[0] = entry[0];
        out->uv[1] = 1.0f - entry[1];
    }
}

/// The same of a group that may have properties of several others, which have none in turn.
static void add_properties(const threemf_package *p, const threemf_group *g, uint32_t index,
                           corner_value *out)
{
    if (g->kind != THREEMF_MULTI) {
        add_property(p, g, index, out);
        return;
    }
    const float *entry = entry_of(g, index);
    for (uint32_t i = 0; entry && i < g->list_count; i++) {
        const threemf_group *one = threemf_find_group(p, (threemf_key){g->key.part, g->list[i]});
        if (one && entry[i] >= 0.0f)
            add_property(p, one, (uint32_t)entry[i], out);
    }
}

// ---- Materials ----------------------------------------------------------------------------------

/// The bytes of a picture in the package.
static zt_result find_embedded(void *user, const char *name, file_bytes *out, zt_error *err)
{
    const threemf_package *p = user;
    const zip_entry *entry = zip_find(&p->zip, name);
    return entry ? zip_read(&p->zip, entry, out, err) : ZT_OK;
}

/// `texture`: NULL for none.
static zt_result make_pair(file_textures *textures, const threemf_texture *texture,
                           model_material *pair, zt_error *err)
{
    texture_files files = {.name = texture ? texture->path : "", .other = ""};
    if (texture)
        memcpy(files.wrap, texture->wrap, sizeof files.wrap);
    const float white[3] = {1.0f, 1.0f, 1.0f};
    for (int k = 0; k < 2; k++) {
        pair[k] = single_mesh_material(white, true);
        pair[k].name = "";
        pair[k].alpha = k == 1 ? MODEL_BLEND : MODEL_OPAQUE;
        ZT_TRY(
            file_textures_bind(textures, files, MIPMAP_COLOR, "a surface", &pair[k].base_map, err));
    }
    return ZT_OK;
}

/// Numbers the finishes; without them where there would be too many materials.
static void number_finishes(threemf_package *p)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < p->group_count; i++) {
        threemf_group *g = &p->group[i];
        if (g->kind != THREEMF_FINISH)
            continue;
        g->first = (uint32_t)count;
        count += g->number_count / g->width;
    }
    const bool fit = count * (p->texture_count + 1) <= THREEMF_TEXTURES;
    p->finish_count = fit ? (uint32_t)count : 1;
}

static void set_finishes(const threemf_package *p)
{
    const uint32_t each = 2 * (p->texture_count + 1); // materials of a finish
    for (const threemf_group *g = p->group; g < p->group + p->group_count; g++)
        for (uint32_t k = 0; g->kind == THREEMF_FINISH && k < g->number_count / g->width * each;
             k++) {
            const float *entry = entry_of(g, k / each);
            p->materials[g->first * each + k].metallic = entry[0];
            p->materials[g->first * each + k].roughness = entry[1];
        }
}

zt_result threemf_make_materials(threemf_package *p, zt_error *err)
{
    file_textures textures;
    for (uint32_t i = 0; i < p->group_count; i++)
        if (p->group[i].kind == THREEMF_COMPOSITE)
            ZT_TRY(mix(p, &p->group[i], err));
    number_finishes(p);
    const uint32_t count = 2 * p->finish_count * (p->texture_count + 1) + 1;
    ZT_TRY(file_textures_init(&textures, p->source, p->keep, &p->report,
                              (size_t)p->texture_count + 1, p->scratch, err));
    textures.embedded = find_embedded;
    textures.embedded_user = p;
    ZT_TRY(ARENA_TAKE(p->keep, &p->materials, count, "materials", err));
    for (uint32_t i = 0; i < count / 2; i++) {
        const uint32_t texture = i % (p->texture_count + 1);
        ZT_TRY(make_pair(&textures, texture ? &p->texture[texture - 1] : NULL, &p->materials[2 * i],
                         err));
    }
    if (p->finish_count > 1)
        set_finishes(p);
    p->materials[count - 1] = single_mesh_no_material(false);
    for (uint32_t i = 0; i < count; i++)
        p->materials[i].number = i;
    p->model->materials = p->materials;
    p->model->material_count = count;
    return file_textures_keep(&textures, p->model, err);
}

// ---- Meshes -------------------------------------------------------------------------------------

typedef struct mesh_arrays {
    uint32_t *corner, *first, *material;
    float *uv, *color;
    uint32_t count; ///< of triangles
    vertex_position *point;
} mesh_arrays;

static bool has_vertices(const threemf_object *o, const threemf_triangle *t)
{
    return t->vertex[0] < o->vertex_count && t->vertex[1] < o->vertex_count &&
           t->vertex[2] < o->vertex_count;
}

static bool is_finite(const mesh_arrays *m, const threemf_triangle *t)
{
    return !isnan(m->point[t->vertex[0]].x) && !isnan(m->point[t->vertex[1]].x) &&
           !isnan(m->point[t->vertex[2]].x);
}

/// The properties of a triangle, or NULL.
static const threemf_group *group_of(const threemf_package *p, const threemf_object *o,
                                     const threemf_triangle *t)
{
    const uint32_t group = t->group ? t->group : o->group;
    return group ? threemf_find_group(p, (threemf_key){o->key.part, group - 1}) : NULL;
}

/// The material and the corners of a triangle.
static void add_triangle(const threemf_package *p, const threemf_object *o,
                         const threemf_triangle *t, const threemf_group *g, mesh_arrays *m)
{
    int32_t texture = THREEMF_NONE;
    uint32_t finish = 0;
    bool clear = false;
    for (uint32_t k = 0; k < 3; k++) {
        corner_value v = {.color = {1.0f, 1.0f, 1.0f, 1.0f}, .texture = THREEMF_NONE};
        const uint32_t own = t->property[k];
        const size_t c = 3 * (size_t)m->count + k;
        if (g)
            add_properties(p, g, own != UINT32_MAX ? own : o->property, &v);
        m->corner[c] = t->vertex[k];
        memcpy(m->color + 4 * c, v.color, sizeof v.color);
        memcpy(m->uv + 2 * c, v.uv, sizeof v.uv);
        texture = texture < 0 ? v.texture : texture;
        finish = finish == 0 ? v.finish : finish;
        clear = clear || v.color[3] < 1.0f;
    }
    const uint32_t pair =
        (finish < p->finish_count ? finish : 0) * (p->texture_count + 1) + (uint32_t)(texture + 1);
    m->material[m->count] = !g ? p->model->material_count - 1 : 2 * pair + clear;
    m->count++;
    m->first[m->count] = 3 * m->count;
}

static zt_result fill(threemf_package *p, const threemf_object *o, arena *work, mesh_arrays *m,
                      zt_error *err)
{
    const size_t n = o->triangle_count;
    ZT_TRY(ARENA_TAKE_RAW(work, &m->corner, 3 * n, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &m->first, n + 1, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &m->material, n, "triangles", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &m->color, 12 * n, "colours", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &m->uv, 6 * n, "texture coordinates", err));
    ZT_TRY(ARENA_TAKE_RAW(work, &m->point, o->vertex_count, "vertices", err));
    far_points_load((const double *)o->vertex, o->vertex_count, m->point,
                    p->source->at_origin ? &p->middle : NULL);
    m->first[0] = 0;
    int32_t left_out = 0; // ranges that the triangle is in
    for (uint32_t i = 0; i < o->triangle_count; i++) {
        left_out += o->left_out ? o->left_out[i] : 0;
        const threemf_group *g = group_of(p, o, &o->triangle[i]);
        ZT_TRY(arena_work(work, GROUP_STEPS * (1 + (g ? (uint64_t)g->list_count : 0)), "triangles",
                          err));
        if (left_out > 0)
            continue;
        if (!has_vertices(o, &o->triangle[i]))
            return zt_fail(err, ZT_ERR_FORMAT,
                           "%s:%.100s: triangle %u of object %u has a corner that is no vertex "
                           "(expected numbers below %u)",
                           p->source->path, p->part[o->key.part], i, o->key.id, o->vertex_count);
        if (is_finite(m, &o->triangle[i]))
            add_triangle(p, o, &o->triangle[i], g, m);
        else
            p->lost_triangles++;
    }
    return ZT_OK;
}

static zt_result build(threemf_package *p, threemf_object *o, arena *work, model_mesh *meshes,
                       zt_error *err)
{
    mesh_arrays m = {0};
    mesh_source source;
    ZT_TRY(fill(p, o, work, &m, err));
    const polygon_mesh polygons = {.name = o->name,
                                   .point_count = o->vertex_count,
                                   .point = m.point,
                                   .middle = p->middle,
                                   .corner_count = 3 * m.count,
                                   .corner = m.corner,
                                   .polygon_count = m.count,
                                   .first = m.first,
                                   .material = m.material,
                                   .uv = p->texture_count > 0 ? m.uv : NULL,
                                   .color = p->group_count > 0 ? m.color : NULL};
    ZT_TRY(polygon_mesh_build(p->source->pool, work, &polygons, &source, err));
    if (source.triangle_count == 0)
        return ZT_OK;
    ZT_TRY(ARENA_TEXT(p->keep, &source.name, o->name, "a name", err));
    model_mesh *mesh = &meshes[p->model->mesh_count];
    ZT_TRY(mesh_build(p->source->pool, p->keep, work, &source, mesh, err));
    p->model->triangle_count += mesh->triangle_count;
    p->model->vertex_count += mesh->vertex_count;
    o->mesh = (int32_t)p->model->mesh_count++;
    return p->model->triangle_count <= MODEL_TRIANGLE_LIMIT
               ? ZT_OK
               : zt_fail(err, ZT_ERR_LIMIT, "%s: more than %u triangles", p->source->path,
                         MODEL_TRIANGLE_LIMIT);
}

zt_result threemf_make_mesh(threemf_package *p, threemf_object *object, model_mesh *meshes,
                            zt_error *err)
{
    arena work;
    if (object->built || object->triangle_count == 0)
        return ZT_OK;
    object->built = true;
    arena_init(&work, p->scratch->budget);
    const zt_result result = build(p, object, &work, meshes, err);
    arena_finish(&work);
    return result;
}
