// SPDX-License-Identifier: MIT
/// `animation` of a model or instance: the layers that play, bottom first.
#include "scene/scene_animation_layer.h"
#include "scene/scene_blend.h"

#include <math.h>

enum { SUMMED_KEY_LIMIT = 1000 };

/// A layer that is a blend.
typedef struct blend_map {
    const document_node *blend;
} blend_map;

/// Ends are times of the shot: known to come later once the starts are.
static zt_result check_ends(document_reader *r, const scene_layer *layers,
                            const scene_layer_links *links, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (layers[i].has_end && layers[i].until_s < layers[i].at_s)
            return value_fail(r, document_member(links[i].node, "until"), false,
                              "until %.9g is before at %.9g (expected a later time)",
                              layers[i].until_s, layers[i].at_s);
    return ZT_OK;
}

/// Each frame integrates weights from key to key where layers are in sync or extract root motion.
static zt_result check_key_count(document_reader *r, const document_node *value,
                                 const scene_layer *layers, uint32_t count)
{
    uint64_t keys = 0;
    bool integrates = false;
    for (uint32_t i = 0; i < count; i++) {
        ZT_TRY(scene_layer_check_integrable(r, value, "weight", &layers[i].weight));
        keys += layers[i].weight.key_count;
        integrates |= layers[i].sync || layers[i].root_motion == SCENE_ROOT_EXTRACT;
    }
    if (!integrates || keys <= SUMMED_KEY_LIMIT)
        return ZT_OK;
    return value_fail(r, value, false,
                      "%llu keys of weights (expected at most %d with sync: phase or "
                      "root_motion: extract)",
                      (unsigned long long)keys, SUMMED_KEY_LIMIT);
}

// ---- Layers -------------------------------------------------------------------------------------

/// The layers of an instance as they are read, bottom first.
typedef struct layer_list {
    scene_layer *layers; ///< [count]
    scene_layer_links links[SCENE_LAYER_LIMIT];
    uint32_t count;
    double value; ///< value of the last one in a blend; NAN: it is in none
} layer_list;

static zt_result append_layer(document_reader *r, const document_node *node, bool blends,
                              layer_list *list)
{
    ZT_TRY(scene_read_layer(r, node, list->count > 0 ? list->layers : NULL,
                            &list->layers[list->count], &list->links[list->count], &list->value));
    if (isnan(list->value) == blends)
        return value_fail(r, node, false,
                          blends ? "a clip of a blend without its value (expected the key 'value')"
                                 : "a value outside of a blend (expected blend: { by, clips })");
    list->count++;
    return ZT_OK;
}

/// The clips of a blend become layers: each over those below it by how far the value has come from
/// the clip before to its own, in step with the first.
static zt_result append_blend(document_reader *r, const document_node *value, layer_list *list)
{
    scene_blend blend;
    double before = 0.0;
    ZT_TRY(scene_read_blend(r, value, &blend));
    for (const document_node *node = blend.clips->first; node; node = node->next) {
        const bool first = list->count == 0;
        ZT_TRY(append_layer(r, node, true, list));
        scene_layer *layer = &list->layers[list->count - 1];
        if (layer->mode != SCENE_OVERRIDE || layer->weight.key_count > 0)
            return value_fail(r, node, false,
                              "a clip of a blend with a weight or a mode (expected its value)");
        if (!first && !(list->value > before))
            return value_fail(r, node, false, "the value %.9g after %.9g (expected rising values)",
                              list->value, before);
        if (!first)
            ZT_TRY(scene_blend_weight(r, &blend, before, list->value, &layer->weight));
        if (!first && !document_member(node, "sync"))
            layer->sync = scene_layer_repeats(model_of(r), layer) &&
                          scene_layer_repeats(model_of(r), list->layers);
        before = list->value;
    }
    return ZT_OK;
}

/// The number of layers that a list, a layer or a blend is.
static uint32_t count_layers(const document_node *value, bool is_list)
{
    uint32_t count = 0;
    for (const document_node *node = is_list ? value->first : value; node;
         node = is_list ? node->next : NULL) {
        const document_node *blend = document_member(node, "blend");
        const document_node *clips = blend ? document_member(blend, "clips") : NULL;
        count += clips && clips->kind == DOCUMENT_LIST ? clips->count : 1;
    }
    return count;
}

zt_result scene_read_animation(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NODE("blend", KEY_REQUIRED, blend_map, blend),
    };
    scene_instance *instance = target;
    const bool is_list = value->kind == DOCUMENT_LIST;
    const uint32_t count = count_layers(value, is_list);
    layer_list list = {.count = 0};
    if (count == 0)
        return value_wrong(r, value, "a clip, a layer, or a list of layers");
    if (count > SCENE_LAYER_LIMIT)
        return value_fail(r, value, false, "%u layers (expected at most %d)", count,
                          SCENE_LAYER_LIMIT);
    ZT_TRY(ARENA_TAKE(r->keep, &list.layers, count, "animation", r->err));
    for (const document_node *node = is_list ? value->first : value; node;
         node = is_list ? node->next : NULL) {
        const document_node *blend = document_member(node, "blend");
        if (blend && list.count > 0)
            return value_fail(r, blend, true, "a blend above other layers (expected it first)");
        blend_map map;
        if (blend)
            ZT_TRY(value_map(r, node, "blended animation", keys, COUNT_OF(keys), &map));
        ZT_TRY(blend ? append_blend(r, blend, &list) : append_layer(r, node, false, &list));
    }
    ZT_TRY(scene_sequence_layers(r, instance->model, list.layers, list.links, count));
    ZT_TRY(check_ends(r, list.layers, list.links, count));
    ZT_TRY(check_key_count(r, value, list.layers, count));
    instance->layers = list.layers;
    instance->layer_count = count;
    return ZT_OK;
}
