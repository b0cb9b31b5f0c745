// SPDX-License-Identifier: MIT
/// Blends the layers of an instance in local space, bottom first: each property of a node goes from
/// the layers below to the layer's clip by its weight. A clip gives the rest pose to nodes that it
/// does not animate, so that a layer of full weight shows its clip and nothing else.
#include "pose/pose_ik.h"
#include "pose/root_motion.h"

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
           (out->intervals = ARENA_ARRAY_RAW(a, pose_key_interval, timelines)) &&
           (out->active = ARENA_ARRAY_RAW(a, pose_active_layer,
                                          scene->instance_count > 0 ? SCENE_LAYER_LIMIT : 0)) &&
           (out->changed = ARENA_ARRAY(a, bool, nodes));
}

static void sample_layer(const pose_loops *loops, const zt_model *model,
                         const pose_active_layer *active, const pose_scratch *scratch,
                         pose_block *out)
{
    pose_sample_blocks(loops, model, active->layer->clip, active->at_s, scratch->intervals, out);
    root_motion_remove(active->layer, out);
}

/// The pose that the difference of an additive layer is relative to.
static void sample_reference(const pose_loops *loops, const zt_model *model,
                             const scene_layer *layer, const pose_scratch *scratch)
{
    pose_sample_blocks(loops, model, layer->reference, (float)layer->reference_s,
                       scratch->intervals, scratch->reference);
    if (layer->reference == layer->clip)
        root_motion_remove(layer, scratch->reference);
}

void pose_blend(const pose_loops *loops, const zt_model *model, const pose_block *a,
                const pose_block *b, float weight, const float *mask, pose_block *out)
{
    const pose_blend_job job = {a, b, weight, mask, out, pose_block_count(model)};
    loops->blend(&job);
}

void pose_add(const pose_loops *loops, const zt_model *model, const pose_block *base,
              const pose_block *from, const pose_block *to, float weight, const float *mask,
              pose_block *out)
{
    const pose_add_job job = {base, from, to, weight, mask, out, pose_block_count(model)};
    loops->add(&job);
}

/// Full weight on all nodes: nothing of the layers below is left.
static bool hides_layers_below(const pose_active_layer *active)
{
    return active->layer->mode == SCENE_OVERRIDE && !active->layer->mask && active->weight >= 1.0f;
}

uint32_t pose_active_layers(const scene_instance *instance, double time_s, pose_active_layer *out)
{
    pose_layer_iterator it = pose_layers_begin(instance, time_s);
    pose_active_layer active;
    uint32_t count = 0;
    while (pose_layers_next(&it, &active)) {
        if (hides_layers_below(&active))
            count = 0;
        out[count++] = active;
    }
    return count;
}

/// A weight of 2.5 adds the difference twice, and then half of it.
static void add_layer(const pose_loops *loops, const zt_model *model,
                      const pose_active_layer *active, const pose_scratch *scratch, pose_block *out)
{
    const float *mask = active->layer->mask;
    float left = active->weight;
    sample_reference(loops, model, active->layer, scratch);
    for (; left > 1.0f; left -= 1.0f)
        pose_add(loops, model, out, scratch->reference, scratch->layer, 1.0f, mask, out);
    pose_add(loops, model, out, scratch->reference, scratch->layer, left, mask, out);
}

void pose_layers(const pose_loops *loops, const scene_instance *instance, frame_time time,
                 const pose_scratch *scratch, pose_block *out)
{
    const zt_model *model = instance->model;
    const pose_active_layer *active = scratch->active;
    const uint32_t count = pose_active_layers(instance, time.animation_s, scratch->active);
    const bool hidden = count > 0 && hides_layers_below(&active[0]);
    if (hidden)
        sample_layer(loops, model, &active[0], scratch, out);
    else
        pose_sample_blocks(loops, model, -1, 0.0f, scratch->intervals, out);
    for (uint32_t i = hidden; i < count; i++) {
        const scene_layer *layer = active[i].layer;
        sample_layer(loops, model, &active[i], scratch, scratch->layer);
        if (layer->mode == SCENE_OVERRIDE)
            pose_blend(loops, model, out, scratch->layer, active[i].weight, layer->mask, out);
        else
            add_layer(loops, model, &active[i], scratch, out);
    }
    pose_bone_keys(instance, time.shot_s, out);
}

void pose_world_from_local(const pose_loops *loops, const zt_scene *scene,
                           const scene_instance *instance, frame_time time,
                           const pose_scratch *scratch, const mat4 *const *posed,
                           mat4 world_from_model, pose_block *local, mat4 *world_from_node)
{
    pose_blocks_to_world(loops, instance->model, world_from_model, local, world_from_node);
    pose_solvers(scene, instance, time, scratch, posed, world_from_model, local, world_from_node, 0,
                 instance->ik_count);
}

void pose_solvers(const zt_scene *scene, const scene_instance *instance, frame_time time,
                  const pose_scratch *scratch, const mat4 *const *posed, mat4 world_from_model,
                  pose_block *local, mat4 *world_from_node, uint32_t first, uint32_t count)
{
    if (count == 0)
        return;
    const ik_context context = {.model = instance->model,
                                .instance = (uint32_t)(instance - scene->instances),
                                .time_s = time.shot_s,
                                .world_from_model = (const vec4 *)world_from_model,
                                .posed = posed,
                                .clips = posed + scene->instance_count,
                                .local = local,
                                .world = world_from_node,
                                .changed = scratch->changed};
    pose_ik(&context, instance->ik + first, count);
}

void pose_instance(const pose_loops *loops, const zt_scene *scene, const scene_instance *instance,
                   frame_time time, const pose_scratch *scratch, const mat4 *const *posed,
                   const mat4 *world_from_model, mat4 *world_from_node)
{
    mat4 place;
    if (world_from_model)
        memcpy(place, *world_from_model, sizeof place);
    else
        pose_instance_transform(scene, instance, time, place);
    pose_layers(loops, instance, time, scratch, scratch->local);
    pose_world_from_local(loops, scene, instance, time, scratch, posed, place, scratch->local,
                          world_from_node);
}
