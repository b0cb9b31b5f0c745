// SPDX-License-Identifier: MIT
/// The share of each node that shows: by the file and its clips, and by the scene.
#include "pose/pose.h"

static bool clips_hide(const scene_instance *instance)
{
    bool moved = false;
    for (uint32_t i = 0; i < instance->model->property_count && !moved; i++)
        moved = instance->model->properties[i].owner == MODEL_OWNER_NODE;
    return moved && pose_animates_properties(instance);
}

bool pose_clips_show(const zt_model *model, const model_property_value *values, int32_t node)
{
    for (int32_t n = node; n >= 0 && model->nodes[n].in_scene; n = model->nodes[n].parent) {
        model_node own = model->nodes[n];
        if (values)
            model_properties_set(model->properties, model->property_count, values, MODEL_OWNER_NODE,
                                 (uint32_t)n, &own);
        if (own.shown < 0.5f)
            return false;
    }
    return true;
}

/// 1 for a node that the file or the clips show, else 0.
static zt_result own_showing(const scene_instance *instance, frame_time time, arena *a, float *out,
                             zt_error *err)
{
    const zt_model *model = instance->model;
    const model_property_value *values = NULL;
    for (uint32_t n = 0; n < model->node_count; n++)
        out[n] = model->nodes[n].shown;
    if (clips_hide(instance))
        ZT_TRY(pose_properties(instance, time, a, &values, err));
    for (uint32_t i = 0; values && i < model->property_count; i++)
        if (model->properties[i].owner == MODEL_OWNER_NODE)
            out[model->properties[i].index] = values[i][0] >= 0.5f ? 1.0f : 0.0f;
    return ZT_OK;
}

zt_result pose_showing(const scene_instance *instance, frame_time time, arena *a, const float **out,
                       zt_error *err)
{
    const zt_model *model = instance->model;
    const float whole = scene_showing_evaluate(&instance->showing, time.shot_s);
    float *showing;
    *out = NULL;
    if (whole >= 1.0f && instance->node_showing_count == 0 && !clips_hide(instance))
        return ZT_OK;
    ZT_TRY(ARENA_TAKE_RAW(a, &showing, model->node_count, "nodes that show", err));
    ZT_TRY(own_showing(instance, time, a, showing, err));
    for (uint32_t i = 0; i < instance->node_showing_count; i++)
        showing[instance->node_showings[i].node] *=
            scene_showing_evaluate(&instance->node_showings[i].showing, time.shot_s);
    for (uint32_t n = 0; n < model->node_count; n++) {
        const model_node *node = &model->nodes[n];
        const bool below = node->parent >= 0 && model->nodes[node->parent].in_scene;
        if (node->in_scene)
            showing[n] = showing[n] * (below ? showing[node->parent] : whole);
        else
            showing[n] = 0.0f;
    }
    *out = showing;
    return ZT_OK;
}
