// SPDX-License-Identifier: MIT
/// `ik` of a model or instance: a list of solvers, each a map with one key that names the solver.
#include "scene/scene_ik.h"

#include "base/dvec3.h"
#include "scene/scene_links.h"
#include "scene/scene_names.h"
#include "scene/scene_read.h"

#include <stdio.h>

enum { SOLVER_LIMIT = 1024 };

static const char *const spaces[] = {"world", "model"};

// ---- Keys that several solvers share ------------------------------------------------------------

static zt_result read_bone(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, 1, "bones", r->err));
    ik->bone_count = 1;
    return scene_read_solver_bone(r, value, model_of(r), &ik->bones[0]);
}

/// Bones, each below the last, into out[value->count]. `limb`: the last may hang elsewhere.
static zt_result read_chain(document_reader *r, const document_node *value, bool limb, int32_t *out)
{
    const zt_model *model = model_of(r);
    uint32_t i = 0;
    for (const document_node *item = value->first; item; item = item->next, i++) {
        ZT_TRY(scene_read_solver_bone(r, item, model, &out[i]));
        if (limb && i == 2 && out[i] != out[0] && out[i] != out[1] &&
            !scene_bone_is_below(model, out[1], out[i]))
            continue;
        if (i > 0 && !scene_bone_is_below(model, out[i], out[i - 1]))
            return value_fail(r, item, false,
                              "the bone '%.80s' is not below '%.80s' (expected a chain that starts "
                              "at its root)",
                              item->text, model->nodes[out[i - 1]].name);
    }
    return ZT_OK;
}

static zt_result read_bones(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    const bool limb = ik->kind == SCENE_IK_REACH, chain = ik->kind == SCENE_IK_CHAIN;
    if (value->kind != DOCUMENT_LIST || value->count == 0 || value->count > SCENE_IK_CHAIN_LIMIT ||
        (limb && value->count != 3) || (chain && value->count < 3))
        return value_wrong(r, value,
                           limb    ? "a list of three bones: root, middle, end"
                           : chain ? "a list of 3 to 32 bones, its end included"
                                   : "a list of 1 to 32 bones");
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, value->count, "bones", r->err));
    ik->bone_count = value->count;
    return read_chain(r, value, limb, ik->bones);
}

static zt_result read_angle(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    if (value->kind != DOCUMENT_LIST || value->count != 2)
        return value_wrong(r, value, "the smallest and the largest angle, in degrees");
    ZT_TRY(value_number(r, value->first, 0.0, 180.0, &ik->min_deg));
    return value_number(r, value->last, ik->min_deg, 180.0, &ik->max_deg);
}

// ---- look_at ------------------------------------------------------------------------------------

/// One number for each bone of the chain.
static zt_result read_numbers(document_reader *r, const document_node *value, uint32_t count,
                              double max, const double **out)
{
    if (value->kind != DOCUMENT_LIST || value->count != count)
        return value_wrong(r, value, "a list of numbers, one for each bone");
    double *numbers = ARENA_ARRAY(r->keep, double, count), *next = numbers;
    if (!numbers)
        return arena_fail(r->keep, r->err, "numbers of bones");
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(value_number(r, item, 0.0, max, next++));
    *out = numbers;
    return ZT_OK;
}

static zt_result read_limits(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    return read_numbers(r, value, ik->bone_count, 180.0, &ik->limits_deg);
}

static zt_result read_shares(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    ZT_TRY(read_numbers(r, value, ik->bone_count, 1e6, &ik->shares));
    double sum = 0.0;
    for (uint32_t i = 0; i < ik->bone_count; i++)
        sum += ik->shares[i];
    return sum > 0.0 ? ZT_OK
                     : value_fail(r, value, false, "shares that are all 0 (expected one above 0)");
}

/// An angle to both sides, or one for each: right and left, or down and up.
static zt_result read_sides(document_reader *r, const document_node *value, double out[2])
{
    if (value->kind == DOCUMENT_LIST)
        return value_pair(r, value, 0.0, 180.0, "an angle, or one for each side, in degrees", out);
    ZT_TRY(value_number(r, value, 0.0, 180.0, &out[0]));
    out[1] = out[0];
    return ZT_OK;
}

static zt_result read_yaw(document_reader *r, const document_node *value, void *target)
{
    return read_sides(r, value, ((scene_ik *)target)->yaw_deg);
}

static zt_result read_pitch(document_reader *r, const document_node *value, void *target)
{
    return read_sides(r, value, ((scene_ik *)target)->pitch_deg);
}

static zt_result read_look_at(document_reader *r, const document_node *value, void *target)
{
    // `shares` and `limits` are lists of one number for each bone: the bones come first.
    static const map_key keys[] = {
        KEY_READ("bone", KEY_OPTIONAL, read_bone),
        KEY_READ("bones", KEY_OPTIONAL, read_bones),
        KEY_READ("shares", KEY_OPTIONAL, read_shares),
        KEY_READ("limits", KEY_OPTIONAL, read_limits),
        KEY_NUMBER("limit", KEY_OPTIONAL, scene_ik, limit_deg, 0.0, 180.0),
        KEY_READ("yaw", KEY_OPTIONAL, read_yaw),
        KEY_READ("pitch", KEY_OPTIONAL, read_pitch),
        KEY_TRACK("up", KEY_OPTIONAL, scene_ik, up, TRACK_VECTOR, -1e6, 1e6),
        KEY_DIRECTION("forward", KEY_OPTIONAL, scene_ik, forward),
        KEY_VECTOR("offset", KEY_OPTIONAL, scene_ik, offset, -1e9, 1e9),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, spaces),
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

// ---- reach --------------------------------------------------------------------------------------

static zt_result read_cone(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_DIRECTION("axis", KEY_REQUIRED, scene_ik, cone_axis),
        KEY_NUMBER("angle", KEY_REQUIRED, scene_ik, cone_deg, 0.0, 180.0),
    };
    return value_map(r, value, "cone", keys, COUNT_OF(keys), target);
}

static zt_result read_orient(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("target", KEY_REQUIRED, scene_read_orientation),
        KEY_TRACK("rotate", KEY_OPTIONAL, scene_orientation, rotate, TRACK_ROTATION, -1e6, 1e6),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_orientation, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    return value_map(r, value, "orient", keys, COUNT_OF(keys), target);
}

static zt_result read_reach(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("bones", KEY_REQUIRED, read_bones),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, spaces),
        KEY_TRACK("pole", KEY_OPTIONAL, scene_ik, pole, TRACK_VECTOR, -1e6, 1e6),
        KEY_DIRECTION("hinge", KEY_OPTIONAL, scene_ik, hinge),
        KEY_NUMBER("soft", KEY_OPTIONAL, scene_ik, soft, 0.0, 1.0),
        KEY_READ("angle", KEY_OPTIONAL, read_angle),
        KEY_READ("cone", KEY_OPTIONAL, read_cone),
        KEY_READ_INTO("orient", KEY_OPTIONAL, read_orient, scene_ik, orient),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    ((scene_ik *)target)->kind = SCENE_IK_REACH;
    return value_map(r, value, "reach", keys, COUNT_OF(keys), target);
}

// ---- aim ----------------------------------------------------------------------------------------

static zt_result read_aim(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("bone", KEY_REQUIRED, read_bone),
        KEY_DIRECTION("axis", KEY_OPTIONAL, scene_ik, forward),
        KEY_VECTOR("offset", KEY_OPTIONAL, scene_ik, offset, -1e9, 1e9),
        KEY_DIRECTION("up_axis", KEY_OPTIONAL, scene_ik, up_axis),
        KEY_TRACK("up", KEY_OPTIONAL, scene_ik, up, TRACK_VECTOR, -1e6, 1e6),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, spaces),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    static const double one_share = 1.0;
    scene_ik *ik = target;
    ik->kind = SCENE_IK_AIM;
    ik->shares = &one_share;
    return value_map(r, value, "aim", keys, COUNT_OF(keys), ik);
}

// ---- chain --------------------------------------------------------------------------------------

static zt_result read_chain_root(document_reader *r, const document_node *value, void *target)
{
    return scene_read_solver_bone(r, value, model_of(r), &((scene_ik *)target)->chain_root);
}

/// All bones from `root` down to this one.
static zt_result read_chain_end(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    const zt_model *model = model_of(r);
    int32_t end;
    uint32_t count = 1;
    ZT_TRY(scene_read_solver_bone(r, value, model, &end));
    if (ik->chain_root < 0 || !scene_bone_is_below(model, end, ik->chain_root))
        return value_fail(r, value, false, "the bone '%.80s' is not below the root of the chain",
                          value->text);
    for (int32_t node = end; node != ik->chain_root; node = model->nodes[node].parent)
        count++;
    if (count < 3 || count > SCENE_IK_CHAIN_LIMIT)
        return value_fail(r, value, false,
                          "a chain of %u bones (expected 3 to %d, its end included)", count,
                          SCENE_IK_CHAIN_LIMIT);
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, count, "bones", r->err));
    ik->bone_count = count;
    for (int32_t node = end; count > 0; node = model->nodes[node].parent) {
        if (model->nodes[node].has_matrix)
            return value_fail(r, value, false,
                              "the bone '%.80s' in the chain has a matrix with shear",
                              model->nodes[node].name);
        ik->bones[--count] = node;
    }
    return ZT_OK;
}

/// An angle for all bones, or one for each but the end.
static zt_result read_bend_limit(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    double limit;
    if (ik->bone_count == 0)
        return value_fail(r, value, false, "a limit without bones");
    if (value->kind == DOCUMENT_LIST)
        return read_numbers(r, value, ik->bone_count - 1, 180.0, &ik->limits_deg);
    ZT_TRY(value_number(r, value, 0.0, 180.0, &limit));
    double *limits;
    ZT_TRY(ARENA_TAKE(r->keep, &limits, ik->bone_count, "numbers of bones", r->err));
    for (uint32_t i = 0; i < ik->bone_count; i++)
        limits[i] = limit;
    ik->limits_deg = limits;
    return ZT_OK;
}

static zt_result read_chain_solver(document_reader *r, const document_node *value, void *target)
{
    // `limit` may be a list of one number for each bone: the bones come first.
    static const map_key keys[] = {
        KEY_READ("root", KEY_OPTIONAL, read_chain_root),
        KEY_READ("end", KEY_OPTIONAL, read_chain_end),
        KEY_READ("bones", KEY_OPTIONAL, read_bones),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_target, scene_ik, target),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, spaces),
        KEY_TRACK("pole", KEY_OPTIONAL, scene_ik, pole, TRACK_VECTOR, -1e6, 1e6),
        KEY_READ("limit", KEY_OPTIONAL, read_bend_limit),
        KEY_NUMBER("soft", KEY_OPTIONAL, scene_ik, soft, 0.0, 1.0),
        KEY_INTEGER("iterations", KEY_OPTIONAL, scene_ik, iterations, 1, 256),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    scene_ik *ik = target;
    ik->kind = SCENE_IK_CHAIN;
    if (value->kind == DOCUMENT_MAP) {
        const bool ends = document_member(value, "root") && document_member(value, "end");
        const bool either = document_member(value, "root") || document_member(value, "end");
        if (either != ends || ends == (document_member(value, "bones") != NULL))
            return value_fail(r, value, false, "a chain needs either 'root' and 'end', or 'bones'");
    }
    return value_map(r, value, "chain", keys, COUNT_OF(keys), ik);
}

// ---- twist --------------------------------------------------------------------------------------

/// The bones that share, with room for the one whose twist they share.
static zt_result read_twist_bones(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    if (value->kind != DOCUMENT_LIST || value->count == 0 || value->count >= SCENE_IK_CHAIN_LIMIT)
        return value_wrong(r, value, "a list of 1 to 31 bones");
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, (size_t)value->count + 1, "bones", r->err));
    for (const document_node *item = value->first; item; item = item->next)
        ZT_TRY(scene_read_solver_bone(r, item, model_of(r), &ik->bones[ik->bone_count++]));
    return ZT_OK;
}

static zt_result read_twist_shares(document_reader *r, const document_node *value, void *target)
{
    scene_ik *ik = target;
    return read_numbers(r, value, ik->bone_count, 1.0, &ik->shares);
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

static zt_result read_twist(document_reader *r, const document_node *value, void *target)
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

// ---- copy_rotation ------------------------------------------------------------------------------

static zt_result read_copy_rotation(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("bone", KEY_REQUIRED, read_bone),
        KEY_READ_INTO("target", KEY_REQUIRED, scene_read_orientation, scene_ik, orient),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, spaces),
        KEY_TRACK("rotate", KEY_OPTIONAL, scene_ik, orient.rotate, TRACK_ROTATION, -1e6, 1e6),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    ((scene_ik *)target)->kind = SCENE_IK_COPY_ROTATION;
    return value_map(r, value, "copy_rotation", keys, COUNT_OF(keys), target);
}

// ---- gaze ---------------------------------------------------------------------------------------

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

// ---- plant --------------------------------------------------------------------------------------

static zt_result read_pelvis(document_reader *r, const document_node *value, void *target)
{
    return scene_read_solver_bone(r, value, model_of(r), &((scene_ik *)target)->pelvis);
}

static zt_result read_feet(document_reader *r, const document_node *value, void *target)
{
    static const char *const expected =
        "a list of 1 to 16 feet, each a list of three bones: thigh, shin, foot";
    scene_ik *ik = target;
    if (value->kind != DOCUMENT_LIST || value->count == 0 || value->count > SCENE_IK_FOOT_LIMIT)
        return value_wrong(r, value, expected);
    ZT_TRY(ARENA_TAKE(r->keep, &ik->bones, (size_t)value->count * 3, "feet", r->err));
    for (const document_node *foot = value->first; foot; foot = foot->next) {
        if (foot->kind != DOCUMENT_LIST || foot->count != 3)
            return value_wrong(r, foot, expected);
        ZT_TRY(read_chain(r, foot, true, ik->bones + ik->bone_count));
        ik->bone_count += 3;
    }
    return ZT_OK;
}

static zt_result read_terrain(document_reader *r, const document_node *value, void *target);

static zt_result read_plant(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("pelvis", KEY_REQUIRED, read_pelvis),
        KEY_READ("feet", KEY_REQUIRED, read_feet),
        KEY_READ_INTO("ground", KEY_OPTIONAL, read_terrain, scene_ik, terrain),
        KEY_NUMBER("floor", KEY_OPTIONAL, scene_ik, floor_m, -1e9, 1e9),
        KEY_NUMBER("tilt", KEY_OPTIONAL, scene_ik, tilt_deg, 0.0, 80.0),
        KEY_NUMBER("drop", KEY_OPTIONAL, scene_ik, drop_m, 0.0, 1e9),
        KEY_NUMBER("rise", KEY_OPTIONAL, scene_ik, rise_m, 0.0, 1e9),
        KEY_NUMBER("smooth", KEY_OPTIONAL, scene_ik, smooth_s, 0.0, 5.0),
        KEY_BOOL("lock", KEY_OPTIONAL, scene_ik, lock),
        KEY_TRACK("pole", KEY_OPTIONAL, scene_ik, pole, TRACK_VECTOR, -1e6, 1e6),
        KEY_CHOICE("space", KEY_OPTIONAL, scene_ik, model_space, spaces),
        KEY_DIRECTION("hinge", KEY_OPTIONAL, scene_ik, hinge),
        KEY_NUMBER("soft", KEY_OPTIONAL, scene_ik, soft, 0.0, 1.0),
        KEY_READ("angle", KEY_OPTIONAL, read_angle),
        KEY_TRACK("weight", KEY_OPTIONAL, scene_ik, weight, TRACK_NUMBER, 0.0, 1.0),
    };
    scene_ik *ik = target;
    const zt_model *model = model_of(r);
    ik->kind = SCENE_IK_PLANT;
    ZT_TRY(value_map(r, value, "plant", keys, COUNT_OF(keys), ik));
    for (uint32_t i = 0; i < ik->bone_count; i += 3)
        if (!scene_bone_is_below(model, ik->bones[i], ik->pelvis))
            return value_fail(r, document_member(value, "feet"), false,
                              "the bone '%.80s' is not below the pelvis '%.80s'",
                              model->nodes[ik->bones[i]].name, model->nodes[ik->pelvis].name);
    return ZT_OK;
}

// ---- ground of plant ----------------------------------------------------------------------------

typedef struct terrain_entry {
    scene_terrain terrain;
    double height;   ///< added to all heights
    double *heights; ///< terrain.height
} terrain_entry;

static zt_result read_normal(document_reader *r, const document_node *value, void *target)
{
    double *normal = ((terrain_entry *)target)->terrain.normal;
    ZT_TRY(value_direction(r, value, normal));
    const double square = dvec3_dot(dvec3_load(normal), dvec3_load(normal));
    // cos(84 degrees) is about 0.1: no foot stands on a steeper plane.
    if (!(normal[1] > 0.0 && normal[1] * normal[1] > 0.01 * square))
        return value_fail(r, value, false,
                          "a normal that does not point up (expected at most 84 degrees from +y)");
    return ZT_OK;
}

static zt_result read_heights(document_reader *r, const document_node *value, void *target)
{
    static const char *const expected = "rows of heights, along +z, all of the same length";
    terrain_entry *entry = target;
    if (value->kind != DOCUMENT_LIST || value->count == 0)
        return value_wrong(r, value, expected);
    const uint32_t columns = value->first->count;
    double *height;
    ZT_TRY(ARENA_TAKE(r->keep, &height, (size_t)value->count * columns, "heights", r->err));
    entry->heights = height;
    entry->terrain.height = height;
    entry->terrain.columns = columns;
    entry->terrain.rows = value->count;
    for (const document_node *row = value->first; row; row = row->next) {
        if (row->kind != DOCUMENT_LIST || row->count != columns || columns == 0)
            return value_wrong(r, row, expected);
        for (const document_node *item = row->first; item; item = item->next)
            ZT_TRY(value_number(r, item, -1e6, 1e6, height++));
    }
    return ZT_OK;
}

/// A height, a plane, or a field of heights.
static zt_result read_terrain(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_NUMBER("height", KEY_OPTIONAL, terrain_entry, height, -1e9, 1e9),
        KEY_VECTOR("point", KEY_OPTIONAL, terrain_entry, terrain.point, -1e9, 1e9),
        KEY_READ("normal", KEY_OPTIONAL, read_normal),
        KEY_READ("heights", KEY_OPTIONAL, read_heights),
        KEY_PAIR("first", KEY_OPTIONAL, terrain_entry, terrain.first, -1e9, 1e9,
                 "x and z of the first height"),
        KEY_PAIR("step", KEY_OPTIONAL, terrain_entry, terrain.step, 1e-6, 1e9,
                 "metres from one height to the next, along x and z"),
    };
    static const char *const plane_keys[] = {"point", "normal"}, *const field_keys[] = {"first",
                                                                                        "step"};
    terrain_entry entry = {.terrain = {.normal = {0.0, 1.0, 0.0}, .step = {1.0, 1.0}}};
    ZT_TRY(value_map(r, value, "ground", keys, COUNT_OF(keys), &entry));
    const bool field = entry.heights != NULL;
    for (size_t i = 0; i < 2; i++) {
        const char *wrong = field ? plane_keys[i] : field_keys[i];
        const document_node *member = document_member(value, wrong);
        if (member)
            return value_fail(r, member, true, "'%s' %s 'heights' (expected a plane or a field)",
                              wrong, field ? "with" : "without");
    }
    entry.terrain.point[1] += entry.height;
    for (size_t i = 0; field && i < (size_t)entry.terrain.rows * entry.terrain.columns; i++)
        entry.heights[i] += entry.height;
    *(scene_terrain *)target = entry.terrain;
    return ZT_OK;
}

// ---- The list -----------------------------------------------------------------------------------

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
        KEY_READ("look_at", KEY_OPTIONAL, read_look_at),
        KEY_READ("reach", KEY_OPTIONAL, read_reach),
        KEY_READ("aim", KEY_OPTIONAL, read_aim),
        KEY_READ("plant", KEY_OPTIONAL, read_plant),
        KEY_READ("copy_rotation", KEY_OPTIONAL, read_copy_rotation),
        KEY_READ("chain", KEY_OPTIONAL, read_chain_solver),
        KEY_READ("twist", KEY_OPTIONAL, read_twist),
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
    if (value->kind != DOCUMENT_LIST)
        return value_wrong(r, value, "a list of solvers");
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
