// SPDX-License-Identifier: MIT
/// `bones`: bones of a model that the scene moves by keys of its own.
#include "scene/scene_driver.h"
#include "scene/scene_names.h"
#include "scene/scene_read.h"

static const char *const modes[] = {"override", "additive"};

static zt_result read_bone(document_reader *r, const document_node *member, const zt_model *model,
                           scene_bone_keys *out)
{
    static const map_key keys[] = {
        KEY_TRACK("rotate", KEY_OPTIONAL, scene_bone_keys, rotate, TRACK_ROTATION, -1e6, 1e6),
        KEY_TRACK("translate", KEY_OPTIONAL, scene_bone_keys, translate, TRACK_VECTOR, -1e9, 1e9),
        KEY_TRACK("scale", KEY_OPTIONAL, scene_bone_keys, scale, TRACK_SCALE, -1e6, 1e6),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_bone_keys, weight, TRACK_NUMBER, 0.0, 1.0),
        KEY_CHOICE("mode", KEY_OPTIONAL, scene_bone_keys, mode, modes),
        KEY_READ_INTO("driver", KEY_OPTIONAL, scene_read_driver, scene_bone_keys, driver),
    };
    ZT_TRY(scene_read_bone_key(r, member, model, &out->node));
    ZT_TRY(value_map(r, member, "bone", keys, COUNT_OF(keys), out));
    if (out->rotate.key_count + out->translate.key_count + out->scale.key_count == 0)
        return value_fail(r, member, false,
                          "keys of a bone without a transform (expected rotate, "
                          "translate or scale)");
    return ZT_OK;
}

zt_result scene_read_bones(document_reader *r, const document_node *value, void *target)
{
    scene_instance *out = target;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of bones and their keys");
    scene_bone_keys *bones;
    uint32_t count = 0;
    ZT_TRY(ARENA_TAKE(r->keep, &bones, value->count, "bones", r->err));
    for (const document_node *member = value->first; member; member = member->next)
        ZT_TRY(read_bone(r, member, out->model, &bones[count++]));
    out->bone_keys = bones;
    out->bone_key_count = count;
    return ZT_OK;
}
