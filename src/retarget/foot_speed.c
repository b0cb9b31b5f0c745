// SPDX-License-Identifier: MIT
#include "retarget/foot_speed.h"

#include "base/affine.h"
#include "base/maths.h"
#include "base/row_find.h"
#include "base/utf8.h"
#include "model/clip_copy.h"
#include "retarget/rig_names.h"

#include <math.h>
#include <string.h>

/// Poses of a clip: 120 a second, but at most LIMIT joints in all of them.
#define RATE 120.0
enum { MIN_POSES = 16, MAX_POSES = 1024, LIMIT = 1 << 20 };
/// A foot stands in this part of the heights that it goes through.
#define STANCE (1.0 / 16.0)
/// A foot swings: it moves along the ground by more than SWING_HEIGHTS and rises by more than
/// LIFT_HEIGHTS. It is planted: the lowest foot comes to within PLANTED_HEIGHTS of the lowest
/// joint, the others to within OTHERS_HEIGHTS of that foot. All in heights of the figure.
#define SWING_HEIGHTS   0.05
#define LIFT_HEIGHTS    0.01
#define PLANTED_HEIGHTS 0.15
#define OTHERS_HEIGHTS  0.03
/// Velocities that differ from the median by at most this share of it are averaged; so many of all
/// must, unless the feet are given.
#define NEAR_SHARE     0.3
#define AGREEING_SHARE 0.15
/// Slower feet stand; heights of the figure a second.
#define SLOWEST_HEIGHTS_PER_S 0.05
/// Feet that all move by less between two poses, in heights of the figure, do not walk: exporters
/// hold the pose at the end of a clip for as long as another clip takes.
#define HELD_HEIGHTS 1e-5

/// Where joints are in poses of a clip.
typedef struct clip_paths {
    uint32_t count; ///< of joints
    uint32_t poses;
    double step_s;
    float (*at)[3]; ///< [poses][count]
    bool *moves;    ///< [poses] a foot, since the pose before
    rig parts;      ///< of the body
} clip_paths;

static uint32_t pose_count(const zt_model *model, double start_s, double end_s)
{
    double poses = ceil((end_s - start_s) * RATE);
    const double limit = (double)LIMIT / (double)model->node_count;
    poses = poses < limit ? poses : limit;
    poses = poses < MAX_POSES ? poses : MAX_POSES;
    return (uint32_t)(poses > MIN_POSES ? poses : MIN_POSES);
}

static zt_result sample_paths(const zt_model *model, const model_clip *clip, double start_s,
                              double end_s, arena *scratch, clip_paths *out, zt_error *err)
{
    const uint32_t count = model->node_count;
    *out = (clip_paths){.count = count, .poses = pose_count(model, start_s, end_s)};
    out->step_s = (end_s - start_s) / (double)(out->poses - 1);
    out->at = arena_alloc_raw(scratch, (size_t)out->poses * count, sizeof *out->at);
    out->moves = ARENA_ARRAY(scratch, bool, out->poses);
    trs *local = ARENA_ARRAY_RAW(scratch, trs, count);
    affine *world = ARENA_ARRAY_RAW(scratch, affine, count);
    if (!out->at || !out->moves || !local || !world || !rig_find(model, scratch, &out->parts))
        return arena_fail(scratch, err, "paths of feet");
    for (uint32_t k = 0; k < out->poses; k++) {
        clip_pose_joints(model, clip, (float)(start_s + out->step_s * k), local, world);
        for (uint32_t i = 0; i < count; i++)
            dvec3_to_floats(world[i].t, out->at[(size_t)k * count + i]);
    }
    return ZT_OK;
}

static dvec3 joint_at(const clip_paths *p, uint32_t pose, int32_t node)
{
    return dvec3_from_floats(p->at[(size_t)pose * p->count + (size_t)node]);
}

/// The box that a joint goes through.
static void path_box(const clip_paths *p, int32_t node, dvec3 *out_min, dvec3 *out_max)
{
    *out_min = *out_max = joint_at(p, 0, node);
    for (uint32_t k = 1; k < p->poses; k++) {
        const dvec3 at = joint_at(p, k, node);
        *out_min = (dvec3){maths_min(out_min->x, at.x), maths_min(out_min->y, at.y),
                           maths_min(out_min->z, at.z)};
        *out_max = (dvec3){maths_max(out_max->x, at.x), maths_max(out_max->y, at.y),
                           maths_max(out_max->z, at.z)};
    }
}

static void find_moves(clip_paths *p, const int32_t *feet, uint32_t count, double height)
{
    for (uint32_t k = 1; k < p->poses; k++)
        for (uint32_t i = 0; i < count && !p->moves[k]; i++)
            p->moves[k] =
                dvec3_length(dvec3_sub(joint_at(p, k, feet[i]), joint_at(p, k - 1, feet[i]))) >
                HELD_HEIGHTS * height;
}

/// True when a joint that goes through a box is lifted and goes over the ground.
static bool walks(dvec3 min, dvec3 max, double height)
{
    return maths_max(max.x - min.x, max.z - min.z) > SWING_HEIGHTS * height &&
           max.y - min.y > LIFT_HEIGHTS * height;
}

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

static bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }

typedef enum foot_name { NAMES_A_FOOT, NAMES_ANOTHER, NAMES_NEITHER } foot_name;

/// The next word of a name: letters of one case, or of a capital and small ones, without an s at
/// the end. "LToes2.IK" is l, toe, ik. Returns where it ends; NULL: there is none.
static const char *next_word(const char *at, char out[16])
{
    size_t length = 0;
    while (*at && !is_letter(*at))
        at++;
    if (!*at)
        return NULL;
    const bool capitals = is_capital(at[0]) && is_capital(at[1]);
    for (const char *first = at; is_letter(*at); at++) {
        const bool next_begins =
            capitals ? is_capital(*at) && is_letter(at[1]) && !is_capital(at[1]) : is_capital(*at);
        if (at > first && next_begins)
            break;
        if (capitals && at > first && !is_capital(*at))
            break;
        if (length < 15)
            out[length++] = ascii_lower(*at);
    }
    if (out[length - 1] == 's')
        length--;
    out[length] = 0;
    return at;
}

/// What a joint's name says; handles of rigs, hands, upper parts of legs and what hangs from a body
/// are no feet, however low they go.
static foot_name name_of(const char *name)
{
    static const char *const feet[] = {"foot", "feet", "toe", "paw", "hoof", "ankle"};
    static const char *const others[] = {
        "ik",     "ctrl",  "control", "controller", "pole",     "target",   "elbow",
        "finger", "ring",  "thumb",   "index",      "middle",   "pinky",    "little",
        "weapon", "tail",  "hand",    "palm",       "wrist",    "forearm",  "arm",
        "knee",   "shin",  "calf",    "lowerleg",   "upperleg", "lowerarm", "upperarm",
        "upleg",  "up",    "thigh",   "lower",      "upper",    "shank",    "tibia",
        "hair",   "skirt", "cloak",   "cape",       "scarf",    "wing"};
    foot_name found = NAMES_NEITHER;
    char word[16];
    while ((name = next_word(name, word)) != NULL) {
        if (ROW_FIND(others, word) >= 0)
            return NAMES_ANOTHER;
        if (ROW_FIND(feet, word) >= 0)
            found = NAMES_A_FOOT;
    }
    return found;
}

/// Asks the rig of the body for the part that a joint is; the name of any other.
static foot_name kind_of(const zt_model *model, const rig *r, uint32_t node)
{
    for (int32_t part = RIG_HIPS; part < RIG_PART_COUNT && r->kind >= 0; part++) {
        const int32_t limb = part < RIG_RIGHT ? part - RIG_LEFT : part - RIG_RIGHT;
        if (r->node[part] == (int32_t)node)
            return limb == RIG_FOOT || limb == RIG_TOES ? NAMES_A_FOOT : NAMES_ANOTHER;
    }
    return name_of(model->nodes[node].name);
}

/// `named`: how many walking joints are feet by their names.
static bool may_be_foot(const zt_model *model, const rig *r, uint32_t node, uint32_t named)
{
    const foot_name kind = kind_of(model, r, node);
    return named >= 2 ? kind == NAMES_A_FOOT : kind != NAMES_ANOTHER;
}

/// The heights of the joints that come lowest and highest.
static void find_heights(const clip_paths *p, double *out_floor, double *out_top)
{
    dvec3 min, max;
    *out_floor = (double)INFINITY;
    *out_top = -(double)INFINITY;
    for (uint32_t i = 0; i < p->count; i++) {
        path_box(p, (int32_t)i, &min, &max);
        *out_top = maths_max(*out_top, max.y);
        *out_floor = maths_min(*out_floor, min.y);
    }
}

/// The joints that go over the ground and come about as low as any joint, such as ankles and toes:
/// those whose names say that they are feet, where there are two, else all that no name excludes.
static uint32_t find_feet(const zt_model *model, const clip_paths *p, int32_t *out)
{
    double floor, top;
    dvec3 min, max;
    find_heights(p, &floor, &top);
    const double height = top - floor;
    uint32_t named = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        path_box(p, (int32_t)i, &min, &max);
        named += kind_of(model, &p->parts, i) == NAMES_A_FOOT && walks(min, max, height) &&
                 min.y <= floor + PLANTED_HEIGHTS * height;
    }
    double lowest = floor + PLANTED_HEIGHTS * height;
    for (uint32_t i = 0; i < p->count; i++) {
        path_box(p, (int32_t)i, &min, &max);
        if (may_be_foot(model, &p->parts, i, named) && walks(min, max, height) && min.y < lowest)
            lowest = min.y;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count && count < FOOT_SPEED_FEET; i++) {
        path_box(p, (int32_t)i, &min, &max);
        if (may_be_foot(model, &p->parts, i, named) && walks(min, max, height) &&
            min.y <= lowest + OTHERS_HEIGHTS * height)
            out[count++] = (int32_t)i;
    }
    return count;
}

/// Velocities over the ground of feet that stand.
typedef struct stance_velocities {
    uint32_t count;
    double *x, *z;
} stance_velocities;

static void add_stances(const clip_paths *p, int32_t node, stance_velocities *v)
{
    dvec3 min, max;
    path_box(p, node, &min, &max);
    const double low = min.y + STANCE * (max.y - min.y);
    for (uint32_t k = 1; k < p->poses; k++) {
        const dvec3 before = joint_at(p, k - 1, node), at = joint_at(p, k, node);
        if (before.y > low || at.y > low || !p->moves[k])
            continue;
        v->x[v->count] = (at.x - before.x) / p->step_s;
        v->z[v->count++] = (at.z - before.z) / p->step_s;
    }
}

/// The middle one of numbers, in `copy`.
static double median_of(const double *values, uint32_t count, double *copy)
{
    memcpy(copy, values, count * sizeof *copy);
    maths_sort(copy, count);
    return copy[count / 2];
}

/// The median of each component; then the mean of the velocities near it, zero where few are.
static dvec3 usual_velocity(const stance_velocities *v, double agreeing, double *copy)
{
    const dvec3 median = {median_of(v->x, v->count, copy), 0.0, median_of(v->z, v->count, copy)};
    dvec3 sum = {0.0, 0.0, 0.0};
    const double near = NEAR_SHARE * dvec3_length(median);
    uint32_t count = 0;
    for (uint32_t i = 0; i < v->count; i++) {
        const dvec3 at = {v->x[i], 0.0, v->z[i]};
        if (!(dvec3_length(dvec3_sub(at, median)) <= near))
            continue;
        sum = dvec3_add(sum, at);
        count++;
    }
    const dvec3 none = {0.0, 0.0, 0.0};
    return (double)count >= agreeing * (double)v->count && count > 0 ? dvec3_divide(sum, count)
                                                                     : none;
}

zt_result model_foot_speed(const zt_model *model, const model_clip *clip, double start_s,
                           double end_s, const int32_t *feet, uint32_t foot_count, arena *scratch,
                           foot_speed *out, zt_error *err)
{
    clip_paths paths;
    *out = (foot_speed){.foot_count = 0};
    if (!(end_s > start_s) || model->node_count == 0)
        return ZT_OK;
    ZT_TRY(sample_paths(model, clip, start_s, end_s, scratch, &paths, err));
    foot_speed found = {.foot_count = foot_count};
    if (foot_count > 0)
        memcpy(found.foot, feet, foot_count * sizeof *feet);
    else
        found.foot_count = find_feet(model, &paths, found.foot);
    double floor, top;
    find_heights(&paths, &floor, &top);
    find_moves(&paths, found.foot, found.foot_count, top - floor);
    const size_t limit = (size_t)found.foot_count * paths.poses;
    double *numbers;
    ZT_TRY(ARENA_TAKE_RAW(scratch, &numbers, 3 * limit + 1, "paths of feet", err));
    stance_velocities v = {.x = numbers, .z = numbers + limit};
    for (uint32_t i = 0; i < found.foot_count; i++)
        add_stances(&paths, found.foot[i], &v);
    if (v.count == 0)
        return ZT_OK;
    const dvec3 velocity =
        usual_velocity(&v, foot_count > 0 ? 0.0 : AGREEING_SHARE, numbers + 2 * limit);

    dvec3 min, max;
    double height = 0.0;
    for (uint32_t i = 0; i < paths.count; i++) {
        path_box(&paths, (int32_t)i, &min, &max);
        height = maths_max(height, max.y - joint_at(&paths, 0, found.foot[0]).y);
    }
    if (!(dvec3_length(velocity) > SLOWEST_HEIGHTS_PER_S * height) ||
        !(dvec3_length(velocity) <= 1e9))
        return ZT_OK;
    found.velocity = dvec3_scale(velocity, -1.0);
    uint32_t last = paths.poses - 1;
    while (last > 0 && !paths.moves[last])
        last--;
    found.held_s = paths.step_s * (paths.poses - 1 - last);
    *out = found;
    return ZT_OK;
}

uint64_t model_foot_speed_steps(const zt_model *model, const model_clip *clip, double start_s,
                                double end_s)
{
    if (!(end_s > start_s) || model->node_count == 0)
        return 0;
    return ((uint64_t)model->node_count + clip->channel_count) * pose_count(model, start_s, end_s);
}
