// SPDX-License-Identifier: MIT
/// `animation`: the layers that play on a model, bottom first.
#include "base/number.h"
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { SUMMED_KEY_LIMIT = 1000 };

typedef struct layer_target {
    const zt_model *model;
    scene_layer *layer;
    uint32_t index;        ///< of the layer
    bool has_start, turns; ///< turns: root_turn
    int32_t root;          ///< named, or -1
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
    return (scene_layer){.clip = clip, .speed = 1.0, .reference = -1};
}

static zt_result read_clip_index(scene_reader *r, const document_node *value, const zt_model *model,
                                 int32_t *out)
{
    if (value->kind != DOCUMENT_STRING && value->kind != DOCUMENT_NUMBER)
        return value_wrong(r, value, "the name or index of a clip, or none");
    const int32_t clip = scene_find_clip(model, value->text);
    if (clip >= -1) {
        *out = clip;
        return ZT_OK;
    }
    const uint32_t count = model->clip_count;
    const char **names = ARENA_ARRAY(r->scratch, const char *, count);
    if (!names)
        return arena_fail(r->scratch, r->err, "scene");
    for (uint32_t i = 0; i < count; i++)
        names[i] = model->clips[i].name;
    const char *nearest = scene_nearest_name(value->text, names, count);
    return value_fail(r, value, false, "no clip '%.80s' in %s (%s%.80s%s)", value->text,
                      path_name(model->path),
                      nearest ? "did you mean '"
                      : count ? "there are "
                              : "it has none",
                      nearest ? nearest : "",
                      nearest ? "'?"
                      : count ? "others"
                              : "");
}

static zt_result read_clip(scene_reader *r, const document_node *value, void *target)
{
    layer_target *own = target;
    ZT_TRY(read_clip_index(r, value, own->model, &own->layer->clip));
    if (own->layer->clip >= 0) {
        own->layer->reference = own->layer->clip;
        own->layer->reference_s = (double)own->model->clips[own->layer->clip].start_s;
    }
    return ZT_OK;
}

static zt_result read_bones(scene_reader *r, const document_node *value, void *target)
{
    layer_target *own = target;
    return scene_read_mask(r, value, own->model, &own->layer->mask);
}

static zt_result read_loop(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"repeat", "once", "ping_pong"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((layer_target *)target)->layer->loop = (scene_loop)choice;
    return ZT_OK;
}

static zt_result read_speed(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -1000.0, 1000.0, &((layer_target *)target)->layer->speed);
}

static zt_result read_start(scene_reader *r, const document_node *value, void *target)
{
    ((layer_target *)target)->has_start = true;
    return value_number(r, value, -1e6, 1e6, &((layer_target *)target)->layer->start_s);
}

static zt_result read_at(scene_reader *r, const document_node *value, void *target)
{
    layer_target *own = target;
    own->layer->has_begin = own->index > 0;
    return value_number(r, value, -1e6, 1e6, &own->layer->at_s);
}

static zt_result read_until(scene_reader *r, const document_node *value, void *target)
{
    scene_layer *layer = ((layer_target *)target)->layer;
    layer->has_end = true;
    ZT_TRY(value_number(r, value, -1e6, 1e6, &layer->until_s));
    return layer->until_s >= layer->at_s
               ? ZT_OK
               : value_fail(r, value, false, "until %.9g is before at %.9g (expected a later time)",
                            layer->until_s, layer->at_s);
}

static zt_result read_fade(scene_reader *r, const document_node *value, void *target)
{
    scene_layer *layer = ((layer_target *)target)->layer;
    layer->has_begin = true;
    return value_number(r, value, 0.0, 1e6, &layer->fade_s);
}

static zt_result read_ease(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"smooth", "smoother", "linear"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((layer_target *)target)->layer->ease = (scene_ease)choice;
    return ZT_OK;
}

static zt_result read_weight(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 1.0, &((layer_target *)target)->layer->weight);
}

static zt_result read_mode(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"override", "additive"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((layer_target *)target)->layer->mode = (scene_layer_mode)choice;
    return ZT_OK;
}

static zt_result read_sync(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"none", "phase"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((layer_target *)target)->layer->sync = choice == 1;
    return ZT_OK;
}

static zt_result read_root_motion(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"keep", "strip", "extract"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    ((layer_target *)target)->layer->root_motion = (scene_root_motion)choice;
    return ZT_OK;
}

static zt_result read_root(scene_reader *r, const document_node *value, void *target)
{
    layer_target *own = target;
    return scene_read_node(r, value, own->model, &own->root);
}

static zt_result read_root_turn(scene_reader *r, const document_node *value, void *target)
{
    layer_target *own = target;
    if (value->kind != DOCUMENT_BOOL)
        return value_wrong(r, value, "true or false");
    own->turns = value->truth;
    return !own->turns || own->layer->root_motion != SCENE_ROOT_KEEP
               ? ZT_OK
               : value_fail(r, value, false,
                            "root_turn beside root_motion: keep (expected strip or extract)");
}

// ---- The pose that an additive layer differs from -----------------------------------------------

static zt_result read_reference_clip(scene_reader *r, const document_node *value, void *target)
{
    layer_target *own = target;
    return read_clip_index(r, value, own->model, &own->layer->reference);
}

static zt_result read_reference_time(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -1e6, 1e6, &((layer_target *)target)->layer->reference_s);
}

static zt_result read_reference(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"clip", read_reference_clip, KEY_REQUIRED},
        {"time", read_reference_time, KEY_OPTIONAL},
    };
    static const char *const names[] = {"start", "rest"};
    layer_target *own = target;
    int32_t choice = 0;
    own->layer->reference_s = 0.0;
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "reference", keys, COUNT_OF(keys), target);
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    if (choice == 1)
        own->layer->reference = -1;
    return ZT_OK;
}

// ---- Layers -------------------------------------------------------------------------------------

static bool lasts(const zt_model *model, const scene_layer *layer)
{
    return layer->clip >= 0 && layer->loop == SCENE_LOOP_REPEAT &&
           model->clips[layer->clip].end_s > model->clips[layer->clip].start_s;
}

// What only the keys together tell.
static zt_result finish_layer(scene_reader *r, const document_node *value, layer_target *target)
{
    scene_layer *layer = target->layer;
    const model_clip *clip = layer->clip >= 0 ? &target->model->clips[layer->clip] : NULL;
    if (clip && layer->loop == SCENE_LOOP_ONCE && layer->speed < 0.0 && !target->has_start)
        layer->start_s = (double)clip->end_s;
    if (layer->sync && (target->index == 0 || !lasts(target->model, layer) ||
                        !lasts(target->model, layer - target->index)))
        return value_fail(r, value, false,
                          "a layer that cannot keep step (expected sync: phase above the bottom "
                          "layer, and that both repeat clips that last)");
    if (clip && layer->root_motion != SCENE_ROOT_KEEP)
        return scene_find_root(r->scene, target->model, clip, target->root, target->turns,
                               &layer->root, r->err);
    return ZT_OK;
}

static zt_result read_layer(scene_reader *r, const document_node *value, layer_target *target)
{
    // `reference` starts from the clip, `until` is compared with `at`, root_turn with root_motion.
    static const map_key keys[] = {
        {"clip",        read_clip,        KEY_REQUIRED},
        {"loop",        read_loop,        KEY_OPTIONAL},
        {"speed",       read_speed,       KEY_OPTIONAL},
        {"start",       read_start,       KEY_OPTIONAL},
        {"at",          read_at,          KEY_OPTIONAL},
        {"until",       read_until,       KEY_OPTIONAL},
        {"fade",        read_fade,        KEY_OPTIONAL},
        {"ease",        read_ease,        KEY_OPTIONAL},
        {"weight",      read_weight,      KEY_OPTIONAL},
        {"bones",       read_bones,       KEY_OPTIONAL},
        {"mode",        read_mode,        KEY_OPTIONAL},
        {"reference",   read_reference,   KEY_OPTIONAL},
        {"sync",        read_sync,        KEY_OPTIONAL},
        {"root_motion", read_root_motion, KEY_OPTIONAL},
        {"root",        read_root,        KEY_OPTIONAL},
        {"root_turn",   read_root_turn,   KEY_OPTIONAL},
    };
    *target->layer = scene_plain_layer(-1);
    if (value->kind == DOCUMENT_STRING || value->kind == DOCUMENT_NUMBER)
        return read_clip(r, value, target);
    ZT_TRY(value_map(r, value, "animation", keys, COUNT_OF(keys), target));
    return finish_layer(r, value, target);
}

// Every frame adds up what lies between the keys of weights.
static zt_result check_keys(scene_reader *r, const document_node *value, const scene_layer *layers,
                            uint32_t count)
{
    uint64_t keys = 0;
    bool adds_up = false;
    for (uint32_t i = 0; i < count; i++) {
        keys += layers[i].weight.key_count;
        adds_up |= layers[i].sync || layers[i].root_motion == SCENE_ROOT_EXTRACT;
    }
    if (!adds_up || keys <= SUMMED_KEY_LIMIT)
        return ZT_OK;
    return value_fail(r, value, false,
                      "%llu keys of weights (expected at most %d beside sync: phase or "
                      "root_motion: extract)",
                      (unsigned long long)keys, SUMMED_KEY_LIMIT);
}

zt_result scene_read_layers(scene_reader *r, const document_node *value, scene_instance *instance)
{
    const bool many = value->kind == DOCUMENT_LIST;
    const uint32_t count = many ? value->count : 1;
    if (count == 0)
        return value_wrong(r, value, "a clip, a layer, or a list of layers");
    if (count > SCENE_LAYER_LIMIT)
        return value_fail(r, value, false, "%u layers (expected at most %d)", count,
                          SCENE_LAYER_LIMIT);
    scene_layer *layers = ARENA_ARRAY(&r->scene->arena, scene_layer, count);
    if (!layers)
        return arena_fail(&r->scene->arena, r->err, "animation");
    const document_node *node = many ? value->first : value;
    for (uint32_t i = 0; i < count; i++, node = node->next) {
        layer_target target = {
            .model = instance->model, .layer = &layers[i], .index = i, .root = -1};
        ZT_TRY(read_layer(r, node, &target));
    }
    ZT_TRY(check_keys(r, value, layers, count));
    instance->layers = layers;
    instance->layer_count = count;
    return ZT_OK;
}
