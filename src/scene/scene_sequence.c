// SPDX-License-Identifier: MIT
/// Speeds of layers over time, and `after`: a layer starts when another one ends.
#include "scene/scene_animation_layer.h"
#include "scene/scene_names.h"

#include <math.h>
#include <string.h>

typedef enum visit { VISIT_NONE, VISIT_OPEN, VISIT_DONE } visit;

/// The layers of one animation while their starts are found.
typedef struct sequence {
    document_reader *r;
    const zt_model *model;
    scene_layer *layers;
    const scene_layer_links *links;
    uint32_t count;
    visit state[SCENE_LAYER_LIMIT];
} sequence;

double scene_layer_played(const scene_layer *layer, double time_s)
{
    const scene_speed *keys = layer->speed_keys;
    if (!(time_s > layer->at_s))
        return 0.0;
    if (!keys)
        return (time_s - layer->at_s) * layer->speed;
    return layer->speed * (track_integral(&keys->keys, keys->sum, time_s) -
                           track_integral(&keys->keys, keys->sum, layer->at_s));
}

/// Shot time at which a layer of keyed speed has played `left_s` of its clip, or infinity.
static double keyed_end(const scene_layer *layer, double left_s)
{
    const track *keys = &layer->speed_keys->keys;
    const double last_s = keys->time_s[keys->key_count - 1];
    double low = layer->at_s, high = last_s > layer->at_s ? last_s : layer->at_s;
    const double played_s = scene_layer_played(layer, high);
    if (played_s < left_s) {
        const double rate = layer->speed * keys->value[keys->key_count - 1];
        return rate > 0.0 ? high + (left_s - played_s) / rate : (double)INFINITY;
    }
    for (int i = 0; i < 200 && low < high; i++) {
        const double middle = 0.5 * (low + high);
        if (middle == low || middle == high)
            break;
        if (scene_layer_played(layer, middle) < left_s)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/// Shot time at which a layer has played its clip, or infinity.
static double clip_end(const sequence *s, const scene_layer *layer)
{
    if (layer->clip < 0 || layer->loop != SCENE_LOOP_ONCE || layer->speed == 0.0)
        return (double)INFINITY;
    const model_clip *clip = &s->model->clips[layer->clip];
    const double first_s = layer->has_range ? layer->from_s : (double)clip->start_s;
    const double last_s = layer->has_range ? layer->to_s : (double)clip->end_s;
    const double left_s = (layer->speed > 0.0 ? last_s : first_s) - layer->start_s;
    const double takes_s = left_s / layer->speed;
    if (layer->speed_keys)
        return layer->speed_keys->backwards ? (double)INFINITY : keyed_end(layer, left_s);
    return layer->at_s + (takes_s > 0.0 ? takes_s : 0.0);
}

static zt_result find_layer(const sequence *s, const document_node *after, uint32_t *out)
{
    name_list valid = {.word = after->text};
    for (*out = 0; *out < s->count; ++*out) {
        const char *name = s->links[*out].name;
        if (name && strcmp(name, after->text) == 0)
            return ZT_OK;
        if (name)
            name_list_add(&valid, name);
    }
    return scene_fail_name(s->r, after, false, "layer", "animation", &valid);
}

/// Sets the start of a layer, after that of the one that it follows.
static zt_result set_start(sequence *s, uint32_t index)
{
    const document_node *after = s->links[index].after;
    uint32_t before;
    if (s->state[index] == VISIT_DONE || !after)
        return ZT_OK;
    s->state[index] = VISIT_OPEN;
    ZT_TRY(find_layer(s, after, &before));
    if (s->state[before] == VISIT_OPEN)
        return value_fail(s->r, after, false,
                          "the layers up to '%.80s' wait for each other (expected one that waits "
                          "for none)",
                          after->text);
    ZT_TRY(set_start(s, before));
    const scene_layer *first = &s->layers[before];
    double end_s = clip_end(s, first);
    if (first->has_end && first->until_s < end_s)
        end_s = first->until_s;
    if (!(end_s <= 1e9))
        return value_fail(s->r, after, false,
                          "the layer '%.80s' does not end (expected loop: once or until)",
                          after->text);
    s->layers[index].at_s += end_s;
    s->state[index] = VISIT_DONE;
    return ZT_OK;
}

zt_result scene_sequence_layers(document_reader *r, const zt_model *model, scene_layer *layers,
                                const scene_layer_links *links, uint32_t count)
{
    sequence s = {.r = r, .model = model, .layers = layers, .links = links, .count = count};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (links[i].name && links[k].name && strcmp(links[i].name, links[k].name) == 0)
                return value_fail(r, document_member(links[i].node, "name"), false,
                                  "the name '%.80s' is used twice (expected once)", links[i].name);
    for (uint32_t i = 0; i < count; i++)
        ZT_TRY(set_start(&s, i));
    return ZT_OK;
}
