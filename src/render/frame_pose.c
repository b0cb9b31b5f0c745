// SPDX-License-Identifier: MIT
// Scene + time -> draws, materials, lights, film. The one place where pose/, shade/ and scene/
// meet.
#include "render/frame_pose.h"

#include "pose/pose.h"
#include "shade/light.h"
#include "shade/material.h"

#include <string.h>

_Static_assert(sizeof(skin_matrix) == sizeof(mat4), "palettes are handed on as they are");

static bool node_is_drawn(const model_node *node)
{
    return node->mesh >= 0 && node->visible;
}

/// Palette of a skinned draw, or the one matrix of a rigid one. A draw is mirrored when most of its
/// matrices are: a mirror turns counter-clockwise triangles into clockwise ones.
static zt_result draw_matrices(const zt_model *model, const model_node *node, int32_t node_index,
                               const mat4 *world, arena *a, geometry_draw *out, zt_error *err)
{
    const model_mesh *mesh = &model->meshes[node->mesh];
    out->skinned = node->skin >= 0 && mesh->joints;
    const model_skin *skin = out->skinned ? &model->skins[node->skin] : NULL;
    const uint32_t count = skin ? skin->joint_count : 1;
    mat4 *palette = ARENA_ARRAY_RAW(a, mat4, count);
    mat4 *normals = ARENA_ARRAY_RAW(a, mat4, count);
    if (!palette || !normals)
        return arena_fail(a, err, "palette");
    bool differs;
    if (skin) {
        differs = pose_palette(skin, world, palette, normals);
    } else {
        memcpy(palette[0], world[node_index], sizeof(mat4));
        differs = pose_normal_matrix(palette[0], normals[0]);
    }
    uint32_t mirrors = 0;
    for (uint32_t j = 0; j < count; j++)
        mirrors += maths_det3(palette[j]) < 0.0f;
    out->mirrored = mirrors * 2 > count;
    out->matrix_count = count;
    out->palette = (const skin_matrix *)(const void *)palette;
    out->normals = differs ? (const skin_matrix *)(const void *)normals : out->palette;
    return ZT_OK;
}

/// The palette of a skinned draw as dual quaternions.
static zt_result draw_duals(arena *a, geometry_draw *out, zt_error *err)
{
    const uint32_t count = out->matrix_count;
    skin_dual *duals = ARENA_ARRAY_RAW(a, skin_dual, count);
    mat4 *stretch = ARENA_ARRAY_RAW(a, mat4, count);
    mat4 *normals = ARENA_ARRAY_RAW(a, mat4, count);
    if (!duals || !stretch || !normals)
        return arena_fail(a, err, "palette");
    const bool stretches = pose_dual_palette(out->palette, count, duals, stretch, normals);
    out->duals = duals;
    out->stretch = stretches ? (const skin_matrix *)(const void *)stretch : NULL;
    out->stretch_normals = stretches ? (const skin_matrix *)(const void *)normals : NULL;
    return ZT_OK;
}

/// The morph targets of a draw that have weight.
static zt_result draw_morphs(const zt_scene *scene, const scene_instance *instance, uint32_t node,
                             double shot_time_s, arena *a, geometry_draw *out, zt_error *err)
{
    const size_t count = (size_t)out->mesh->morph_count + instance->target_count;
    pose_morphs morphs;
    if (count == 0)
        return ZT_OK;
    if (!pose_morphs_init(count, a, &morphs))
        return arena_fail(a, err, "morph weights");
    out->morph_count = pose_morphs_find(scene, instance, node, shot_time_s, &morphs);
    out->morphs = morphs.uses;
    return ZT_OK;
}

static zt_result instance_draws(const zt_scene *scene, const scene_instance *instance,
                                double shot_time_s, const mat4 *world, uint32_t first_material,
                                arena *a, frame_pose *pose, zt_error *err)
{
    const zt_model *model = instance->model;
    for (uint32_t n = 0; n < model->node_count; n++) {
        const model_node *node = &model->nodes[n];
        if (!node_is_drawn(node))
            continue;
        geometry_draw *draw = &pose->draws[pose->draw_count++];
        *draw =
            (geometry_draw){.mesh = &model->meshes[node->mesh], .first_material = first_material};
        ZT_TRY(draw_matrices(model, node, (int32_t)n, world, a, draw, err));
        if (draw->skinned && instance->skinning == SCENE_SKIN_DUAL)
            ZT_TRY(draw_duals(a, draw, err));
        ZT_TRY(draw_morphs(scene, instance, n, shot_time_s, a, draw, err));
    }
    return ZT_OK;
}

/// Where each instance's materials begin: models are numbered by first appearance.
static void number_materials(const zt_scene *scene, uint32_t *first, frame_pose *pose)
{
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        uint32_t same = 0;
        while (scene->instances[same].model != scene->instances[i].model)
            same++;
        if (same < i) {
            first[i] = first[same];
            continue;
        }
        first[i] = pose->material_count;
        pose->material_count += scene->instances[i].model->material_count;
    }
    pose->first_material = first;
}

zt_result frame_pose_find(const kernel_table *kernels, const zt_scene *scene, int64_t frame,
                          arena *a, frame_pose *out, zt_error *err)
{
    const double shot_time_s = scene_time_of_frame(scene, frame);
    *out = (frame_pose){0};
    size_t draw_count = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        for (uint32_t n = 0; n < scene->instances[i].model->node_count; n++)
            draw_count += node_is_drawn(&scene->instances[i].model->nodes[n]);
    uint32_t *first_material = ARENA_ARRAY(a, uint32_t, scene->instance_count);
    out->draws = ARENA_ARRAY(a, geometry_draw, draw_count);
    if (!first_material || !out->draws)
        return arena_fail(a, err, "draws of a frame");
    number_materials(scene, first_material, out);
    ZT_TRY(pose_scene(kernels, scene, shot_time_s, a, &out->world_from_node, err));
    for (uint32_t i = 0; i < scene->instance_count; i++)
        ZT_TRY(instance_draws(scene, &scene->instances[i], shot_time_s, out->world_from_node[i],
                              first_material[i], a, out, err));
    return ZT_OK;
}

zt_result frame_materials(const zt_scene *scene, const frame_pose *pose, arena *a,
                          const shade_material **out_materials, uint32_t *out_count, zt_error *err)
{
    shade_material *all = ARENA_ARRAY(a, shade_material, pose->material_count);
    if (!all)
        return arena_fail(a, err, "materials of a frame");
    uint32_t built = 0;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (pose->first_material[i] != built)
            continue; // shares the part of an earlier instance
        const zt_model *model = scene->instances[i].model;
        ZT_TRY(shade_materials_build(model, a, all + built, err));
        built += model->material_count;
    }
    *out_materials = all;
    *out_count = pose->material_count;
    return ZT_OK;
}

static void light_at(const frame_pose *pose, const scene_light *light, double time_s,
                     light_source *out)
{
    double intensity[4] = {0.0};
    *out = (light_source){.kind = light->kind,
                          .range_m = light->range_m,
                          .inner_rad = light->inner_deg * (3.14159265358979323846 / 180.0),
                          .outer_rad = light->outer_deg * (3.14159265358979323846 / 180.0)};
    track_at(&light->color, time_s, out->color);
    track_at(&light->intensity, time_s, intensity);
    out->intensity = intensity[0];
    if (light->node >= 0) {
        const vec4 *world = pose->world_from_node[light->instance][light->node];
        for (int k = 0; k < 3; k++) {
            out->position[k] = (double)world[3][k];
            out->direction[k] = -(double)world[2][k];
        }
        return;
    }
    if (light->kind != MODEL_LIGHT_DIRECTIONAL)
        track_at(&light->position, time_s, out->position);
    if (light->kind != MODEL_LIGHT_POINT)
        track_at(&light->direction, time_s, out->direction);
}

zt_result frame_lights(const zt_scene *scene, const frame_pose *pose, double time_s, arena *a,
                       shade_frame *out, zt_error *err)
{
    shade_light *lights = ARENA_ARRAY(a, shade_light, scene->light_count);
    if (!lights)
        return arena_fail(a, err, "lights of a frame");
    for (uint32_t i = 0; i < scene->light_count; i++) {
        light_source source;
        light_at(pose, &scene->lights[i], time_s, &source);
        shade_light_build(&source, &lights[i]);
    }
    out->lights = lights;
    out->light_count = (int32_t)scene->light_count;
    memcpy(out->sky, scene->ambient.sky, sizeof out->sky);
    memcpy(out->ground, scene->ambient.ground, sizeof out->ground);
    return ZT_OK;
}

void frame_film(const zt_scene *scene, film_settings *out)
{
    *out = (film_settings){.exposure = (float)maths_exp2(scene->exposure_ev),
                           .tone_map = (int32_t)scene->tone_map,
                           .transparent = scene->transparent};
    memcpy(out->background, scene->background, sizeof out->background);
}
