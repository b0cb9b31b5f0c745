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
           (out->shown = ARENA_ARRAY_RAW(a, pose_shown,
                                         scene->instance_count > 0 ? SCENE_LAYER_LIMIT : 0)) &&
           (out->moved = ARENA_ARRAY(a, bool, nodes));
}

static void sample_layer(const pose_loops *loops, const zt_model *model, const pose_shown *shown,
                         const pose_scratch *scratch, pose_block *out)
{
    pose_sample_blocks(loops, model, shown->layer->clip, shown->at_s, scratch->moments, out);
    pose_root_hold(shown->layer, out);
}

/// What the difference of an additive layer is taken from.
static void sample_reference(const pose_loops *loops, const zt_model *model,
                             const scene_layer *layer, const pose_scratch *scratch)
{
    pose_sample_blocks(loops, model, layer->reference, (float)layer->reference_s, scratch->moments,
                       scratch->reference);
    if (layer->reference == layer->clip)
        pose_root_hold(layer, scratch->reference);
}

/// Of full weight, and over all bones: what lies below is not seen.
static bool covers_all(const pose_shown *shown)
{
    return shown->layer->mode == SCENE_OVERRIDE && !shown->layer->mask && shown->weight >= 1.0f;
}

uint32_t pose_find_shown(const scene_instance *instance, double time_s, pose_shown *out)
{
    pose_layer_iterator it = pose_layers_begin(instance, time_s);
    pose_shown shown;
    uint32_t count = 0;
    while (pose_layers_next(&it, &shown)) {
        if (covers_all(&shown))
            count = 0;
        out[count++] = shown;
    }
    return count;
}

void pose_layers(const pose_loops *loops, const scene_instance *instance, double time_s,
                 const pose_scratch *scratch, pose_block *out)
{
    const zt_model *model = instance->model;
    const pose_shown *shown = scratch->shown;
    const uint32_t count = pose_find_shown(instance, time_s, scratch->shown);
    const bool covered = count > 0 && covers_all(&shown[0]);
    if (covered)
        sample_layer(loops, model, &shown[0], scratch, out);
    else
        pose_sample_blocks(loops, model, -1, 0.0f, scratch->moments, out);
    for (uint32_t i = covered; i < count; i++) {
        const scene_layer *layer = shown[i].layer;
        sample_layer(loops, model, &shown[i], scratch, scratch->layer);
        if (layer->mode == SCENE_OVERRIDE) {
            pose_blend(loops, model, out, scratch->layer, shown[i].weight, layer->mask, out);
            continue;
        }
        sample_reference(loops, model, layer, scratch);
        pose_add(loops, model, out, scratch->reference, scratch->layer, shown[i].weight,
                 layer->mask, out);
    }
}

void pose_place(const zt_scene *scene, const scene_instance *instance, double shot_time_s,
                const mat4 *base, mat4 world_from_model)
{
    mat4 own, ridden;
    pose_instance_transform(scene, instance, shot_time_s, world_from_model);
    if (!base)
        return;
    memcpy(own, world_from_model, sizeof own);
    memcpy(ridden, *base, sizeof ridden);
    glm_mat4_mul(ridden, own, world_from_model);
}

void pose_from_local(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                     double shot_time_s, const pose_scratch *scratch, const mat4 *const *posed,
                     mat4 world_from_model, pose_block *local, mat4 *world_from_node)
{
    pose_blocks_to_world(loops, instance->model, world_from_model, local, world_from_node);
    const pose_ik_job job = {.model = instance->model,
                             .instance = (uint32_t)(instance - scene->instances),
                             .time_s = shot_time_s,
                             .world_from_model = (const vec4 *)world_from_model,
                             .posed = posed,
                             .local = local,
                             .world = world_from_node,
                             .moved = scratch->moved};
    pose_ik(&job, instance->ik, instance->ik_count);
}

void pose_instance(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                   double shot_time_s, const pose_scratch *scratch, const mat4 *const *posed,
                   const mat4 *base, mat4 *world_from_node)
{
    mat4 world_from_model;
    pose_place(scene, instance, shot_time_s, base, world_from_model);
    pose_layers(loops, instance, pose_animation_time(scene, shot_time_s), scratch, scratch->local);
    pose_from_local(loops, scene, instance, shot_time_s, scratch, posed, world_from_model,
                    scratch->local, world_from_node);
}
