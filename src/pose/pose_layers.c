// SPDX-License-Identifier: MIT
/// The layers of an instance at a time, bottom first, blended in local space: every property of a
/// node goes from what is below to the layer's clip by the layer's weight. What a clip does not
/// animate is as authored, so that a layer of full weight shows its clip and nothing else.
#include "pose/pose_ik.h"

#include <string.h>

bool pose_scratch_init(const zt_scene *scene, arena *a, pose_scratch *out)
{
    size_t blocks = 0;
    uint32_t timelines = 0, nodes = 0;
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const zt_model *model = scene->instances[n].model;
        nodes = model->node_count > nodes ? model->node_count : nodes;
        blocks = pose_block_count(model) > blocks ? pose_block_count(model) : blocks;
        for (uint32_t i = 0; i < model->clip_count; i++)
            if (model->motions[i].timeline_count > timelines)
                timelines = model->motions[i].timeline_count;
    }
    return (out->local = ARENA_ARRAY_RAW(a, pose_block, blocks)) &&
           (out->layer = ARENA_ARRAY_RAW(a, pose_block, blocks)) &&
           (out->moments = ARENA_ARRAY_RAW(a, pose_moment, timelines)) &&
           (out->moved = ARENA_ARRAY(a, bool, nodes));
}

float pose_layer_weight(const scene_layer *layer, double time_s)
{
    double weight = 1.0;
    if (layer->weight.key_count > 0)
        track_at(&layer->weight, time_s, &weight);
    return (float)weight;
}

static void sample_layer(const kernel_table *kernels, const zt_model *model,
                         const scene_layer *layer, double time_s, pose_moment *moments,
                         pose_block *out)
{
    const model_clip *clip = layer->clip >= 0 ? &model->clips[layer->clip] : NULL;
    const double at_s = clip ? pose_clip_time(layer, clip, time_s) : 0.0;
    pose_sample_blocks(kernels, model, layer->clip, (float)at_s, moments, out);
}

void pose_layers(const kernel_table *kernels, const scene_instance *instance, double time_s,
                 const pose_scratch *scratch, pose_block *out)
{
    const zt_model *model = instance->model;
    // What lies below a layer of full weight is not seen.
    uint32_t first = instance->layer_count;
    while (first > 0 && pose_layer_weight(&instance->layers[first - 1], time_s) < 1.0f)
        first--;
    if (first > 0)
        sample_layer(kernels, model, &instance->layers[first - 1], time_s, scratch->moments, out);
    else
        pose_sample_blocks(kernels, model, -1, 0.0f, scratch->moments, out);
    for (uint32_t i = first; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const float weight = pose_layer_weight(layer, time_s);
        if (!(weight > 0.0f))
            continue;
        sample_layer(kernels, model, layer, time_s, scratch->moments, scratch->layer);
        pose_blend(kernels, model, out, scratch->layer, weight, out);
    }
}

void pose_instance(const kernel_table *kernels, const zt_scene *scene,
                   const scene_instance *instance, double shot_time_s, const pose_scratch *scratch,
                   const mat4 *const *posed, mat4 *world_from_node)
{
    mat4 world_from_model;
    pose_instance_transform(scene, instance, shot_time_s, world_from_model);
    pose_layers(kernels, instance, pose_animation_time(scene, shot_time_s), scratch,
                scratch->local);
    pose_blocks_to_world(kernels, instance->model, world_from_model, scratch->local,
                         world_from_node);
    const pose_ik_job job = {.model = instance->model,
                             .instance = (uint32_t)(instance - scene->instances),
                             .time_s = shot_time_s,
                             .world_from_model = (const vec4 *)world_from_model,
                             .posed = posed,
                             .local = scratch->local,
                             .world = world_from_node,
                             .moved = scratch->moved};
    pose_ik(&job, instance->ik, instance->ik_count);
}

zt_result pose_scene(const kernel_table *kernels, const zt_scene *scene, double shot_time_s,
                     arena *a, const mat4 *const **out_world_from_node, zt_error *err)
{
    const mat4 **worlds = ARENA_ARRAY(a, const mat4 *, scene->instance_count);
    pose_scratch scratch;
    if (!worlds || !pose_scratch_init(scene, a, &scratch))
        return arena_fail(a, err, "pose");
    for (uint32_t place = 0; place < scene->instance_count; place++) {
        const uint32_t i = scene_posed_at(scene, place);
        const scene_instance *instance = &scene->instances[i];
        mat4 *world = ARENA_ARRAY_RAW(a, mat4, pad16(instance->model->node_count));
        if (!world)
            return arena_fail(a, err, "pose");
        pose_instance(kernels, scene, instance, shot_time_s, &scratch, worlds, world);
        worlds[i] = (const mat4 *)world;
    }
    *out_world_from_node = worlds;
    return ZT_OK;
}
