// SPDX-License-Identifier: MIT
/// Toon materials in a frame: texture coordinates that move with time, and outlines
/// (VRMC_materials_mtoon 1.0, "UV Animation", "Outline"). An outline is the back of a hull around a
/// mesh: a draw of its own, whose vertices are moved along their normals.
#include "base/maths.h"
#include "render/frame_pose.h"

#include <string.h>

/// The texture coordinates at a time from those of the vertices, a row-major 2x3: turned about the
/// middle of the picture, then moved.
static void uv_at(const material_toon *toon, double time_s, float out[6])
{
    double scroll[2], sine, cosine;
    for (int i = 0; i < 2; i++) {
        const double offset = (double)toon->scroll[i] * time_s;
        scroll[i] = offset - (double)(int64_t)maths_clamp(offset, -1e15, 1e15); // pictures repeat
    }
    maths_sincos_deg((double)toon->spin * time_s * MATHS_DEG_FROM_RAD, &sine, &cosine);
    const double m[6] = {cosine, sine,   (0.5 - 0.5 * (cosine + sine)) + scroll[0],
                         -sine,  cosine, (0.5 - 0.5 * (cosine - sine)) + scroll[1]};
    for (int i = 0; i < 6; i++)
        out[i] = (float)m[i];
}

/// Moves the coordinates of a map, before its own transform.
static void move_map(const float uv[6], surface_map *map)
{
    static const float identity[6] = {1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f};
    const float *own = map->transformed ? map->uv_from_uv : identity;
    float moved[6];
    for (int row = 0; row < 6; row += 3) {
        for (int k = 0; k < 3; k++)
            moved[row + k] = own[row] * uv[k] + own[row + 1] * uv[3 + k];
        moved[row + 2] += own[row + 2];
    }
    memcpy(map->uv_from_uv, moved, sizeof moved);
    map->transformed = true;
}

static bool moves_uv(const shade_material *m)
{
    if (!m->lobes || !m->lobes->has.toon)
        return false;
    const material_toon *toon = &m->lobes->values.toon;
    return toon->scroll[0] != 0.0f || toon->scroll[1] != 0.0f || toon->spin != 0.0f;
}

zt_result frame_move_uv(shade_material *materials, uint32_t count, double time_s, arena *a,
                        zt_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        shade_material *m = &materials[i];
        shade_lobes *lobes;
        if (!moves_uv(m))
            continue;
        ZT_TRY(ARENA_TAKE_RAW(a, &lobes, 1, "materials of a frame", err));
        *lobes = *m->lobes;
        m->lobes = lobes;
        uv_at(&lobes->values.toon, time_s, lobes->uv_from_uv);
        if (lobes->map[MODEL_UV_ANIMATION_MAP].texture) { // some points move, others stay
            lobes->uv_moves = true;
            m->packed = NULL;
            m->packed_maps = 0;
            continue;
        }
        for (int k = 0; k < SHADE_MAP_COUNT; k++)
            move_map(lobes->uv_from_uv, &m->map[k]);
        for (int k = MODEL_SHADE_MULTIPLY_MAP; k < MATERIAL_EXTENSION_MAP_COUNT; k++)
            if (k != MODEL_MATCAP_MAP)
                move_map(lobes->uv_from_uv, &lobes->map[k]);
    }
    return ZT_OK;
}

/// True when a material has outlines, of whatever width.
static bool has_outline(const model_material *m)
{
    return m->extensions.present >> MODEL_TOON & 1u &&
           m->extensions.toon.outline != MODEL_OUTLINE_NONE && !m->unlit;
}

bool frame_has_outline(const zt_scene *scene, const zt_model *model, const model_mesh *mesh)
{
    bool any = mesh->meshlet_count < model->material_count;
    for (uint32_t i = 0; i < model->material_count && !any; i++)
        any = has_outline(&model->materials[i]);
    if (!any || (scene->look != SCENE_LOOK_LIT && scene->look != SCENE_LOOK_SKELETON))
        return false;
    for (uint32_t i = 0; i < mesh->meshlet_count; i++)
        if (has_outline(&model->materials[mesh->meshlets[i].material]))
            return true;
    return false;
}

zt_result frame_outline_begin(geometry_draw *draw, arena *a, zt_error *err)
{
    return ARENA_TAKE(a, &draw->outline, 1, "outlines of a frame", err);
}

zt_result frame_outline_materials(shade_material *materials, uint32_t count, arena *a,
                                  zt_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        shade_material *m = &materials[i];
        if (!m->lobes || m->lobes->values.toon.outline == MODEL_OUTLINE_NONE) {
            *m = (shade_material){.blended = true}; // shows nothing
            continue;
        }
        shade_lobes *lobes;
        ZT_TRY(ARENA_TAKE_RAW(a, &lobes, 1, "outlines of a frame", err));
        *lobes = *m->lobes;
        lobes->outline = true;
        m->lobes = lobes;
        m->double_sided = false;
    }
    return ZT_OK;
}

/// The texel column or row of a coordinate that wraps.
static size_t wrapped(float x, int32_t size, uint8_t wrap)
{
    const double at = maths_clamp((double)x * (double)size, -1e15, 1e15);
    const int64_t toward_zero = (int64_t)at, period = wrap == SURFACE_WRAP_MIRROR ? 2 * size : size;
    const int64_t texel = (double)toward_zero > at ? toward_zero - 1 : toward_zero;
    if (wrap == SURFACE_WRAP_CLAMP)
        return texel < 0 ? 0 : (size_t)(texel < size ? texel : size - 1);
    const int64_t in_period = (texel % period + period) % period;
    return (size_t)(in_period < size ? in_period : period - 1 - in_period);
}

/// The share of the width at a vertex: green of the nearest texel.
static float width_share(const surface_map *map, const model_mesh *mesh, uint32_t vertex)
{
    if (!map->texture || map->texture->wide)
        return 1.0f;
    const surface_level *level = &map->texture->level[0];
    float u = mesh->attributes[vertex].u, v = mesh->attributes[vertex].v;
    if (map->uv_set == 1 && mesh->extra) {
        u = mesh->extra[vertex].u1;
        v = mesh->extra[vertex].v1;
    }
    const float *m = map->uv_from_uv;
    const float x = map->transformed ? (m[0] * u + m[1] * v) + m[2] : u;
    const float y = map->transformed ? (m[3] * u + m[4] * v) + m[5] : v;
    const size_t column = wrapped(x, level->width, map->texture->sampling.wrap_u);
    const size_t row = wrapped(y, level->height, map->texture->sampling.wrap_v);
    const uint8_t *texels = level->texels;
    return (float)texels[4 * (row * (size_t)level->stride + column) + 1] * (1.0f / 255.0f);
}

/// The widths of the vertices of a draw's meshlets.
static void meshlet_widths(const geometry_draw *draw, const shade_material *materials, float *out)
{
    for (uint32_t i = 0; i < draw->mesh->meshlet_count; i++) {
        const meshlet *m = &draw->mesh->meshlets[i];
        const shade_lobes *lobes = materials[draw->first_material + m->material].lobes;
        if (!lobes || !lobes->outline)
            continue;
        const material_toon *toon = &lobes->values.toon;
        const float sign = toon->outline == MODEL_OUTLINE_SCREEN ? -1.0f : 1.0f;
        for (uint32_t k = 0; k < m->vertex_count; k++) {
            const uint32_t vertex = draw->mesh->meshlet_vertex[m->vertex_first + k];
            out[vertex] = sign * toon->outline_width *
                          width_share(&lobes->map[MODEL_OUTLINE_WIDTH_MAP], draw->mesh, vertex);
        }
    }
}

zt_result frame_outline_widths(const frame_pose *pose, const shade_material *materials,
                               const view_camera *camera, arena *a, zt_error *err)
{
    for (uint32_t i = 0; i < pose->draw_count; i++) {
        const geometry_draw *draw = &pose->draws[i];
        draw_outline *o = draw->outline;
        float *width;
        if (!o)
            continue;
        ZT_TRY(ARENA_TAKE(a, &width, pad16(draw->mesh->vertex_count), "outlines of a frame", err));
        meshlet_widths(draw, materials, width);
        o->width = width;
        for (int k = 0; k < 3; k++) {
            o->eye[k] = (float)camera->eye[k];
            o->forward[k] = (float)camera->forward[k];
        }
        o->height_at_eye = camera->orthographic ? (float)(2.0 * camera->half_height) : 0.0f;
        o->height_per_metre = camera->orthographic ? 0.0f : (float)(2.0 / camera->focal);
    }
    return ZT_OK;
}
