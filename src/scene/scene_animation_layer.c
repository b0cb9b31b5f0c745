// SPDX-License-Identifier: MIT
#include "scene/scene_animation_layer.h"

#include "retarget/foot_speed.h"
#include "retarget/retarget.h"
#include "scene/scene_build.h"
#include "scene/scene_names.h"

#include <math.h>
#include <string.h>

enum { ADDITIVE_WEIGHT_LIMIT = 10, MASK_ENTRY_LIMIT = 1024 };

static const char *const loops[] = {"repeat", "once", "ping_pong"};
static const char *const eases[] = {"smooth", "smoother", "linear"};
static const char *const modes[] = {"override", "additive"};
static const char *const syncs[] = {"none", "phase"};
static const char *const root_motions[] = {"keep", "strip", "extract"};

/// A layer as it is read.
typedef struct layer_entry {
    scene_layer layer;
    const scene_layer *bottom; ///< NULL: this is the bottom layer
    int32_t root;              ///< `root`, or -1
    double speed;              ///< NAN, or of `root_motion`: m/s; see from_feet
    bool from_feet;
    uint32_t foot_count;
    int32_t feet[FOOT_SPEED_FEET];
    bool root_turn, mirror;
    double value;     ///< NAN, or its place in a blend
    track clip_speed; ///< `speed`
    scene_layer_links links;
} layer_entry;

static zt_result read_clip(document_reader *r, const document_node *value, void *target)
{
    scene_layer *layer = &((layer_entry *)target)->layer;
    ZT_TRY(scene_value_clip(r, value, &layer->clip));
    if (layer->clip >= 0) {
        layer->reference = layer->clip;
        layer->reference_s = (double)model_of(r)->clips[layer->clip].start_s;
    }
    return ZT_OK;
}

// ---- bones --------------------------------------------------------------------------------------

/// An entry of `bones`: a bone with all below it, and its weight.
typedef struct mask_entry {
    int32_t bone;
    double weight;
    bool subtree;
} mask_entry;

static zt_result read_mask_entry(document_reader *r, const document_node *value, mask_entry *entry)
{
    static const map_key keys[] = {
        KEY_READ_INTO("bone", KEY_REQUIRED, scene_value_bone, mask_entry, bone),
        KEY_NUMBER("weight", KEY_OPTIONAL, mask_entry, weight, 0.0, 1.0),
        KEY_BOOL("subtree", KEY_OPTIONAL, mask_entry, subtree),
    };
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "bones", keys, COUNT_OF(keys), entry);
    return scene_value_bone(r, value, &entry->bone);
}

/// Sets the weight of a bone, and of those below it: a parent precedes its children.
static void apply_mask_entry(const zt_model *model, const mask_entry *entry, bool *covered,
                             float *mask)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        covered[i] =
            (int32_t)i == entry->bone || (entry->subtree && parent >= 0 && covered[parent]);
        if (covered[i])
            mask[i] = (float)entry->weight;
    }
}

static zt_result read_bones(document_reader *r, const document_node *value, void *target)
{
    const zt_model *model = model_of(r);
    ZT_TRY(value_list(r, value, 1, UINT32_MAX, "a list of bones"));
    if (value->count > MASK_ENTRY_LIMIT)
        return value_fail(r, value, false, "%u bones (expected at most %d)", value->count,
                          MASK_ENTRY_LIMIT);
    float *mask = ARENA_ARRAY(r->keep, float, pad16(model->node_count));
    bool *covered = ARENA_ARRAY(r->scratch, bool, model->node_count);
    if (!mask || !covered)
        return arena_fail(mask ? r->scratch : r->keep, r->err, "bones");
    for (const document_node *node = value->first; node; node = node->next) {
        mask_entry entry = {.weight = 1.0, .subtree = true};
        ZT_TRY(read_mask_entry(r, node, &entry));
        apply_mask_entry(model, &entry, covered, mask);
    }
    ((layer_entry *)target)->layer.mask = mask;
    return ZT_OK;
}

// ---- reference ----------------------------------------------------------------------------------

static zt_result read_reference(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("clip", KEY_REQUIRED, scene_value_clip, scene_layer, reference),
        KEY_NUMBER("time", KEY_OPTIONAL, scene_layer, reference_s, -1e6, 1e6),
    };
    static const char *const names[] = {"start", "rest"};
    scene_layer *layer = target;
    int32_t choice = 0;
    layer->reference_s = 0.0;
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "reference", keys, COUNT_OF(keys), layer);
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    if (choice == 1)
        layer->reference = -1;
    return ZT_OK;
}

// ---- root_motion --------------------------------------------------------------------------------

/// from_feet, or metres a second.
static zt_result read_ground_speed(document_reader *r, const document_node *value, void *target)
{
    static const char *const words[] = {"from_feet"};
    layer_entry *entry = target;
    int32_t choice;
    entry->from_feet = value->kind == DOCUMENT_STRING;
    return entry->from_feet ? value_choice(r, value, words, COUNT_OF(words), &choice)
                            : value_number(r, value, -1e6, 1e6, &entry->speed);
}

static zt_result read_feet(document_reader *r, const document_node *value, void *target)
{
    layer_entry *entry = target;
    ZT_TRY(value_list(r, value, 1, FOOT_SPEED_FEET, "a list of 1 to 16 bones"));
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(scene_value_bone(r, item, &entry->feet[entry->foot_count++]));
    return ZT_OK;
}

/// A word, or a map with the speed at which a clip that walks in place moves the model.
static zt_result read_root_motion(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("speed", KEY_REQUIRED, read_ground_speed),
        KEY_READ("feet", KEY_OPTIONAL, read_feet),
    };
    layer_entry *entry = target;
    int32_t choice;
    if (value->kind != DOCUMENT_MAP) {
        ZT_TRY(value_choice(r, value, root_motions, COUNT_OF(root_motions), &choice));
        entry->layer.root_motion = (scene_root_motion)choice;
        return ZT_OK;
    }
    entry->layer.root_motion = SCENE_ROOT_EXTRACT;
    ZT_TRY(value_map(r, value, "root_motion", keys, COUNT_OF(keys), entry));
    if (entry->foot_count > 0 && !entry->from_feet)
        return value_fail(r, document_member(value, "feet"), true,
                          "feet with a speed (expected speed: from_feet)");
    return ZT_OK;
}

/// Walking in place: a warning where the feet do not say how fast.
static zt_result find_ground_speed(document_reader *r, const document_node *value,
                                   layer_entry *entry)
{
    scene_layer *layer = &entry->layer;
    const zt_model *model = model_of(r);
    if (entry->root >= 0 || entry->root_turn)
        return value_fail(r, document_member(value, entry->root >= 0 ? "root" : "root_turn"), true,
                          "a root of a clip that walks in place (expected root_motion: extract)");
    if (!entry->from_feet) {
        scene_root *root;
        ZT_TRY(ARENA_TAKE(r->keep, &root, 1, "root motion", r->err));
        *root = (scene_root){.steady = true, .velocity = {0.0, 0.0, entry->speed}};
        layer->root = root;
        return ZT_OK;
    }
    ZT_TRY(scene_find_foot_root(scene_of(r), model, layer, entry->feet, entry->foot_count,
                                &layer->root, r->err));
    if (!layer->root) {
        const zt_load_def *load = &scene_of(r)->load;
        const message_sink sink = {load->message, load->message_user, load->strict};
        message_warn(&sink,
                     "%s: clip '%.80s' of %.80s has no feet that go over the ground: speed: "
                     "from_feet moves nothing",
                     r->path, model->clips[layer->clip].name, path_name(model->path));
    }
    return ZT_OK;
}

// ---- Layers -------------------------------------------------------------------------------------

/// The clip becomes its mirror image, and so does what it is added to where that is its start.
static zt_result fail_mirror(document_reader *r, const document_node *node, zt_result result,
                             const char *message)
{
    char location[DOCUMENT_LOCATION_SIZE];
    if (result != ZT_ERR_LIMIT && result != ZT_ERR_FORMAT)
        return zt_fail(r->err, result, "%s", message);
    return zt_fail(r->err, result, "%s: %s", document_location(r->path, node, false, location),
                   message);
}

static zt_result finish_mirror(document_reader *r, const document_node *value, layer_entry *entry)
{
    scene_layer *layer = &entry->layer;
    const document_node *reference = document_member(value, "reference");
    uint32_t mirrored = 0;
    zt_result result = ZT_OK;
    zt_error problem = {ZT_OK, ""};
    if (!entry->mirror || layer->clip < 0)
        return ZT_OK;
    for (uint32_t i = 0; i < scene_of(r)->model_count; i++)
        if (scene_of(r)->models[i] == model_of(r))
            result = model_mirror_clip(scene_of(r)->models[i], (uint32_t)layer->clip, r->scratch,
                                       &mirrored, &problem);
    if (result != ZT_OK)
        return fail_mirror(r, document_member(value, "mirror"), result, problem.message);
    if (layer->reference == layer->clip && (!reference || strcmp(reference->text, "start") == 0))
        layer->reference = (int32_t)mirrored;
    layer->clip = (int32_t)mirrored;
    return ZT_OK;
}

zt_result scene_layer_check_integrable(document_reader *r, const document_node *value,
                                       const char *what, const track *t)
{
    const bool spline = track_uses(t, TRACK_SPLINE);
    if (!spline && !t->loop)
        return ZT_OK;
    return value_fail(r, value, false,
                      "the %s of a layer %s (expected step, linear or ease, and no loop)", what,
                      spline ? "is a spline" : "loops");
}

/// A speed, or one that changes.
static zt_result finish_speed(document_reader *r, const document_node *value, layer_entry *entry)
{
    const track *speed = &entry->clip_speed;
    const document_node *node = document_member(value, "speed");
    if (speed->key_count == 1)
        entry->layer.speed = speed->value[0];
    if (speed->key_count < 2)
        return ZT_OK;
    ZT_TRY(scene_layer_check_integrable(r, node, "speed", speed));
    if (entry->layer.sync)
        return value_fail(r, node, false,
                          "keys of the speed with sync: phase (expected a constant speed)");
    scene_speed *keys;
    ZT_TRY(ARENA_TAKE(r->keep, &keys, 1, "speed", r->err));
    keys->keys = *speed;
    keys->sum = track_sums(r->keep, speed);
    if (!keys->sum)
        return arena_fail(r->keep, r->err, "speed");
    for (uint32_t i = 0; i < speed->key_count; i++)
        keys->backwards |= speed->value[i] < 0.0;
    entry->layer.speed_keys = keys;
    return ZT_OK;
}

/// The part of the clip that plays; its start is where the layer starts and what it is added to.
static zt_result finish_range(document_reader *r, const document_node *value, layer_entry *entry)
{
    scene_layer *layer = &entry->layer;
    const document_node *from = document_member(value, "from"), *to = document_member(value, "to");
    const document_node *reference = document_member(value, "reference");
    layer->has_range = from || to;
    if (!layer->has_range)
        return ZT_OK;
    if (layer->clip < 0)
        return value_fail(r, from ? from : to, false, "a part of no clip (expected a clip)");
    const model_clip *clip = &model_of(r)->clips[layer->clip];
    const double start_s = (double)clip->start_s, end_s = (double)clip->end_s;
    layer->from_s = from && layer->from_s > start_s ? layer->from_s : start_s;
    layer->to_s = to && layer->to_s < end_s ? layer->to_s : end_s;
    if (!(layer->from_s < layer->to_s))
        return value_fail(r, from ? from : to, false,
                          "nothing of the clip '%.80s' is from %.9g to %.9g (expected a part of "
                          "%.9g to %.9g)",
                          clip->name, layer->from_s, layer->to_s, start_s, end_s);
    if (!document_member(value, "start") && !layer->sync)
        layer->start_s = layer->from_s;
    if (!reference || strcmp(reference->text, "start") == 0)
        layer->reference_s = layer->from_s;
    return ZT_OK;
}

/// When the layer has weight, by the keys that the map has.
static zt_result finish_times(document_reader *r, const document_node *value, layer_entry *entry)
{
    scene_layer *layer = &entry->layer;
    const zt_model *model = model_of(r);
    const bool starts = document_member(value, "at") || entry->links.after;
    layer->has_begin = (entry->bottom && starts) || document_member(value, "fade");
    layer->has_end = document_member(value, "until") != NULL;
    if (entry->links.after)
        ZT_TRY(value_check_text(r, entry->links.after, "the name of a layer"));
    if (layer->clip >= 0 && layer->loop == SCENE_LOOP_ONCE && layer->speed < 0.0 &&
        !document_member(value, "start"))
        layer->start_s = layer->has_range ? layer->to_s : (double)model->clips[layer->clip].end_s;
    return ZT_OK;
}

/// Only differences can be added more than once.
static zt_result check_weight_size(document_reader *r, const document_node *value,
                                   const scene_layer *layer)
{
    const track *weight = &layer->weight;
    if (layer->mode != SCENE_OVERRIDE)
        return ZT_OK;
    for (uint32_t i = 0; i < weight->key_count; i++)
        if (weight->value[i] > 1.0)
            return value_fail(r, document_member(value, "weight"), false,
                              "found the weight %.9g (expected 0 to 1, or mode: additive)",
                              weight->value[i]);
    return ZT_OK;
}

bool scene_layer_repeats(const zt_model *model, const scene_layer *layer)
{
    return layer && layer->clip >= 0 && layer->loop == SCENE_LOOP_REPEAT && !layer->speed_keys &&
           model->clips[layer->clip].end_s > model->clips[layer->clip].start_s;
}

static zt_result finish_root(document_reader *r, const document_node *value, layer_entry *entry)
{
    scene_layer *layer = &entry->layer;
    const zt_model *model = model_of(r);
    if (entry->root_turn && layer->root_motion == SCENE_ROOT_KEEP)
        return value_fail(r, document_member(value, "root_turn"), false,
                          "root_turn with root_motion: keep (expected strip or extract)");
    if (layer->clip < 0 || layer->root_motion == SCENE_ROOT_KEEP)
        return ZT_OK;
    if (entry->from_feet || !isnan(entry->speed))
        return find_ground_speed(r, value, entry);
    ZT_TRY(scene_find_root(scene_of(r), model, &model->clips[layer->clip], entry->root,
                           entry->root_turn, &layer->root, r->err));
    if (layer->root_motion == SCENE_ROOT_EXTRACT && !layer->root) {
        const zt_load_def *load = &scene_of(r)->load;
        const message_sink sink = {load->message, load->message_user, load->strict};
        message_warn(&sink,
                     "%s: clip '%.80s' of %.80s does not move %s: root_motion: extract "
                     "moves nothing",
                     r->path, model->clips[layer->clip].name, path_name(model->path),
                     entry->root >= 0 ? "the root" : "any bone across the ground");
    }
    return ZT_OK;
}

static zt_result read_layer(document_reader *r, const document_node *value, layer_entry *entry)
{
    // `reference` starts from the clip.
    static const map_key keys[] = {
        KEY_READ("clip", KEY_REQUIRED, read_clip),
        KEY_BOOL("mirror", KEY_OPTIONAL, layer_entry, mirror),
        KEY_CHOICE("loop", KEY_OPTIONAL, layer_entry, layer.loop, loops),
        KEY_TRACK("speed", KEY_OPTIONAL, layer_entry, clip_speed, TRACK_NUMBER, -1000, 1000),
        KEY_NUMBER("from", KEY_OPTIONAL, layer_entry, layer.from_s, -1e6, 1e6),
        KEY_NUMBER("to", KEY_OPTIONAL, layer_entry, layer.to_s, -1e6, 1e6),
        KEY_NUMBER("start", KEY_OPTIONAL, layer_entry, layer.start_s, -1e6, 1e6),
        KEY_NUMBER("at", KEY_OPTIONAL, layer_entry, layer.at_s, -1e6, 1e6),
        KEY_TEXT("name", KEY_OPTIONAL, layer_entry, links.name, "a name"),
        KEY_NODE("after", KEY_OPTIONAL, layer_entry, links.after),
        KEY_NUMBER("until", KEY_OPTIONAL, layer_entry, layer.until_s, -1e6, 1e6),
        KEY_NUMBER("fade", KEY_OPTIONAL, layer_entry, layer.fade_s, 0.0, 1e6),
        KEY_CHOICE("ease", KEY_OPTIONAL, layer_entry, layer.ease, eases),
        KEY_TRACK("weight", KEY_OPTIONAL, layer_entry, layer.weight, TRACK_NUMBER, 0,
                  ADDITIVE_WEIGHT_LIMIT),
        KEY_READ("bones", KEY_OPTIONAL, read_bones),
        KEY_CHOICE("mode", KEY_OPTIONAL, layer_entry, layer.mode, modes),
        KEY_READ_INTO("reference", KEY_OPTIONAL, read_reference, layer_entry, layer),
        KEY_CHOICE("sync", KEY_OPTIONAL, layer_entry, layer.sync, syncs),
        KEY_READ("root_motion", KEY_OPTIONAL, read_root_motion),
        KEY_READ_INTO("root", KEY_OPTIONAL, scene_value_bone, layer_entry, root),
        KEY_BOOL("root_turn", KEY_OPTIONAL, layer_entry, root_turn),
        KEY_NUMBER("value", KEY_OPTIONAL, layer_entry, value, -1e6, 1e6),
    };
    const zt_model *model = model_of(r);
    if (value->kind == DOCUMENT_STRING || value->kind == DOCUMENT_NUMBER)
        return read_clip(r, value, entry);
    ZT_TRY(value_map(r, value, "animation", keys, COUNT_OF(keys), entry));
    ZT_TRY(finish_speed(r, value, entry));
    ZT_TRY(finish_mirror(r, value, entry));
    ZT_TRY(finish_range(r, value, entry));
    ZT_TRY(finish_times(r, value, entry));
    ZT_TRY(check_weight_size(r, value, &entry->layer));
    if (entry->layer.sync &&
        !(scene_layer_repeats(model, &entry->layer) && scene_layer_repeats(model, entry->bottom)))
        return value_fail(r, value, false,
                          "sync: phase needs a layer above the bottom layer, and both must repeat "
                          "clips that are longer than 0, at a constant speed");
    return finish_root(r, value, entry);
}

zt_result scene_read_layer(document_reader *r, const document_node *value,
                           const scene_layer *bottom, scene_layer *out,
                           scene_layer_links *out_links, double *out_value)
{
    layer_entry entry = {.layer = scene_default_layer(-1),
                         .bottom = bottom,
                         .root = -1,
                         .speed = (double)NAN,
                         .value = (double)NAN,
                         .links.node = value};
    ZT_TRY(read_layer(r, value, &entry));
    *out = entry.layer;
    *out_links = entry.links;
    *out_value = entry.value;
    return ZT_OK;
}
