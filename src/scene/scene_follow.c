// SPDX-License-Identifier: MIT
/// Reads points of cameras and lights that may follow a model or a bone.
#include "scene/scene_follow.h"

#include "scene/scene_names.h"
#include "scene/scene_read.h"

#define POSITION_LIMIT 1e9 // metres

static const char *const spaces[] = {"bone", "world"};

typedef struct follow_keys {
    const document_node *model, *bone;
    scene_follow follow;
} follow_keys;

static zt_result read_follow(document_reader *r, const document_node *value,
                             const scene_follow **out)
{
    static const map_key keys[] = {
        KEY_NODE("model", KEY_REQUIRED, follow_keys, model),
        KEY_NODE("bone", KEY_OPTIONAL, follow_keys, bone),
        KEY_VECTOR("offset", KEY_OPTIONAL, follow_keys, follow.offset, -POSITION_LIMIT,
                   POSITION_LIMIT),
        KEY_CHOICE("space", KEY_OPTIONAL, follow_keys, follow.world_offset, spaces),
        KEY_NUMBER("smooth", KEY_OPTIONAL, follow_keys, follow.smooth_s, 0.0,
                   SCENE_FOLLOW_SMOOTH_MAX),
    };
    follow_keys read = {.follow.node = -1};
    ZT_TRY(value_map(r, value, "point that follows", keys, COUNT_OF(keys), &read));
    ZT_TRY(scene_read_instance(r, read.model, &read.follow.instance));
    if (read.bone)
        ZT_TRY(scene_read_bone(r, read.bone, scene_of(r)->instances[read.follow.instance].model,
                               &read.follow.node));
    reading_of(r)->smooth_count += read.follow.smooth_s > 0.0;
    if (reading_of(r)->smooth_count > SCENE_SMOOTH_LIMIT)
        return value_fail(r, value, false, "more than %d points with 'smooth' in a scene",
                          (int)SCENE_SMOOTH_LIMIT);
    scene_follow *follow;
    ZT_TRY(ARENA_TAKE(r->keep, &follow, 1, "points that follow", r->err));
    *follow = read.follow;
    *out = follow;
    return ZT_OK;
}

zt_result scene_read_point(document_reader *r, const document_node *value, void *target)
{
    scene_point *out = target;
    out->follow = NULL;
    if (value->kind == DOCUMENT_MAP &&
        (document_member(value, "model") || document_member(value, "bone")))
        return read_follow(r, value, &out->follow);
    return value_track(r, value, TRACK_VECTOR, -POSITION_LIMIT, POSITION_LIMIT, &out->at);
}
