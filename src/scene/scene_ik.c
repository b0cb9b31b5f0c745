// SPDX-License-Identifier: MIT
/// `ik` of a model or instance: a list of solvers, each a map with one key that names the solver.
#include "scene/scene_ik_keys.h"
#include "scene/scene_links.h"
#include "scene/scene_read.h"

#include <stdio.h>

enum { SOLVER_LIMIT = 1024 };

static zt_result read_copy_rotation(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("bone", KEY_REQUIRED, scene_ik_read_bone),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_orientation, scene_ik, orient),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, scene_ik_spaces),
        KEY_TRACK("rotate", KEY_OPTIONAL, scene_ik, orient.rotate, TRACK_ROTATION, -1e6, 1e6),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    ((scene_ik *)target)->kind = SCENE_IK_COPY_ROTATION;
    return value_map(r, value, "copy_rotation", keys, COUNT_OF(keys), target);
}

static zt_result read_gaze(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    ((scene_ik *)target)->kind = SCENE_IK_GAZE;
    if (!model_of(r)->gaze)
        return value_fail(r, value, true,
                          "a gaze of a model that has none (expected a VRM file with lookAt)");
    return value_map(r, value, "gaze", keys, COUNT_OF(keys), target);
}

/// A map of more or fewer than one key: the message lists the keys that there are.
static zt_result fail_key_count(document_reader *r, const document_node *value, const map_key *keys,
                                size_t count)
{
    char names[128] = "";
    size_t used = 0;
    for (size_t i = 0; i < count && used + 1 < sizeof names; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "",
                                 keys[i].name);
    return value_fail(r, value, false, "%u keys in a solver (expected one of %s)", value->count,
                      names);
}

static zt_result read_solver(document_reader *r, const document_node *value, scene_ik *out)
{
    static const map_key keys[] = {
        KEY_READ("look_at", KEY_OPTIONAL, scene_ik_read_look_at),
        KEY_READ("reach", KEY_OPTIONAL, scene_ik_read_reach),
        KEY_READ("aim", KEY_OPTIONAL, scene_ik_read_aim),
        KEY_READ("plant", KEY_OPTIONAL, scene_ik_read_plant),
        KEY_READ("copy_rotation", KEY_OPTIONAL, read_copy_rotation),
        KEY_READ("chain", KEY_OPTIONAL, scene_ik_read_chain),
        KEY_READ("twist", KEY_OPTIONAL, scene_ik_read_twist),
        KEY_READ("gaze", KEY_OPTIONAL, read_gaze),
    };
    const double one = 1.0, up[3] = {0.0, 1.0, 0.0};
    *out = (scene_ik){
        .target = {.instance = SCENE_TARGET_POINT, .node = -1},
        .orient = {.target = {.instance = SCENE_TARGET_POINT, .node = -1}},
        .forward = {0.0, 0.0, 1.0},
        .up_axis = {0.0, 1.0, 0.0},
        .limit_deg = 180.0,
        .yaw_deg = {180.0, 180.0},
        .pitch_deg = {180.0, 180.0},
        .soft = 0.03,
        .max_deg = 180.0,
        .cone_deg = 180.0,
        .iterations = 48,
        .chain_root = -1,
        .pelvis = -1,
        .terrain = {.normal = {0.0, 1.0, 0.0}},
        .tilt_deg = 30.0,
        .smooth_s = 0.4,
        .drop_m = 1e9,
    };
    ZT_TRY(value_constant(r, 1, &one, &out->weight));
    ZT_TRY(value_constant(r, 3, up, &out->up));
    if (value->kind == DOCUMENT_MAP && value->count != 1)
        return fail_key_count(r, value, keys, COUNT_OF(keys));
    return value_map(r, value, "ik", keys, COUNT_OF(keys), out);
}

zt_result scene_read_ik(document_reader *r, const document_node *value, void *target)
{
    scene_instance *instance = target;
    ZT_TRY(value_list(r, value, 0, UINT32_MAX, "a list of solvers"));
    if (value->count > SOLVER_LIMIT)
        return value_fail(r, value, false, "%u solvers (expected at most %d)", value->count,
                          SOLVER_LIMIT);
    scene_ik *ik;
    ZT_TRY(ARENA_TAKE(r->keep, &ik, value->count, "solvers", r->err));
    uint32_t count = 0;
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(read_solver(r, item, &ik[count++]));
    instance->ik = ik;
    instance->ik_count = count;
    return ZT_OK;
}
