// SPDX-License-Identifier: MIT
/// Weights of expressions at a time, and what they do to morph targets and materials. The scene's
/// keys replace weights of clips, a gaze those of the four that look; then binary ones become 0 or
/// 1, and those that others override are reduced (VRMC_vrm 1.0, expressions.md).
#include "pose/ik_solver.h"

#include <string.h>

static bool is_expression(const zt_model *model, const model_property_channel *channel)
{
    return model->properties[channel->property].owner == MODEL_OWNER_EXPRESSION;
}

/// Weights of a clip; those that it does not move are 0.
static void sample(const zt_model *model, int32_t clip, float clip_time_s, float *out)
{
    memset(out, 0, model->expression_count * sizeof *out);
    if (clip < 0)
        return;
    for (uint32_t i = 0; i < model->clips[clip].property_channel_count; i++) {
        const model_property_channel *channel = &model->clips[clip].property_channels[i];
        if (is_expression(model, channel))
            model_sample_channel(&channel->keys, clip_time_s, 1,
                                 &out[model->properties[channel->property].index]);
    }
}

static void blend_layers(const scene_instance *instance, frame_time time, float *out)
{
    const zt_model *model = instance->model;
    float above[MODEL_EXPRESSION_LIMIT], from[MODEL_EXPRESSION_LIMIT];
    pose_layer_iterator it = pose_layers_begin(instance, time.animation_s);
    pose_active_layer active;
    while (pose_layers_next(&it, &active)) {
        const scene_layer *layer = active.layer;
        sample(model, layer->clip, active.at_s, above);
        memset(from, 0, sizeof from);
        if (layer->mode == SCENE_ADDITIVE)
            sample(model, layer->reference, (float)layer->reference_s, from);
        for (uint32_t i = 0; i < model->expression_count; i++)
            out[i] = layer->mode == SCENE_ADDITIVE ? out[i] + (above[i] - from[i]) * active.weight
                                                   : out[i] - (out[i] - above[i]) * active.weight;
    }
}

static void set_named(const zt_model *model, const char *name, double weight, float *out)
{
    for (uint32_t i = 0; i < model->expression_count; i++)
        if (strcmp(model->expressions[i].name, name) == 0)
            out[i] = (float)weight;
}

/// The eyes of a person whose expressions look.
static void look(const scene_instance *instance, frame_time time, const pose_joints *joints,
                 float *out)
{
    const model_gaze *gaze = instance->model->gaze;
    const mat4 unused = GLM_MAT4_IDENTITY_INIT; // targets are in the world
    for (uint32_t i = 0; i < instance->ik_count; i++) {
        const scene_ik *ik = &instance->ik[i];
        double weight = 1.0, yaw_deg, pitch_deg;
        if (ik->kind != SCENE_IK_GAZE)
            continue;
        const ik_context context = {.model = instance->model,
                                    .instance = UINT32_MAX, // all are posed, this one, too
                                    .time_s = time.shot_s,
                                    .world_from_model = unused,
                                    .posed = joints->posed,
                                    .world = (mat4 *)(uintptr_t)joints->world_from_node};
        track_evaluate(&ik->weight, time.shot_s, &weight);
        if (!ik_gaze_angles(&context, ik, &yaw_deg, &pitch_deg))
            continue;
        const double side = weight * gaze_output(&gaze->outer, yaw_deg);
        const double up =
            weight * gaze_output(pitch_deg > 0.0 ? &gaze->up : &gaze->down, pitch_deg);
        set_named(instance->model, "lookLeft", yaw_deg > 0.0 ? side : 0.0, out);
        set_named(instance->model, "lookRight", yaw_deg > 0.0 ? 0.0 : side, out);
        set_named(instance->model, "lookUp", pitch_deg > 0.0 ? up : 0.0, out);
        set_named(instance->model, "lookDown", pitch_deg > 0.0 ? 0.0 : up, out);
    }
}

/// The share that is left of a group that other expressions than `self` override, 0 to 1.
static float left_of_group(const zt_model *model, const float *weight, expression_group group,
                           uint32_t self)
{
    float left = 1.0f;
    for (uint32_t i = 0; i < model->expression_count; i++) {
        const expression_override how =
            i == self ? EXPRESSION_NOT_OVERRIDES : model->expressions[i].overrides[group];
        if (how == EXPRESSION_BLOCKS && weight[i] > 0.0f)
            left = 0.0f;
        if (how == EXPRESSION_BLENDS)
            left = left - weight[i];
    }
    return left > 0.0f ? left : 0.0f;
}

bool pose_shows_expressions(const scene_instance *instance)
{
    const zt_model *model = instance->model;
    bool any = instance->expression_count > 0;
    for (uint32_t i = 0; i < instance->ik_count; i++)
        any |= instance->ik[i].kind == SCENE_IK_GAZE && model->gaze->by_expressions;
    for (uint32_t i = 0; i < instance->layer_count && !any; i++) {
        const int32_t clip = instance->layers[i].clip;
        for (uint32_t k = 0; clip >= 0 && k < model->clips[clip].property_channel_count; k++)
            any |= is_expression(model, &model->clips[clip].property_channels[k]);
    }
    return any && model->expression_count > 0;
}

void pose_expressions(const scene_instance *instance, frame_time time, const pose_joints *joints,
                      float *out)
{
    const zt_model *model = instance->model;
    float group[EXPRESSION_GROUP_COUNT], weight_of[MODEL_EXPRESSION_LIMIT];
    memset(out, 0, MODEL_EXPRESSION_LIMIT * sizeof *out);
    blend_layers(instance, time, out);
    for (uint32_t i = 0; i < instance->expression_count; i++) {
        double weight[4] = {0.0};
        track_evaluate(&instance->expressions[i].weight, time.shot_s, weight);
        out[instance->expressions[i].expression] = (float)weight[0];
    }
    if (model->gaze && model->gaze->by_expressions && joints && joints->posed)
        look(instance, time, joints, out);
    for (uint32_t i = 0; i < model->expression_count; i++) {
        const float limited = out[i] > 0.0f ? (out[i] < 1.0f ? out[i] : 1.0f) : 0.0f;
        out[i] = model->expressions[i].binary ? (limited > 0.5f ? 1.0f : 0.0f) : limited;
    }
    for (int g = 0; g < EXPRESSION_GROUP_COUNT; g++)
        group[g] = left_of_group(model, out, (expression_group)g, UINT32_MAX);
    memcpy(weight_of, out, sizeof weight_of);
    for (uint32_t i = 0; i < model->expression_count; i++) {
        const expression_group own = model->expressions[i].group;
        const float left = model->expressions[i].overrides[own] != EXPRESSION_NOT_OVERRIDES
                               ? left_of_group(model, weight_of, own, i)
                               : group[own];
        out[i] = model->expressions[i].binary && left < 1.0f ? 0.0f : out[i] * left;
    }
}

void pose_expression_morphs(const scene_instance *instance, uint32_t node, frame_time time,
                            const pose_joints *joints, float *weights)
{
    const zt_model *model = instance->model;
    float weight[MODEL_EXPRESSION_LIMIT];
    if (!pose_shows_expressions(instance))
        return;
    pose_expressions(instance, time, joints, weight);
    for (uint32_t i = 0; i < model->expression_count; i++) {
        if (!(weight[i] > 0.0f))
            continue;
        for (uint32_t k = 0; k < model->expressions[i].morph_count; k++) {
            const expression_morph *m = &model->expressions[i].morphs[k];
            if (m->mesh == model->nodes[node].mesh && (m->node < 0 || m->node == (int32_t)node))
                weights[m->target] = weights[m->target] + m->weight * weight[i];
        }
    }
}

void pose_expression_materials(const scene_instance *instance, frame_time time,
                               const pose_joints *joints, model_material *materials)
{
    const zt_model *model = instance->model;
    float weight[MODEL_EXPRESSION_LIMIT];
    pose_expressions(instance, time, joints, weight);
    for (uint32_t i = 0; i < model->expression_count; i++) {
        const model_expression *e = &model->expressions[i];
        if (!(weight[i] > 0.0f))
            continue;
        for (uint32_t k = 0; k < e->change_count; k++) {
            const expression_change *change = &e->changes[k];
            const char *rest = (const char *)&model->materials[change->material] + change->offset;
            char *to = (char *)&materials[change->material] + change->offset;
            for (uint32_t n = 0; n < change->width; n++) {
                const float from = ((const float *)(const void *)rest)[n];
                float *value = (float *)(void *)to + n;
                *value = *value + (change->value[n] - from) * weight[i];
            }
        }
    }
}
