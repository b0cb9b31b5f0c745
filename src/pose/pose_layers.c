// SPDX-License-Identifier: MIT
/// The layers of an instance at a time, bottom first, blended in local space: every property of a
/// node goes from what is below to the layer's clip by the layer's weight. What a clip does not
/// animate is as authored, so that a layer of full weight shows its clip and nothing else.
#include "pose/pose.h"

#include <string.h>

bool pose_scratch_init(const zt_scene *scene, arena *a, pose_scratch *out)
{
    size_t blocks = 0;
    uint32_t timelines = 0;
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const zt_model *model = scene->instances[n].model;
        blocks = pose_block_count(model) > blocks ? pose_block_count(model) : blocks;
        for (uint32_t i = 0; i < model->clip_count; i++)
            if (model->motions[i].timeline_count > timelines)
                timelines = model->motions[i].timeline_count;
    }
    return (out->local = ARENA_ARRAY_RAW(a, pose_block, blocks)) &&
           (out->layer = ARENA_ARRAY_RAW(a, pose_block, blocks)) &&
           (out->moments = ARENA_ARRAY_RAW(a, pose_moment, timelines));
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
                   mat4 *world_from_node)
{
    mat4 world_from_model;
    pose_instance_transform(scene, instance, shot_time_s, world_from_model);
    pose_layers(kernels, instance, pose_animation_time(scene, shot_time_s), scratch,
                scratch->local);
    pose_blocks_to_world(kernels, instance->model, world_from_model, scratch->local,
                         world_from_node);
}
