// SPDX-License-Identifier: MIT
/// VRMC_vrm_animation 1.0: clips for persons of other files. Bones are those of gltf_humanoid.c;
/// the weight of an expression is the x of the translation of a node that stands for it.
/// https://github.com/vrm-c/vrm-specification/tree/master/specification/VRMC_vrm_animation-1.0
#include "gltf/gltf_parts.h"

#include <string.h>

/// Visits the expressions of the file: their names and nodes of the model.
typedef zt_result expression_fn(gltf_file *file, const char *name, int32_t node, zt_model *model);

static zt_result visit_expressions(gltf_file *file, const gltf_nodes *nodes, expression_fn *visit,
                                   zt_model *model)
{
    static const char *const sets[] = {"preset", "custom"};
    json_extension animation;
    json_pointer expressions, set, json;
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_vrm_animation", &animation));
    ZT_TRY(gltf_object(file->log, &animation.object, "expressions", &expressions));
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        ZT_TRY(gltf_object(file->log, &expressions, sets[s], &set));
        for (uint32_t i = 0; set.value && i < set.value->count; i++) {
            const char *name = set.value->item[i]->key;
            int32_t node;
            ZT_TRY(gltf_object(file->log, &set, name, &json));
            ZT_TRY(gltf_member_index(file, &json, "node", GLTF_NODES, &node));
            if (node >= 0 && name)
                ZT_TRY(visit(file, name, nodes->node_index[node], model));
        }
    }
    return ZT_OK;
}

static zt_result add_expression(gltf_file *file, const char *name, int32_t node, zt_model *model)
{
    model_expression *list = (model_expression *)(uintptr_t)model->expressions;
    (void)node;
    if (model->expression_count == MODEL_EXPRESSION_LIMIT)
        return gltf_fail(file->log, &file->root, ZT_ERR_LIMIT, "has more than %d expressions",
                         (int)MODEL_EXPRESSION_LIMIT);
    const char *copy;
    ZT_TRY(ARENA_TEXT(file->keep, &copy, name, "expressions", file->log->err));
    list[model->expression_count++] = (model_expression){.name = copy};
    return ZT_OK;
}

zt_result gltf_read_moved_expressions(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    json_extension animation;
    json_pointer look;
    int32_t node;
    model->look_node = -1;
    ZT_TRY(gltf_extension(file->log, &file->root, "VRMC_vrm_animation", &animation));
    model->is_vrm_animation = animation.object.value != NULL;
    if (!model->is_vrm_animation || model->expressions)
        return ZT_OK;
    model_expression *list;
    ZT_TRY(ARENA_TAKE(file->keep, &list, MODEL_EXPRESSION_LIMIT, "expressions", file->log->err));
    model->expressions = list;
    ZT_TRY(gltf_object(file->log, &animation.object, "lookAt", &look));
    ZT_TRY(gltf_member_index(file, &look, "node", GLTF_NODES, &node));
    if (node >= 0)
        model->look_node = nodes->node_index[node];
    return visit_expressions(file, nodes, add_expression, model);
}

/// The x of the keys of a translation.
static const float *first_of_three(arena *keep, const model_channel *c)
{
    const size_t count = (size_t)c->key_count * (c->interpolation == MODEL_CUBIC ? 3 : 1);
    float *x = ARENA_ARRAY_RAW(keep, float, count);
    for (size_t i = 0; x && i < count; i++)
        x[i] = c->value[3 * i];
    return x;
}

/// The property of an expression; those of expressions are the last.
static uint32_t property_of(const zt_model *model, uint32_t expression)
{
    return model->property_count - model->expression_count + expression;
}

/// Moves the channel of `node` from the nodes' channels of a clip to its properties'.
static zt_result move_channel(gltf_file *file, zt_model *model, model_clip *clip, int32_t node,
                              uint32_t expression)
{
    model_channel *channels = (model_channel *)(uintptr_t)clip->channels;
    for (uint32_t i = 0; i < clip->channel_count; i++) {
        model_channel *c = &channels[i];
        if (c->node != node || c->path != MODEL_TRANSLATION)
            continue;
        model_property_channel *list;
        const uint32_t count = clip->property_channel_count;
        ZT_TRY(ARENA_TAKE_RAW(file->keep, &list, (size_t)count + 1, "channels", file->log->err));
        if (count > 0)
            memcpy(list, clip->property_channels, count * sizeof *list);
        list[count] = (model_property_channel){property_of(model, expression), *c};
        list[count].keys.node = -1;
        list[count].keys.path = MODEL_WEIGHTS;
        list[count].keys.value = first_of_three(file->keep, c);
        if (!list[count].keys.value)
            return arena_fail(file->keep, file->log->err, "channels");
        clip->property_channels = list;
        clip->property_channel_count = count + 1;
        memmove(c, c + 1, (clip->channel_count - i - 1) * sizeof *c);
        clip->channel_count--;
        return ZT_OK;
    }
    return ZT_OK;
}

static zt_result move_expression(gltf_file *file, const char *name, int32_t node, zt_model *model)
{
    for (uint32_t e = 0; e < model->expression_count; e++) {
        if (strcmp(model->expressions[e].name, name) != 0)
            continue;
        for (uint32_t i = 0; i < model->clip_count; i++)
            ZT_TRY(move_channel(file, model, (model_clip *)(uintptr_t)&model->clips[i], node, e));
    }
    return ZT_OK;
}

zt_result gltf_move_expressions(gltf_file *file, const gltf_nodes *nodes, zt_model *model)
{
    return model->is_vrm_animation && model->clip_count > 0
               ? visit_expressions(file, nodes, move_expression, model)
               : ZT_OK;
}
