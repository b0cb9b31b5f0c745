// SPDX-License-Identifier: MIT
/// `parent` of a model: a bone of another that it rides on, or keys of such bones and none.
#include "scene/scene_ik_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

typedef struct parent_names {
    const document_node *model, *bone;
} parent_names;

static zt_result read_model(scene_reader *r, const document_node *value, void *target)
{
    if ((value->kind != DOCUMENT_STRING && value->kind != DOCUMENT_NUMBER) || value->text[0] == 0)
        return value_wrong(r, value, "the name of a model");
    ((parent_names *)target)->model = value;
    return ZT_OK;
}

static zt_result read_bone(scene_reader *r, const document_node *value, void *target)
{
    (void)r;
    ((parent_names *)target)->bone = value;
    return ZT_OK;
}

static zt_result read_one(scene_reader *r, const document_node *value, scene_target *out)
{
    static const map_key keys[] = {
        {"model", read_model, KEY_REQUIRED},
        {"bone",  read_bone,  KEY_REQUIRED},
    };
    *out = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (value->kind == DOCUMENT_STRING && strcmp(value->text, "none") == 0)
        return ZT_OK;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of model and bone, or none");
    parent_names names = {0};
    ZT_TRY(value_map(r, value, "parent", keys, COUNT_OF(keys), &names));
    return scene_wish_bone(r, names.model, names.bone, out);
}

static zt_result read_key(scene_reader *r, const document_node *key,
                          const scene_parent_change *before, scene_parent_change *out)
{
    if (key->kind != DOCUMENT_LIST || key->count != 2)
        return value_wrong(r, key, "a key [time, parent]");
    ZT_TRY(value_number(r, key->first, -1e6, 1e6, &out->time_s));
    if (before && !(out->time_s > before->time_s))
        return value_fail(r, key, false,
                          "a key that is not later than the one before it (expected rising times)");
    return read_one(r, key->first->next, &out->bone);
}

zt_result scene_read_parent(scene_reader *r, const document_node *value, scene_instance *out)
{
    const bool has_keys = value->kind == DOCUMENT_LIST;
    const uint32_t count = has_keys ? value->count : 1;
    if (count == 0 || count > SCENE_PARENT_KEY_LIMIT)
        return value_fail(r, value, false, "%u keys of parents (expected 1 to %u)", count,
                          (unsigned)SCENE_PARENT_KEY_LIMIT);
    scene_parent_change *parents = ARENA_ARRAY(&r->scene->arena, scene_parent_change, count);
    if (!parents)
        return arena_fail(&r->scene->arena, r->err, "parents");
    if (!has_keys)
        ZT_TRY(read_one(r, value, &parents[0].bone));
    uint32_t at = 0;
    for (const document_node *key = has_keys ? value->first : NULL; key; key = key->next, at++)
        ZT_TRY(read_key(r, key, at > 0 ? &parents[at - 1] : NULL, &parents[at]));
    r->switches += count - 1;
    if (r->switches > SCENE_PARENT_CHANGE_LIMIT)
        return value_fail(r, value, false, "more than %u changes of parents in a scene",
                          (unsigned)SCENE_PARENT_CHANGE_LIMIT);
    out->parent_changes = parents;
    out->parent_change_count = count;
    return ZT_OK;
}
