// SPDX-License-Identifier: MIT
/// Blends the layers of an instance in local space, bottom first: each property of a node goes from
/// the layers below to the layer's clip by its weight. A clip gives the rest pose to nodes that it
/// does not animate, so that a layer of full weight shows its clip and nothing else.
#include "pose/pose.h"
#include "pose/root_motion.h"
#include "scene/scene_ik.h"

bool pose_scratch_init(const zt_scene *scene, arena *a, pose_scratch *out)
{
    size_t blocks = 0;
    uint32_t timelines = 0, nodes = 0;
    bool looks = false, driven = false;
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const zt_model *model = scene->instances[n].model;
        for (uint32_t k = 0; k < scene->instances[n].ik_count; k++)
            looks |= scene->instances[n].ik[k].kind == SCENE_IK_PLANT;
        for (uint32_t k = 0; k < scene->instances[n].bone_key_count; k++)
            driven |= scene->instances[n].bone_keys[k].driver.kind == SCENE_DRIVER_MORPH;
        nodes = model->node_count > nodes ? model->node_count : nodes;
        blocks = pose_block_count(model) > blocks ? pose_block_count(model) : blocks;
        for (uint32_t i = 0; i < model->clip_count; i++)
            if (model->motions[i].timeline_count > timelines)
                timelines = model->motions[i].timeline_count;
    }
    *out = (pose_scratch){0};
    if (looks && (!(out->other = ARENA_ARRAY_RAW(a, pose_block, blocks)) ||
                  !(out->other_world = ARENA_ARRAY_RAW(a, mat4, pad16(nodes))) ||
                  !(out->other_place = ARENA_ARRAY_RAW(a, mat4, 1))))
        return false;
    if (driven && !pose_morphs_init(pose_morph_capacity(scene), a, &out->morphs))
        return false;
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
    pose_bone_keys(instance, time, &scratch->morphs, out);
}
