// SPDX-License-Identifier: MIT
/// `animation`: the layers that play on a model, bottom first.
#include "base/number.h"
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { LAYER_LIMIT = 64 };

typedef struct layer_target {
    const zt_model *model;
    scene_layer *layer;
} layer_target;

int32_t scene_find_clip(const zt_model *model, const char *name)
{
    if (strcmp(name, "none") == 0)
        return -1;
    for (uint32_t i = 0; i < model->clip_count; i++)
        if (strcmp(model->clips[i].name, name) == 0)
            return (int32_t)i;
    int64_t index = 0;
    const char *end = name + strlen(name);
    if (number_parse_int64(name, end, &index) == end && index >= 0 && index < model->clip_count)
        return (int32_t)index;
    return -2;
}

scene_layer scene_plain_layer(int32_t clip)
{
    return (scene_layer){.clip = clip, .speed = 1.0};
}

static zt_result read_clip(scene_reader *r, const document_node *value, void *target)
{
    const layer_target *layer = target;
    if (value->kind != DOCUMENT_STRING && value->kind != DOCUMENT_NUMBER)
        return value_wrong(r, value, "the name or index of a clip, or none");
    const int32_t clip = scene_find_clip(layer->model, value->text);
    if (clip >= -1) {
        layer->layer->clip = clip;
        return ZT_OK;
    }
    const uint32_t count = layer->model->clip_count;
    const char **names = ARENA_ARRAY(r->scratch, const char *, count);
    if (!names)
        return arena_fail(r->scratch, r->err, "scene");
    for (uint32_t i = 0; i < count; i++)
        names[i] = layer->model->clips[i].name;
    const char *nearest = scene_nearest_name(value->text, names, count);
    return value_fail(r, value, false, "no clip '%.80s' in %s (%s%.80s%s)", value->text,
                      path_name(layer->model->path),
                      nearest ? "did you mean '"
                      : count ? "there are "
                              : "it has none",
                      nearest ? nearest : "",
                      nearest ? "'?"
                      : count ? "others"
                              : "");
}

static zt_result read_loop(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"repeat", "once"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((layer_target *)target)->layer->loop = choice == 0 ? SCENE_LOOP_REPEAT : SCENE_LOOP_ONCE;
    return ZT_OK;
}

static zt_result read_speed(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 1000.0, &((layer_target *)target)->layer->speed);
}

static zt_result read_start(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -1e6, 1e6, &((layer_target *)target)->layer->start_s);
}

static zt_result read_at(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -1e6, 1e6, &((layer_target *)target)->layer->at_s);
}

static zt_result read_weight(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 1.0, &((layer_target *)target)->layer->weight);
}

static zt_result read_layer(scene_reader *r, const document_node *value, layer_target *target)
{
    static const map_key keys[] = {
        {"clip",   read_clip,   KEY_REQUIRED},
        {"loop",   read_loop,   KEY_OPTIONAL},
        {"speed",  read_speed,  KEY_OPTIONAL},
        {"start",  read_start,  KEY_OPTIONAL},
        {"at",     read_at,     KEY_OPTIONAL},
        {"weight", read_weight, KEY_OPTIONAL},
        {"fade",   NULL,        KEY_LATER   },
        {"bones",  NULL,        KEY_LATER   },
        {"mode",   NULL,        KEY_LATER   },
    };
    *target->layer = scene_plain_layer(-1);
    if (value->kind == DOCUMENT_STRING || value->kind == DOCUMENT_NUMBER)
        return read_clip(r, value, target);
    return value_map(r, value, "animation", keys, COUNT_OF(keys), target);
}

zt_result scene_read_layers(scene_reader *r, const document_node *value, scene_instance *instance)
{
    const bool many = value->kind == DOCUMENT_LIST;
    const uint32_t count = many ? value->count : 1;
    if (count == 0)
        return value_wrong(r, value, "a clip, a layer, or a list of layers");
    if (count > LAYER_LIMIT)
        return value_fail(r, value, false, "%u layers (expected at most %d)", count, LAYER_LIMIT);
    scene_layer *layers = ARENA_ARRAY(&r->scene->arena, scene_layer, count);
    if (!layers)
        return arena_fail(&r->scene->arena, r->err, "animation");
    const document_node *node = many ? value->first : value;
    for (uint32_t i = 0; i < count; i++, node = node->next) {
        layer_target target = {.model = instance->model, .layer = &layers[i]};
        ZT_TRY(read_layer(r, node, &target));
    }
    instance->layers = layers;
    instance->layer_count = count;
    return ZT_OK;
}
