// SPDX-License-Identifier: MIT
/// `ik`: a list of solvers, each a map of one key that says which.
#include "scene/scene_ik_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

enum { SOLVER_LIMIT = 1024 };

static scene_ik *solver(void *target)
{
    return ((ik_target *)target)->ik;
}

// ---- Keys that several solvers share ------------------------------------------------------------

static zt_result read_weight(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 1.0, &solver(target)->weight);
}

static zt_result read_space(scene_reader *r, const document_node *value, void *target)
{
    static const char *const names[] = {"world", "model"};
    int32_t choice = 0;
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    solver(target)->model_space = choice == 1;
    return ZT_OK;
}

static zt_result read_target(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_target(r, value, target, &solver(target)->target);
}

static zt_result read_bone(scene_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = solver(target);
    ik->bones = ARENA_ARRAY(&r->scene->arena, int32_t, 1);
    if (!ik->bones)
        return arena_fail(&r->scene->arena, r->err, "bones");
    ik->bone_count = 1;
    return scene_read_bone(r, value, ((ik_target *)target)->instance->model, &ik->bones[0]);
}

/// Bones that hang on each other, root first, into out[count].
static zt_result read_chain(scene_reader *r, const document_node *value, ik_target *target,
                            int32_t *out)
{
    const zt_model *model = target->instance->model;
    uint32_t i = 0;
    for (const document_node *item = value->first; item; item = item->next, i++) {
        ZT_TRY(scene_read_bone(r, item, model, &out[i]));
        int32_t above = i > 0 ? model->nodes[out[i]].parent : -1;
        while (i > 0 && above >= 0 && above != out[i - 1])
            above = model->nodes[above].parent;
        if (i > 0 && above < 0)
            return value_fail(r, item, false,
                              "the bone '%.80s' does not hang on '%.80s' (expected a chain, from "
                              "its root on)",
                              item->text, model->nodes[out[i - 1]].name);
    }
    return ZT_OK;
}

static zt_result read_bones(scene_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = solver(target);
    const bool limb = ik->kind == SCENE_IK_REACH;
    if (value->kind != DOCUMENT_LIST || value->count == 0 || value->count > SCENE_IK_CHAIN_LIMIT ||
        (limb && value->count != 3))
        return value_wrong(r, value,
                           limb ? "a list of three bones: root, middle, end"
                                : "a list of 1 to 32 bones");
    ik->bones = ARENA_ARRAY(&r->scene->arena, int32_t, value->count);
    if (!ik->bones)
        return arena_fail(&r->scene->arena, r->err, "bones");
    ik->bone_count = value->count;
    return read_chain(r, value, target, ik->bones);
}

static zt_result read_forward(scene_reader *r, const document_node *value, void *target)
{
    return value_direction(r, value, solver(target)->forward);
}

static zt_result read_offset(scene_reader *r, const document_node *value, void *target)
{
    return value_vector(r, value, -1e9, 1e9, solver(target)->offset);
}

static zt_result read_hinge(scene_reader *r, const document_node *value, void *target)
{
    return value_direction(r, value, solver(target)->hinge);
}

static zt_result read_pole(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -1e6, 1e6, &solver(target)->pole);
}

static zt_result read_soft(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 1.0, &solver(target)->soft);
}

static zt_result read_angle(scene_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = solver(target);
    if (value->kind != DOCUMENT_LIST || value->count != 2)
        return value_wrong(r, value, "the smallest and the largest angle, in degrees");
    ZT_TRY(value_number(r, value->first, 0.0, 180.0, &ik->min_deg));
    return value_number(r, value->first->next, ik->min_deg, 180.0, &ik->max_deg);
}

// ---- look_at ------------------------------------------------------------------------------------

static zt_result read_limit(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 180.0, &solver(target)->limit_deg);
}

/// One number for each bone of the chain.
static zt_result read_numbers(scene_reader *r, const document_node *value, const scene_ik *ik,
                              double max, const double **out)
{
    if (value->kind != DOCUMENT_LIST || value->count != ik->bone_count)
        return value_wrong(r, value, "a list of numbers, one for each bone");
    double *numbers = ARENA_ARRAY(&r->scene->arena, double, value->count), *next = numbers;
    if (!numbers)
        return arena_fail(&r->scene->arena, r->err, "numbers of bones");
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(value_number(r, item, 0.0, max, next++));
    *out = numbers;
    return ZT_OK;
}

static zt_result read_limits(scene_reader *r, const document_node *value, void *target)
{
    return read_numbers(r, value, solver(target), 180.0, &solver(target)->limits_deg);
}

static zt_result read_shares(scene_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = solver(target);
    ZT_TRY(read_numbers(r, value, ik, 1e6, &ik->shares));
    double sum = 0.0;
    for (uint32_t i = 0; i < ik->bone_count; i++)
        sum += ik->shares[i];
    return sum > 0.0 ? ZT_OK
                     : value_fail(r, value, false, "shares that are all 0 (expected one above it)");
}

static zt_result read_look_at(scene_reader *r, const document_node *value, void *target)
{
    // The bones before what is counted by them.
    static const map_key keys[] = {
        {"bone",    read_bone,    KEY_OPTIONAL},
        {"bones",   read_bones,   KEY_OPTIONAL},
        {"shares",  read_shares,  KEY_OPTIONAL},
        {"limits",  read_limits,  KEY_OPTIONAL},
        {"limit",   read_limit,   KEY_OPTIONAL},
        {"forward", read_forward, KEY_OPTIONAL},
        {"offset",  read_offset,  KEY_OPTIONAL},
        {"target",  read_target,  KEY_REQUIRED},
        {"space",   read_space,   KEY_OPTIONAL},
        {"weight",  read_weight,  KEY_OPTIONAL},
    };
    scene_ik *ik = solver(target);
    ik->kind = SCENE_IK_LOOK_AT;
    if (value->kind == DOCUMENT_MAP &&
        !document_member(value, "bone") == !document_member(value, "bones"))
        return value_fail(r, value, false, "a look_at needs either 'bone' or 'bones'");
    ZT_TRY(value_map(r, value, "look_at", keys, COUNT_OF(keys), target));
    if (ik->shares)
        return ZT_OK;
    double *equal = ARENA_ARRAY(&r->scene->arena, double, ik->bone_count);
    if (!equal)
        return arena_fail(&r->scene->arena, r->err, "shares");
    for (uint32_t i = 0; i < ik->bone_count; i++)
        equal[i] = 1.0;
    ik->shares = equal;
    return ZT_OK;
}

// ---- reach --------------------------------------------------------------------------------------

static zt_result read_cone_axis(scene_reader *r, const document_node *value, void *target)
{
    return value_direction(r, value, solver(target)->cone_axis);
}

static zt_result read_cone_angle(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 180.0, &solver(target)->cone_deg);
}

static zt_result read_cone(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"axis",  read_cone_axis,  KEY_REQUIRED},
        {"angle", read_cone_angle, KEY_REQUIRED},
    };
    return value_map(r, value, "cone", keys, COUNT_OF(keys), target);
}

static zt_result read_reach(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"bones",  read_bones,  KEY_REQUIRED},
        {"target", read_target, KEY_REQUIRED},
        {"space",  read_space,  KEY_OPTIONAL},
        {"pole",   read_pole,   KEY_OPTIONAL},
        {"hinge",  read_hinge,  KEY_OPTIONAL},
        {"soft",   read_soft,   KEY_OPTIONAL},
        {"angle",  read_angle,  KEY_OPTIONAL},
        {"cone",   read_cone,   KEY_OPTIONAL},
        {"weight", read_weight, KEY_OPTIONAL},
    };
    solver(target)->kind = SCENE_IK_REACH;
    return value_map(r, value, "reach", keys, COUNT_OF(keys), target);
}

// ---- aim ----------------------------------------------------------------------------------------

static zt_result read_up(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -1e6, 1e6, &solver(target)->up);
}

static zt_result read_up_axis(scene_reader *r, const document_node *value, void *target)
{
    return value_direction(r, value, solver(target)->up_axis);
}

static zt_result read_aim(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"bone",    read_bone,    KEY_REQUIRED},
        {"axis",    read_forward, KEY_OPTIONAL},
        {"offset",  read_offset,  KEY_OPTIONAL},
        {"up_axis", read_up_axis, KEY_OPTIONAL},
        {"up",      read_up,      KEY_OPTIONAL},
        {"target",  read_target,  KEY_REQUIRED},
        {"space",   read_space,   KEY_OPTIONAL},
        {"weight",  read_weight,  KEY_OPTIONAL},
    };
    static const double one_share = 1.0;
    solver(target)->kind = SCENE_IK_AIM;
    solver(target)->shares = &one_share;
    return value_map(r, value, "aim", keys, COUNT_OF(keys), target);
}

// ---- plant --------------------------------------------------------------------------------------

static zt_result read_pelvis(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_bone(r, value, ((ik_target *)target)->instance->model,
                           &solver(target)->pelvis);
}

static zt_result read_feet(scene_reader *r, const document_node *value, void *target)
{
    static const char *const expected =
        "a list of 1 to 16 feet, each a list of three bones: thigh, shin, foot";
    scene_ik *ik = solver(target);
    if (value->kind != DOCUMENT_LIST || value->count == 0 || value->count > SCENE_IK_FOOT_LIMIT)
        return value_wrong(r, value, expected);
    ik->bones = ARENA_ARRAY(&r->scene->arena, int32_t, (size_t)value->count * 3);
    if (!ik->bones)
        return arena_fail(&r->scene->arena, r->err, "feet");
    for (const document_node *foot = value->first; foot; foot = foot->next) {
        if (foot->kind != DOCUMENT_LIST || foot->count != 3)
            return value_wrong(r, foot, expected);
        ZT_TRY(read_chain(r, foot, target, ik->bones + ik->bone_count));
        ik->bone_count += 3;
    }
    return ZT_OK;
}

static zt_result read_ground(scene_reader *r, const document_node *value, void *target)
{
    return scene_read_ik_ground(r, value, &solver(target)->ground);
}

static zt_result read_floor(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -1e9, 1e9, &solver(target)->floor_m);
}

static zt_result read_tilt(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 80.0, &solver(target)->tilt_deg);
}

static zt_result read_drop(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 1e9, &solver(target)->drop_m);
}

static zt_result read_rise(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 1e9, &solver(target)->rise_m);
}

static zt_result read_plant(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"pelvis", read_pelvis, KEY_REQUIRED},
        {"feet",   read_feet,   KEY_REQUIRED},
        {"ground", read_ground, KEY_OPTIONAL},
        {"floor",  read_floor,  KEY_OPTIONAL},
        {"tilt",   read_tilt,   KEY_OPTIONAL},
        {"drop",   read_drop,   KEY_OPTIONAL},
        {"rise",   read_rise,   KEY_OPTIONAL},
        {"pole",   read_pole,   KEY_OPTIONAL},
        {"space",  read_space,  KEY_OPTIONAL},
        {"hinge",  read_hinge,  KEY_OPTIONAL},
        {"soft",   read_soft,   KEY_OPTIONAL},
        {"angle",  read_angle,  KEY_OPTIONAL},
        {"weight", read_weight, KEY_OPTIONAL},
    };
    scene_ik *ik = solver(target);
    const zt_model *model = ((ik_target *)target)->instance->model;
    ik->kind = SCENE_IK_PLANT;
    ZT_TRY(value_map(r, value, "plant", keys, COUNT_OF(keys), target));
    for (uint32_t i = 0; i < ik->bone_count; i += 3) {
        int32_t above = ik->bones[i];
        while (above >= 0 && above != ik->pelvis)
            above = model->nodes[above].parent;
        if (above < 0 || ik->bones[i] == ik->pelvis)
            return value_fail(r, document_member(value, "feet"), false,
                              "the bone '%.80s' does not hang on the pelvis '%.80s'",
                              model->nodes[ik->bones[i]].name, model->nodes[ik->pelvis].name);
    }
    return ZT_OK;
}

// ---- The list -----------------------------------------------------------------------------------

static zt_result read_solver(scene_reader *r, const document_node *value, ik_target *target)
{
    static const map_key keys[] = {
        {"look_at", read_look_at, KEY_OPTIONAL},
        {"reach",   read_reach,   KEY_OPTIONAL},
        {"aim",     read_aim,     KEY_OPTIONAL},
        {"plant",   read_plant,   KEY_OPTIONAL},
    };
    const double one = 1.0, up[3] = {0.0, 1.0, 0.0};
    *target->ik = (scene_ik){
        .target = {.instance = SCENE_TARGET_POINT, .node = -1},
        .forward = {0.0,                              0.0, 1.0},
        .up_axis = {0.0,1.0, 0.0},
        .limit_deg = 180.0,
        .soft = 0.03,
        .max_deg = 180.0,
        .cone_deg = 180.0,
        .pelvis = -1,
        .ground = {.normal = {0.0, 1.0, 0.0}                             },
        .tilt_deg = 30.0,
        .drop_m = 1e9,
    };
    ZT_TRY(value_constant(r, 1, &one, &target->ik->weight));
    ZT_TRY(value_constant(r, 3, up, &target->ik->up));
    if (value->kind == DOCUMENT_MAP && value->count != 1)
        return value_fail(r, value, false,
                          "%u keys in a solver (expected one of look_at, reach, aim, plant)",
                          value->count);
    return value_map(r, value, "ik", keys, COUNT_OF(keys), target);
}

zt_result scene_read_ik(scene_reader *r, const document_node *value, scene_instance *instance)
{
    if (value->kind != DOCUMENT_LIST)
        return value_wrong(r, value, "a list of solvers");
    if (value->count > SOLVER_LIMIT)
        return value_fail(r, value, false, "%u solvers (expected at most %d)", value->count,
                          SOLVER_LIMIT);
    scene_ik *ik = ARENA_ARRAY(&r->scene->arena, scene_ik, value->count);
    if (!ik)
        return arena_fail(&r->scene->arena, r->err, "solvers");
    uint32_t i = 0;
    for (const document_node *item = value->first; item; item = item->next, i++) {
        ik_target target = {instance, &ik[i]};
        ZT_TRY(read_solver(r, item, &target));
    }
    instance->ik = ik;
    instance->ik_count = value->count;
    return ZT_OK;
}
