// SPDX-License-Identifier: MIT
/// The keys of `twist`.
#include "scene/scene_ik_keys.h"
#include "scene/scene_names.h"

/// The bones that share, with room for the one whose twist they share.
static zt_result read_twist_bones(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    ZT_TRY(value_list(r, value, 1, SCENE_IK_CHAIN_LIMIT - 1, "a list of 1 to 31 bones"));
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, (size_t)value->count + 1, "bones", r->err));
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(scene_value_solver_bone(r, item, &ik->bones[ik->bone_count++]));
    return ZT_OK;
}

static zt_result read_twist_shares(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    return scene_ik_read_numbers(r, value, ik->bone_count, 1.0, &ik->shares);
}

static zt_result read_twisted(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    const zt_model *model = model_of(r);
    int32_t bone;
    ZT_TRY(scene_read_solver_bone(r, value, model, &bone));
    if (!ik->bones)
        return value_fail(r, value, false, "a twist without bones that share it");
    for (uint32_t i = 0; i < ik->bone_count; i++)
        if (ik->bones[i] == bone || scene_bone_is_below(model, ik->bones[i], bone))
            return value_fail(
                r, value, false,
                "'%.80s' shares the twist of '%.80s', which it follows (expected bones "
                "above it, or next to it)",
                model->nodes[ik->bones[i]].name, model->nodes[bone].name);
    ik->bones[ik->bone_count++] = bone;
    return ZT_OK;
}

zt_result scene_ik_read_twist(document_reader *r, const document_node *value, void *target)
{
    // `bone` comes after those that share its twist, which `shares` counts.
    static const map_key keys[] = {
        KEY_READ("bones", KEY_REQUIRED, read_twist_bones),
        KEY_READ("shares", KEY_OPTIONAL, read_twist_shares),
        KEY_READ("bone", KEY_REQUIRED, read_twisted),
        KEY_DIRECTION("axis", KEY_OPTIONAL, scene_ik, forward),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    scene_ik *ik = target;
    ik->kind = SCENE_IK_TWIST;
    ik->forward[2] = 0.0; // none
    ZT_TRY(value_map(r, value, "twist", keys, COUNT_OF(keys), ik));
    if (ik->shares)
        return ZT_OK;
    const uint32_t count = ik->bone_count - 1;
    double *even;
    ZT_TRY(ARENA_TAKE(r->keep, &even, count, "shares", r->err));
    for (uint32_t i = 0; i < count; i++)
        even[i] = (i + 1.0) / (count + 1.0);
    ik->shares = even;
    return ZT_OK;
}
