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
           (out->reference = ARENA_ARRAY_RAW(a, pose_block, blocks)) &&
           (out->moments = ARENA_ARRAY_RAW(a, pose_moment, timelines)) &&
           (out->moved = ARENA_ARRAY(a, bool, nodes));
}

static void sample_layer(const kernel_table *kernels, const scene_instance *instance,
                         const scene_layer *layer, double time_s, double sync_cycles,
                         const pose_scratch *scratch, pose_block *out)
{
    const zt_model *model = instance->model;
    double at_s = 0.0;
    if (layer->clip >= 0)
        at_s = pose_wrap_time(layer, &model->clips[layer->clip],
                              pose_layer_way(instance, layer, time_s, sync_cycles));
    pose_sample_blocks(kernels, model, layer->clip, (float)at_s, scratch->moments, out);
    pose_root_hold(layer, out);
}

/// What the difference of an additive layer is taken from.
static void sample_reference(const kernel_table *kernels, const zt_model *model,
                             const scene_layer *layer, const pose_scratch *scratch)
{
    pose_sample_blocks(kernels, model, layer->reference, (float)layer->reference_s,
                       scratch->moments, scratch->reference);
    if (layer->reference == layer->clip)
        pose_root_hold(layer, scratch->reference);
}

/// Of full weight, and over all bones: what lies below is not seen.
static bool covers_all(const scene_layer *layer, double time_s)
{
    return layer->mode == SCENE_OVERRIDE && !layer->mask &&
           (float)pose_layer_weight(layer, time_s) >= 1.0f;
}

void pose_layers(const kernel_table *kernels, const scene_instance *instance, double time_s,
                 const pose_scratch *scratch, pose_block *out)
{
    const zt_model *model = instance->model;
    const double cycles = pose_sync_until(instance, time_s);
    uint32_t first = instance->layer_count;
    while (first > 0 && !covers_all(&instance->layers[first - 1], time_s))
        first--;
    if (first > 0)
        sample_layer(kernels, instance, &instance->layers[first - 1], time_s, cycles, scratch, out);
    else
        pose_sample_blocks(kernels, model, -1, 0.0f, scratch->moments, out);
    for (uint32_t i = first; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        const float weight = (float)pose_layer_weight(layer, time_s);
        if (!(weight > 0.0f))
            continue;
        sample_layer(kernels, instance, layer, time_s, cycles, scratch, scratch->layer);
        if (layer->mode == SCENE_OVERRIDE) {
            pose_blend(kernels, model, out, scratch->layer, weight, layer->mask, out);
            continue;
        }
        sample_reference(kernels, model, layer, scratch);
        pose_add(kernels, model, out, scratch->reference, scratch->layer, weight, layer->mask, out);
    }
}

void pose_instance(const kernel_table *kernels, const zt_scene *scene,
                   const scene_instance *instance, double shot_time_s, const pose_scratch *scratch,
                   const mat4 *const *posed, const mat4 *base, mat4 *world_from_node)
{
    mat4 world_from_model;
    pose_instance_transform(scene, instance, shot_time_s, world_from_model);
    if (base) {
        mat4 own, ridden;
        memcpy(own, world_from_model, sizeof own);
        memcpy(ridden, *base, sizeof ridden);
        glm_mat4_mul(ridden, own, world_from_model);
    }
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
