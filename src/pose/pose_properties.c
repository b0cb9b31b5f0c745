// SPDX-License-Identifier: MIT
/// Values of the properties that clips move besides nodes: numbers of materials, lights, cameras.
/// They go from what is below to each layer's clip as nodes do (pose_layers.c), but for masks,
/// which are of bones. What a clip does not move is as authored.
#include "pose/pose.h"

#include <string.h>

static const void *owner_of(const zt_model *model, const model_property *p)
{
    switch (p->owner) {
    case MODEL_OWNER_MATERIAL:
        return &model->materials[p->index];
    case MODEL_OWNER_LIGHT:
        return &model->lights[p->index];
    case MODEL_OWNER_CAMERA:
    case MODEL_OWNER_COUNT:
        break;
    }
    return &model->cameras[p->index];
}

static void values_as_authored(const zt_model *model, model_property_value *out)
{
    for (uint32_t i = 0; i < model->property_count; i++) {
        const model_property *p = &model->properties[i];
        memcpy(out[i], (const char *)owner_of(model, p) + p->offset, p->width * sizeof(float));
    }
}

static void sample(const zt_model *model, int32_t clip, float clip_time_s,
                   model_property_value *out)
{
    values_as_authored(model, out);
    for (uint32_t i = 0; clip >= 0 && i < model->clips[clip].moved_count; i++) {
        const model_moved *moved = &model->clips[clip].moved[i];
        pose_sample_channel(&moved->keys, clip_time_s, model->properties[moved->property].width,
                            out[moved->property]);
    }
}

/// A property between its limits; splines may lead anywhere.
static float limited(const model_property *p, float value)
{
    if (!(value >= p->min))
        return p->min;
    return value > p->max ? p->max : value;
}

bool pose_moves_properties(const scene_instance *instance)
{
    for (uint32_t i = 0; i < instance->layer_count; i++) {
        const scene_layer *layer = &instance->layers[i];
        if (layer->clip >= 0 && instance->model->clips[layer->clip].moved_count > 0)
            return true;
    }
    return false;
}

/// One layer over what is below it.
static void blend(const zt_model *model, const pose_shown *shown, model_property_value *below,
                  model_property_value *above, model_property_value *from)
{
    const scene_layer *layer = shown->layer;
    const float weight = shown->weight;
    sample(model, layer->clip, shown->at_s, above);
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

zt_result pose_properties(const zt_scene *scene, const scene_instance *instance, double shot_time_s,
                          arena *a, const model_property_value **out, zt_error *err)
{
    const zt_model *model = instance->model;
    const size_t count = model->property_count;
    *out = NULL;
    if (!pose_moves_properties(instance))
        return ZT_OK;
    model_property_value *values = arena_alloc(a, 3 * count, sizeof *values);
    if (!values)
        return arena_fail(a, err, "animated properties");
    values_as_authored(model, values);
    pose_layer_iterator it = pose_layers_begin(instance, pose_animation_time(scene, shot_time_s));
    pose_shown shown;
    while (pose_layers_next(&it, &shown))
        blend(model, &shown, values, values + count, values + 2 * count);
    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < model->properties[i].width; k++)
            values[i][k] = limited(&model->properties[i], values[i][k]);
    *out = (const model_property_value *)values;
    return ZT_OK;
}
