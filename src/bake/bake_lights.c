// SPDX-License-Identifier: MIT
/// The `lights` of a scene as nodes that shine along -Z. Lamps of models stay with them.
#include "bake/bake.h"
#include "base/maths.h"
#include "pose/pose.h"

#include <stdio.h>
#include <string.h>

enum { LIGHT_POINTS = 2 };

/// A light at all samples.
typedef struct light_samples {
    trs *local;
    float *color;     ///< [sample][3], at most 1: the rest is in the intensity
    float *intensity; ///< [sample]
} light_samples;

/// The rotation of a node whose -Z has a direction.
static quat rotation_towards(dvec3 direction)
{
    if (!dvec3_normalize(&direction, 1e-12))
        direction = (dvec3){0.0, -1.0, 0.0};
    return quat_between((dvec3){0.0, 0.0, -1.0}, direction, (dvec3){0.0, 1.0, 0.0});
}

static zt_result place(bake_job *bake, const scene_light *light, frame_time time, trs *out)
{
    const pose_loops *loops = bake->kernels->pose;
    budget *memory = bake->a->budget;
    double position[3] = {0.0}, direction[3] = {0.0, -1.0, 0.0}, target[3];
    *out = trs_identity();
    if (light->kind != MODEL_LIGHT_DIRECTIONAL)
        ZT_TRY(pose_point(loops, bake->scene, &light->position, time, memory, position, bake->err));
    dvec3_to_floats(dvec3_load(position), out->t);
    if (light->kind == MODEL_LIGHT_POINT)
        return ZT_OK;
    track_evaluate(&light->direction, time.shot_s, direction);
    dvec3 way = dvec3_load(direction);
    if (light->has_target) {
        ZT_TRY(pose_point(loops, bake->scene, &light->target, time, memory, target, bake->err));
        const dvec3 to = dvec3_sub(dvec3_load(target), dvec3_load(position));
        way = dvec3_length(to) > 1e-9 ? to : way;
    }
    quat_to_floats(rotation_towards(way), out->r);
    return ZT_OK;
}

zt_result bake_light_at(bake_job *bake, const scene_light *light, frame_time time, bake_thing *out)
{
    double color[4] = {0.0}, intensity[4] = {0.0};
    track_evaluate(&light->color, time.shot_s, color);
    track_evaluate(&light->intensity, time.shot_s, intensity);
    const double most = maths_max(1.0, maths_max(color[0], maths_max(color[1], color[2])));
    for (size_t k = 0; k < 3; k++)
        out->number[k] = (float)(color[k] / most);
    out->number[3] = (float)(intensity[0] * most);
    out->size = out->reach = bake->size;
    return place(bake, light, time, &out->local);
}

static zt_result sample_light(bake_job *bake, const scene_light *light, light_samples *out)
{
    for (uint32_t s = 0; s < bake->times.count; s++) {
        bake_thing at;
        ZT_TRY(bake_light_at(bake, light, bake->times.time[s], &at));
        memcpy(out->color + 3 * (size_t)s, at.number, 3 * sizeof *at.number);
        out->intensity[s] = at.number[3];
        for (int k = 0; k < 3; k++)
            at.local.t[k] = (float)((double)at.local.t[k] + bake->scene->origin[k]);
        out->local[s] = at.local;
        if (s > 0)
            quatf_keep_side(out->local[s - 1].r, out->local[s].r);
    }
    return ZT_OK;
}

static void describe(bake_job *bake, const scene_light *light, const light_samples *samples,
                     json_value *out)
{
    const model_light first = {.kind = (model_light_kind)light->kind,
                               .color = {samples->color[0], samples->color[1], samples->color[2]},
                               .intensity = samples->intensity[0],
                               .range_m = (float)light->range_m,
                               .inner_rad = (float)(light->inner_deg * MATHS_RAD_FROM_DEG),
                               .outer_rad = (float)(light->outer_deg * MATHS_RAD_FROM_DEG)};
    gltf_put_light(&bake->assembly.builder, &first, out);
}

static zt_result write_numbers(bake_job *bake, int64_t index, const char *key, const float *value,
                               uint32_t width, gltf_clip *clip)
{
    char text[80];
    snprintf(text, sizeof text, "/extensions/KHR_lights_punctual/lights/%lld/%s", (long long)index,
             key);
    const char *pointer = arena_text(bake->a, text, strlen(text));
    return pointer ? bake_write_numbers(bake, value, width, pointer, clip)
                   : arena_fail(bake->a, bake->err, "lights");
}

static zt_result write_light(bake_job *bake, const scene_light *light, json_value *roots,
                             gltf_clip *clip)
{
    json_builder *b = &bake->assembly.builder.package.values;
    arena *a = bake->a;
    const uint32_t count = bake->times.count;
    light_samples samples = {.local = ARENA_ARRAY_RAW(a, trs, count),
                             .color = ARENA_ARRAY_RAW(a, float, 3 * (size_t)count),
                             .intensity = ARENA_ARRAY_RAW(a, float, count)};
    const dvec3 points[LIGHT_POINTS] = {{0.0, 0.0, 0.0}, {0.0, 0.0, -bake->size}};
    const bake_object object = {.name = "light",
                                .local = samples.local,
                                .points = points,
                                .point_count = LIGHT_POINTS,
                                .tolerance = bake->def.error * bake->size};
    json_value *node;
    if (!samples.local || !samples.color || !samples.intensity)
        return arena_fail(a, bake->err, "lights");
    ZT_TRY(sample_light(bake, light, &samples));
    json_value *list = gltf_builder_lights(&bake->assembly.builder);
    gltf_assembly_use(&bake->assembly, "KHR_lights_punctual");
    const int64_t index = json_length(list);
    json_value *entry = json_new(b, JSON_KIND_OBJECT);
    describe(bake, light, &samples, entry);
    json_append(b, list, entry);
    ZT_TRY(bake_write_object(bake, &object, roots, clip, &node));
    json_value *extensions = json_new(b, JSON_KIND_OBJECT);
    gltf_builder_put_index(&bake->assembly.builder, extensions, "KHR_lights_punctual", "light",
                           index);
    json_put(b, node, "extensions", extensions);
    ZT_TRY(write_numbers(bake, index, "color", samples.color, 3, clip));
    return write_numbers(bake, index, "intensity", samples.intensity, 1, clip);
}

zt_result bake_write_lights(bake_job *bake, json_value *roots)
{
    const zt_scene *scene = bake->scene;
    if (scene->own_light_count == 0)
        return ZT_OK;
    gltf_clip clip = bake_begin_clip(bake);
    for (uint32_t i = 0; i < scene->own_light_count; i++)
        ZT_TRY(write_light(bake, &scene->own_lights[i], roots, &clip));
    bake_end_clip(bake, &clip, "lights");
    return ZT_OK;
}
