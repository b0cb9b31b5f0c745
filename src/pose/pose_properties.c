// SPDX-License-Identifier: MIT
/// Values of the properties that clips animate besides nodes: numbers of materials, lights and
/// cameras, and which nodes show. They are blended as nodes are (pose_layers.c), but without masks,
/// which are of bones. A property that a clip does not animate has its value in the file.
#include "pose/pose.h"

#include <string.h>

static const void *owner_of(const zt_model *model, const model_property *p)
{
    switch (p->owner) {
    case MODEL_OWNER_MATERIAL: return &model->materials[p->index];
    case MODEL_OWNER_LIGHT: return &model->lights[p->index];
    case MODEL_OWNER_NODE: return &model->nodes[p->index];
    case MODEL_OWNER_EXPRESSION: return &model->expressions[p->index];
    case MODEL_OWNER_CAMERA:
    case MODEL_OWNER_COUNT: break;
    }
    return &model->cameras[p->index];
}

static void rest_values(const zt_model *model, model_property_value *out)
{
    for (uint32_t i = 0; i < model->property_count; i++) {
        const model_property *p = &model->properties[i];
        memcpy(out[i], (const char *)owner_of(model, p) + p->offset, p->width * sizeof(float));
    }
}

static void sample(const zt_model *model, int32_t clip, float clip_time_s,
                   model_property_value *out)
{
    rest_values(model, out);
    for (uint32_t i = 0; clip >= 0 && i < model->clips[clip].property_channel_count; i++) {
        const model_property_channel *channel = &model->clips[clip].property_channels[i];
        model_sample_channel(&channel->keys, clip_time_s,
                             model->properties[channel->property].width, out[channel->property]);
    }
}

/// Splines may overshoot the limits of a property.
static float clamp_property(const model_property *p, float value)
{
    if (!(value >= p->min))
        return p->min;
    return value > p->max ? p->max : value;
}

bool pose_animates_properties(const scene_instance *instance)
{
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (layer->clip >= 0 && instance->model->clips[layer->clip].property_channel_count > 0)
            return true;
    }
    return false;
}

/// Blends one layer over those below it.
static void blend(const zt_model *model, const pose_active_layer *active,
                  model_property_value *below, model_property_value *above,
                  model_property_value *from)
{
    const scene_layer *layer = active->layer;
    const float weight = active->weight;
    sample(model, layer->clip, active->at_s, above);
    if (layer->mode == SCENE_ADDITIVE)
        sample(model, layer->reference, (float)layer->reference_s, from);
    for (uint32_t i = 0; i < model->property_count; i++)
        for (uint32_t k = 0; k < model->properties[i].width; k++) {
            const float a = above[i][k], b = below[i][k];
            if (layer->mode == SCENE_ADDITIVE)
                below[i][k] = b + (a - from[i][k]) * weight;
            else
                below[i][k] = weight >= 1.0f ? a : b - (b - a) * weight;
        }
}

zt_result pose_properties(const scene_instance *instance, frame_time time, arena *a,
                          const model_property_value **out, zt_error *err)
{
    const zt_model *model = instance->model;
    const size_t count = model->property_count;
    *out = NULL;
    if (!pose_animates_properties(instance))
        return ZT_OK;
    model_property_value *values;
    ZT_TRY(ARENA_TAKE(a, &values, 3 * count, "animated properties", err));
    rest_values(model, values);
    pose_layer_iterator it = pose_layers_begin(instance, time.animation_s);
    pose_active_layer active;
    while (pose_layers_next(&it, &active))
        blend(model, &active, values, values + count, values + 2 * count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < model->properties[i].width; k++)
            values[i][k] = clamp_property(&model->properties[i], values[i][k]);
    *out = (const model_property_value *)values;
    return ZT_OK;
}
