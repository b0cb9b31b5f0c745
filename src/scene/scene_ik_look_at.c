// SPDX-License-Identifier: MIT
/// The keys of `look_at` and `aim`.
#include "scene/scene_ik_keys.h"
#include "scene/scene_links.h"

static zt_result read_limits(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    return scene_ik_read_numbers(r, value, ik->bone_count, 180.0, &ik->limits_deg);
}

static zt_result read_shares(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    ZT_TRY(scene_ik_read_numbers(r, value, ik->bone_count, 1e6, &ik->shares));
    double sum = 0.0;
    for (uint32_t i = 0; i < ik->bone_count; i++)
        sum += ik->shares[i];
    return sum > 0.0 ? ZT_OK
                     : value_fail(r, value, false, "shares that are all 0 (expected one above 0)");
}

/// An angle to both sides, or one for each: right and left, or down and up.
static zt_result read_sides(document_reader *r, const document_node *value, void *target)
{
    double *out = target;
    if (value->kind == DOCUMENT_LIST)
        return value_pair(r, value, 0.0, 180.0, "an angle, or one for each side, in degrees", out);
    ZT_TRY(value_number(r, value, 0.0, 180.0, &out[0]));
    out[1] = out[0];
    return ZT_OK;
}

zt_result scene_ik_read_look_at(document_reader *r, const document_node *value, void *target)
{
    // `shares` and `limits` are lists of one number for each bone: the bones come first.
    static const map_key keys[] = {
        KEY_READ("bone", KEY_OPTIONAL, scene_ik_read_bone),
        KEY_READ("bones", KEY_OPTIONAL, scene_ik_read_bones),
        KEY_READ("shares", KEY_OPTIONAL, read_shares),
        KEY_READ("limits", KEY_OPTIONAL, read_limits),
        KEY_NUMBER("limit", KEY_OPTIONAL, scene_ik, limit_deg, 0.0, 180.0),
        KEY_READ_INTO("yaw", KEY_OPTIONAL, read_sides, scene_ik, yaw_deg),
        KEY_READ_INTO("pitch", KEY_OPTIONAL, read_sides, scene_ik, pitch_deg),
        KEY_TRACK("up", KEY_OPTIONAL, scene_ik, up, TRACK_VECTOR, -1e6, 1e6),
        KEY_DIRECTION("forward", KEY_OPTIONAL, scene_ik, forward),
        KEY_VECTOR("offset", KEY_OPTIONAL, scene_ik, offset, -1e9, 1e9),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, scene_ik_spaces),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    scene_ik *ik = target;
    const track y_is_up = ik->up;
    ik->kind = SCENE_IK_LOOK_AT;
    ik->up = (track){.key_count = 0};
    if (value->kind == DOCUMENT_MAP &&
        !document_member(value, "bone") == !document_member(value, "bones"))
        return value_fail(r, value, false, "a look_at needs either 'bone' or 'bones'");
    ZT_TRY(value_map(r, value, "look_at", keys, COUNT_OF(keys), ik));
    if (ik->up.key_count == 0 && (document_member(value, "yaw") || document_member(value, "pitch")))
        ik->up = y_is_up;
    if (ik->shares)
        return ZT_OK;
    double *equal;
    ZT_TRY(ARENA_TAKE(r->keep, &equal, ik->bone_count, "shares", r->err));
    for (uint32_t i = 0; i < ik->bone_count; i++)
        equal[i] = 1.0;
    ik->shares = equal;
    return ZT_OK;
}

zt_result scene_ik_read_aim(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("bone", KEY_REQUIRED, scene_ik_read_bone),
        KEY_DIRECTION("axis", KEY_OPTIONAL, scene_ik, forward),
        KEY_VECTOR("offset", KEY_OPTIONAL, scene_ik, offset, -1e9, 1e9),
        KEY_DIRECTION("up_axis", KEY_OPTIONAL, scene_ik, up_axis),
        KEY_TRACK("up", KEY_OPTIONAL, scene_ik, up, TRACK_VECTOR, -1e6, 1e6),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, scene_ik_spaces),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    static const double one_share = 1.0;
    scene_ik *ik = target;
    ik->kind = SCENE_IK_AIM;
    ik->shares = &one_share;
    return value_map(r, value, "aim", keys, COUNT_OF(keys), ik);
}
