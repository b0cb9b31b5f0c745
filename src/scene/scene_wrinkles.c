// SPDX-License-Identifier: MIT
/// `wrinkles` of a material: normal maps with masks, driven by a morph target, a joint or keys.
#include "base/dvec3.h"
#include "scene/scene_parts.h"

#include <math.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { WRINKLE_LIMIT = 16 };

typedef struct wrinkle_entry {
    const scene_instance *instance;
    const model_texture *like;
    const document_node *range;
    scene_wrinkle out;
} wrinkle_entry;

static zt_result read_map(scene_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    return scene_read_texture(r, value, MIPMAP_NORMAL, entry->like, &entry->out.map);
}

static zt_result read_mask(scene_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    return scene_read_texture(r, value, MIPMAP_LINEAR, entry->like, &entry->out.mask);
}

static zt_result read_morph(scene_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    entry->out.driver = SCENE_WRINKLE_MORPH;
    return scene_find_target(r, value, entry->instance, &entry->out.node, &entry->out.target);
}

static zt_result read_joint(scene_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    if (entry->out.driver == SCENE_WRINKLE_MORPH)
        return value_fail(r, value, true, "both a morph and a joint (expected one of them)");
    entry->out.driver = SCENE_WRINKLE_JOINT;
    ZT_TRY(scene_read_node(r, value, entry->instance->model, &entry->out.node));
    if (entry->instance->model->nodes[entry->out.node].parent < 0)
        return value_fail(r, value, false,
                          "'%.80s' hangs on nothing (expected a bone with one above it, against "
                          "which it turns)",
                          value->text);
    return ZT_OK;
}

static zt_result read_axis(scene_reader *r, const document_node *value, void *target)
{
    scene_wrinkle *w = &((wrinkle_entry *)target)->out;
    if (w->driver != SCENE_WRINKLE_JOINT)
        return value_fail(r, value, true, "an axis without a joint (expected `joint` beside it)");
    ZT_TRY(value_direction(r, value, w->axis));
    dvec3 axis = dvec3_load(w->axis);
    dvec3_normalize(&axis, 0.0);
    dvec3_store(axis, w->axis);
    w->has_axis = true;
    return ZT_OK;
}

static zt_result read_range(scene_reader *r, const document_node *value, void *target)
{
    wrinkle_entry *entry = target;
    const bool degrees = entry->out.driver == SCENE_WRINKLE_JOINT;
    const double most = degrees ? 180.0 : (double)MORPH_WEIGHT_MOST;
    const double least = degrees && !entry->out.has_axis ? 0.0 : -most;
    if (entry->out.driver == SCENE_WRINKLE_KEYS)
        return value_fail(r, value, true, "a range of nothing (expected `morph` or `joint`)");
    if (value->kind != DOCUMENT_LIST || value->count != 2)
        return value_wrong(r, value, "two numbers: where the weight is 0 and where it is 1");
    ZT_TRY(value_number(r, value->first, least, most, &entry->out.range[0]));
    ZT_TRY(value_number(r, value->first->next, least, most, &entry->out.range[1]));
    if (entry->out.range[0] == entry->out.range[1])
        return value_fail(r, value, false, "a range of no width (expected two different numbers)");
    entry->range = value;
    return ZT_OK;
}

static zt_result read_weight(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 10.0, &((wrinkle_entry *)target)->out.weight);
}

static zt_result read_wrinkle(scene_reader *r, const document_node *value, wrinkle_entry *entry)
{
    static const map_key keys[] = {
        {"map",    read_map,    KEY_REQUIRED},
        {"mask",   read_mask,   KEY_OPTIONAL},
        {"morph",  read_morph,  KEY_OPTIONAL},
        {"joint",  read_joint,  KEY_OPTIONAL},
        {"axis",   read_axis,   KEY_OPTIONAL},
        {"range",  read_range,  KEY_OPTIONAL},
        {"weight", read_weight, KEY_OPTIONAL},
    };
    const double one = 1.0;
    ZT_TRY(value_constant(r, 1, &one, &entry->out.weight));
    entry->out.range[1] = 1.0;
    ZT_TRY(value_map(r, value, "wrinkle", keys, COUNT_OF(keys), entry));
    if (entry->out.driver == SCENE_WRINKLE_JOINT && !entry->range)
        return value_fail(r, value, false,
                          "no key 'range' beside a joint (expected the degrees at which the weight "
                          "is 0 and 1)");
    return ZT_OK;
}

zt_result scene_read_wrinkles(scene_reader *r, const document_node *value,
                              const scene_instance *instance, const model_slot *slot,
                              scene_material *out)
{
    if (value->kind != DOCUMENT_LIST)
        return value_wrong(r, value, "a list of wrinkles");
    if (value->count > WRINKLE_LIMIT)
        return value_fail(r, value, false, "%u wrinkles (expected at most %d)", value->count,
                          WRINKLE_LIMIT);
    scene_wrinkle *wrinkles = ARENA_ARRAY(&r->scene->arena, scene_wrinkle, value->count);
    if (!wrinkles)
        return arena_fail(&r->scene->arena, r->err, "wrinkles");
    uint32_t count = 0;
    for (const document_node *node = value->first; node; node = node->next) {
        wrinkle_entry entry = {
            .instance = instance,
            .like = slot->texture >= 0 ? &instance->model->textures[slot->texture] : NULL};
        ZT_TRY(read_wrinkle(r, node, &entry));
        wrinkles[count++] = entry.out;
    }
    out->wrinkles = wrinkles;
    out->wrinkle_count = count;
    return ZT_OK;
}
