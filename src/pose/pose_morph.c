// SPDX-License-Identifier: MIT
/// Weights of morph targets at a time, and morphed positions for bounds.
///
/// The first that exists gives a weight: the scene's keys, the clips of the layers, the node, the
/// mesh. Expressions add to all but the scene's. Targets from separate files have weight 0 unless
/// the scene gives them another.
#include "pose/pose.h"

#include <string.h>

size_t pose_morph_capacity(const zt_scene *scene)
{
    size_t max = 0;
    for (uint32_t n = 0; n < scene->instance_count; n++) {
        const scene_instance *instance = &scene->instances[n];
        for (uint32_t i = 0; i < instance->model->mesh_count; i++) {
            const size_t count = instance->model->meshes[i].morph_count + instance->target_count;
            max = count > max ? count : max;
        }
    }
    return max;
}

bool pose_morphs_init(size_t count, arena *a, pose_morphs *out)
{
    return (out->weights = ARENA_ARRAY_RAW(a, float, count)) &&
           (out->layer = ARENA_ARRAY_RAW(a, float, count)) &&
           (out->reference = ARENA_ARRAY_RAW(a, float, count)) &&
           (out->uses = ARENA_ARRAY_RAW(a, morph_use, count));
}

static float clamp_weight(float weight)
{
    if (weight > MORPH_WEIGHT_MAX)
        return MORPH_WEIGHT_MAX;
    if (weight < -MORPH_WEIGHT_MAX)
        return -MORPH_WEIGHT_MAX;
    return weight == weight ? weight : 0.0f; // splines with huge tangents may overflow
}

void pose_morph_rest(const zt_model *model, uint32_t node, float *out)
{
    const model_mesh *mesh = &model->meshes[model->nodes[node].mesh];
    const float *own = model->nodes[node].morph_weights;
    for (uint32_t i = 0; i < mesh->morph_count; i++)
        out[i] = own ? own[i] : mesh->morphs[i].weight;
}

void pose_morph_sample(const zt_model *model, uint32_t node, const model_clip *clip,
                       float clip_time_s, float *out)
{
    const uint32_t count = model->meshes[model->nodes[node].mesh].morph_count;
    const uint32_t instancer = model->nodes[node].instanced_by,
                   animated = instancer > 0 ? instancer - 1 : node;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        const model_channel *channel = &clip->channels[i];
        if (channel->path != MODEL_WEIGHTS || channel->node != (int32_t)animated)
            continue;
        model_sample_channel(channel, clip_time_s, count, out);
        for (uint32_t k = 0; k < count; k++)
            out[k] = clamp_weight(out[k]);
    }
}

/// The weights of the rest pose, replaced by those of `clip` (-1: none) where it has any.
static void sample_weights(const zt_model *model, uint32_t node, int32_t clip, float clip_time_s,
                           float *out)
{
    pose_morph_rest(model, node, out);
    if (clip >= 0)
        pose_morph_sample(model, node, &model->clips[clip], clip_time_s, out);
}

/// Blends weights as pose_layers() blends nodes: towards the layer's clip by its weight at the
/// node, or by the difference of an additive layer from its reference.
static void blend_layers(const scene_instance *instance, uint32_t node, frame_time time,
                         const pose_morphs *morphs)
{
    const zt_model *model = instance->model;
    const uint32_t count = model->meshes[model->nodes[node].mesh].morph_count;
    float *below = morphs->weights, *above = morphs->layer, *from = morphs->reference;
    if (count == 0)
        return;
    pose_morph_rest(model, node, below);
    pose_layer_iterator it = pose_layers_begin(instance, time.animation_s);
    pose_active_layer active;
    while (pose_layers_next(&it, &active)) {
        const scene_layer *layer = active.layer;
        const float weight = active.weight * (layer->mask ? layer->mask[node] : 1.0f);
        if (!(weight > 0.0f))
            continue;
        sample_weights(model, node, layer->clip, active.at_s, above);
        if (layer->mode == SCENE_ADDITIVE)
            sample_weights(model, node, layer->reference, (float)layer->reference_s, from);
        for (uint32_t k = 0; k < count; k++) {
            if (layer->mode == SCENE_ADDITIVE)
                below[k] = below[k] + (above[k] - from[k]) * weight;
            else
                below[k] = weight >= 1.0f ? above[k] : below[k] - (below[k] - above[k]) * weight;
        }
    }
    for (uint32_t k = 0; k < count; k++)
        below[k] = clamp_weight(below[k]);
}

uint32_t pose_morphs_evaluate(const scene_instance *instance, uint32_t node, frame_time time,
                              const pose_joints *joints, const pose_morphs *morphs)
{
    const int32_t mesh_index = instance->model->nodes[node].mesh;
    const model_mesh *mesh = &instance->model->meshes[mesh_index];
    const uint32_t own = mesh->morph_count, count = own + instance->target_count;
    float *weights = morphs->weights;
    blend_layers(instance, node, time, morphs);
    for (uint32_t i = own; i < count; i++)
        weights[i] = 0.0f;
    pose_expression_morphs(instance, node, time, joints, weights);
    for (uint32_t i = 0; i < instance->morph_count; i++) {
        const scene_morph_weight *m = &instance->morphs[i];
        double value[4] = {0.0};
        if (m->mesh >= 0 && m->mesh != mesh_index)
            continue;
        track_evaluate(&m->weight, time.shot_s, value);
        if (m->driver.kind != SCENE_DRIVER_NONE)
            value[0] *= pose_driver_share(instance, &m->driver, joints, weights);
        weights[m->mesh >= 0 ? m->target : own + m->target] = (float)value[0];
    }
    uint32_t used = 0;
    for (uint32_t i = 0; i < count; i++)
        if (weights[i] != 0.0f)
            morphs->uses[used++] = (morph_use){
                i < own ? &mesh->morphs[i].target : &instance->targets[i - own].meshes[mesh_index],
                weights[i]};
    return used;
}

void pose_morph_positions(const model_mesh *mesh, const morph_use *uses, uint32_t use_count,
                          vertex_position *out)
{
    enum { WIDTH = sizeof(vertex_position) / sizeof(float), FLOATS = MORPH_GROUP * WIDTH };
    memcpy(out, mesh->position, pad16(mesh->vertex_count) * sizeof *out);
    for (uint32_t i = 0; i < use_count; i++) {
        const morph_part *part = &uses[i].target->position;
        for (size_t g = 0; g < part->group_count; g++) {
            float *to = &out->x + (size_t)part->group[g] * FLOATS;
            const float *delta = part->delta + g * FLOATS;
            for (int k = 0; k < FLOATS; k++)
                to[k] = to[k] + delta[k] * uses[i].weight;
        }
    }
}
