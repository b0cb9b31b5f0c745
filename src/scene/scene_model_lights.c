// SPDX-License-Identifier: MIT
/// Lights that models bring along (KHR_lights_punctual): each visible node that carries one shines
/// in every instance of its model, moved by the node, beside the lights of the scene.
#include "scene/scene_parts.h"

static bool node_shines(const zt_model *model, uint32_t node)
{
    return model->nodes[node].light >= 0 && model->nodes[node].visible;
}

static zt_result place_light(arena *a, const scene_instance *instance, uint32_t index,
                             uint32_t node, scene_light *out, zt_error *err)
{
    const double degrees = 180.0 / 3.14159265358979323846;
    const model_light *from = &instance->model->lights[instance->model->nodes[node].light];
    const double color[3] = {(double)from->color[0], (double)from->color[1],
                             (double)from->color[2]};
    const double intensity = (double)from->intensity, zero[3] = {0.0, 0.0, 0.0};
    *out = (scene_light){.kind = from->kind,
                         .range_m = (double)from->range_m,
                         .inner_deg = (double)from->inner_rad * degrees,
                         .outer_deg = (double)from->outer_rad * degrees,
                         .instance = (int32_t)index,
                         .node = (int32_t)node};
    const bool made = track_constant(a, color, 3, &out->color) &&
                      track_constant(a, &intensity, 1, &out->intensity) &&
                      track_constant(a, zero, 3, &out->position) &&
                      track_constant(a, zero, 3, &out->direction);
    return made ? ZT_OK : arena_fail(a, err, "lights");
}

zt_result scene_add_model_lights(zt_scene *scene, uint32_t first, zt_error *err)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, scene->load.strict};
    uint64_t count = 0;
    for (uint32_t i = first; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        for (uint32_t n = 0; n < model->node_count; n++)
            count += node_shines(model, n);
    }
    if (count == 0)
        return ZT_OK;
    const uint64_t room = SCENE_LIGHT_LIMIT - scene->light_count;
    if (count > room)
        ZT_TRY(message_unsupported(&sink, err,
                                   "%s: the models have %llu lights; the first %llu of them shine "
                                   "(at most %d lights in all)",
                                   scene->path, (unsigned long long)count, (unsigned long long)room,
                                   (int)SCENE_LIGHT_LIMIT));
    count = count < room ? count : room;
    scene_light *lights = ARENA_ARRAY(&scene->arena, scene_light, scene->light_count + count);
    if (!lights)
        return arena_fail(&scene->arena, err, "lights");
    for (uint32_t i = 0; i < scene->light_count; i++)
        lights[i] = scene->lights[i];
    scene->lights = lights;
    for (uint32_t i = first; i < scene->instance_count && count > 0; i++) {
        const scene_instance *instance = &scene->instances[i];
        for (uint32_t n = 0; n < instance->model->node_count && count > 0; n++) {
            if (!node_shines(instance->model, n))
                continue;
            ZT_TRY(place_light(&scene->arena, instance, i, n, &lights[scene->light_count], err));
            scene->light_count++;
            count--;
        }
    }
    return ZT_OK;
}
