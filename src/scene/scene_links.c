// SPDX-License-Identifier: MIT
/// Reads `target` and `parent` and finds their bones.
#include "scene/scene_links.h"

#include "scene/scene_names.h"

#include <string.h>

// ---- target -------------------------------------------------------------------------------------

static zt_result request_bone(document_reader *r, const document_node *model,
                              const document_node *bone, scene_target *out)
{
    bone_request *request;
    ZT_TRY(ARENA_TAKE(r->scratch, &request, 1, "bones of other models", r->err));
    *request = (bone_request){reading_of(r)->bone_requests, out, model, bone};
    reading_of(r)->bone_requests = request;
    return ZT_OK;
}

typedef struct bone_keys {
    const document_node *model, *bone;
    bool before_solvers;
    double offset[3];
} bone_keys;

static zt_result read_before(document_reader *r, const document_node *value, void *target)
{
    static const char *const moments[] = {"solvers"};
    int32_t choice = 0;
    ((bone_keys *)target)->before_solvers = true;
    return value_choice(r, value, moments, COUNT_OF(moments), &choice);
}

/// A map of a model or a bone, with an offset or without.
static zt_result read_target_bone(document_reader *r, const document_node *value, bool has_offset,
                                  scene_target *out)
{
    static const map_key keys[] = {
        KEY_NODE("model", KEY_OPTIONAL, bone_keys, model),
        KEY_NODE("bone", KEY_OPTIONAL, bone_keys, bone),
        KEY_READ("before", KEY_OPTIONAL, read_before),
        KEY_VECTOR("offset", KEY_OPTIONAL, bone_keys, offset, -1e9, 1e9),
    };
    bone_keys bone = {0};
    ZT_TRY(value_map(r, value, "target", keys, COUNT_OF(keys) - !has_offset, &bone));
    memcpy(out->offset, bone.offset, sizeof out->offset);
    out->before_solvers = bone.before_solvers;
    if (bone.model)
        return request_bone(r, bone.model, bone.bone, out);
    if (!bone.bone)
        return value_fail(r, value, false, "no key 'model' or 'bone' in target (expected one)");
    if (bone.before_solvers)
        return value_fail(r, value, false, "before: solvers without a model (expected its name)");
    out->instance = SCENE_TARGET_SELF;
    return scene_value_bone(r, bone.bone, &out->node);
}

zt_result scene_read_target(document_reader *r, const document_node *value, void *target)
{
    scene_target *out = target;
    *out = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (value->kind == DOCUMENT_LIST)
        return value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &out->point);
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "three numbers, keys of them, or a map of model and bone");
    return read_target_bone(r, value, true, out);
}

zt_result scene_read_orientation(document_reader *r, const document_node *value, void *target)
{
    scene_orientation *out = target;
    out->given = true;
    out->target = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (value->kind == DOCUMENT_LIST)
        return value_track(r, value, TRACK_ROTATION, -1e6, 1e6, &out->rotation);
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a rotation, keys of rotations, or a map of model and bone");
    return read_target_bone(r, value, false, &out->target);
}

// ---- parent -------------------------------------------------------------------------------------

typedef struct parent_keys {
    const document_node *model, *bone;
    bool snap, inherit_scale;
    double blend_s;
} parent_keys;

/// `first`: no parent was before it.
static zt_result read_parent_map(document_reader *r, const document_node *value, bool first,
                                 scene_parent_change *out)
{
    static const map_key keys[] = {
        KEY_NODE("model", KEY_REQUIRED, parent_keys, model),
        KEY_NODE("bone", KEY_OPTIONAL, parent_keys, bone),
        KEY_BOOL("snap", KEY_OPTIONAL, parent_keys, snap),
        KEY_NUMBER("blend", KEY_OPTIONAL, parent_keys, blend_s, 0.0, 1e6),
        KEY_BOOL("inherit_scale", KEY_OPTIONAL, parent_keys, inherit_scale),
    };
    parent_keys parent = {.inherit_scale = true};
    ZT_TRY(value_map(r, value, "parent", keys, COUNT_OF(keys), &parent));
    for (const document_node *member = value->first; member; member = member->next)
        if (first && (strcmp(member->key, "snap") == 0 || strcmp(member->key, "blend") == 0))
            return value_fail(r, member, true,
                              "%s of the first parent (expected it where the parent changes)",
                              member->key);
    out->snap = parent.snap;
    out->blend_s = parent.blend_s;
    out->without_scale = !parent.inherit_scale;
    if (!parent.bone && document_is(parent.model, "none"))
        return ZT_OK;
    return request_bone(r, parent.model, parent.bone, &out->bone);
}

static zt_result read_parent_bone(document_reader *r, const document_node *value, bool first,
                                  scene_parent_change *out)
{
    out->bone = (scene_target){.instance = SCENE_TARGET_POINT, .node = -1};
    if (document_is(value, "none"))
        return ZT_OK;
    if (value->kind != DOCUMENT_MAP)
        return value_wrong(r, value, "a map of model and bone, or none");
    return read_parent_map(r, value, first, out);
}

static zt_result read_parent_key(document_reader *r, const document_node *key,
                                 const scene_parent_change *before, scene_parent_change *out)
{
    ZT_TRY(value_list(r, key, 2, 2, "a key [time, parent]"));
    ZT_TRY(value_number(r, key->first, -1e6, 1e6, &out->time_s));
    if (before && !(out->time_s > before->time_s))
        return value_fail(r, key, false,
                          "a key that is not later than the one before it (expected rising times)");
    ZT_TRY(read_parent_bone(r, key->last, !before, out));
    return out->snap && !(out->blend_s > 0.0) ? scene_keep_step(r, out->time_s, 0.0) : ZT_OK;
}

zt_result scene_read_parent(document_reader *r, const document_node *value, void *target)
{
    scene_instance *instance = target;
    const bool has_keys = value->kind == DOCUMENT_LIST;
    const uint32_t count = has_keys ? value->count : 1;
    if (count == 0 || count > SCENE_PARENT_KEY_LIMIT)
        return value_fail(r, value, false, "%u keys of parents (expected 1 to %u)", count,
                          (unsigned)SCENE_PARENT_KEY_LIMIT);
    scene_parent_change *changes;
    ZT_TRY(ARENA_TAKE(r->keep, &changes, count, "parents", r->err));
    if (!has_keys)
        ZT_TRY(read_parent_bone(r, value, true, &changes[0]));
    uint32_t i = 0;
    for (const document_node *key = has_keys ? value->first : NULL; key; key = key->next, i++)
        ZT_TRY(read_parent_key(r, key, i > 0 ? &changes[i - 1] : NULL, &changes[i]));
    reading_of(r)->parent_change_count += count - 1;
    if (reading_of(r)->parent_change_count > SCENE_PARENT_CHANGE_LIMIT)
        return value_fail(r, value, false, "more than %u changes of parents in a scene",
                          (unsigned)SCENE_PARENT_CHANGE_LIMIT);
    instance->parent_changes = changes;
    instance->parent_change_count = count;
    return ZT_OK;
}

// ---- Resolving ----------------------------------------------------------------------------------

zt_result scene_resolve_links(document_reader *r)
{
    for (bone_request *request = reading_of(r)->bone_requests; request; request = request->next) {
        scene_target *target = request->target;
        ZT_TRY(scene_read_instance(r, request->model, &target->instance));
        if (request->bone)
            ZT_TRY(scene_read_bone(r, request->bone, scene_of(r)->instances[target->instance].model,
                                   &target->node));
        scene_of(r)->instances[target->instance].seen_before_solvers |= target->before_solvers;
    }
    return reading_of(r)->bone_requests ? scene_find_pose_order(r) : ZT_OK;
}
