// SPDX-License-Identifier: MIT
/// Rest poses of two rigs: where they face, how long their legs are, and one fitted to the other.
#include "base/maths.h"
#include "model/clip_copy.h"
#include "retarget/retarget.h"

#include <math.h>

/// A thigh that is nearer to its share of the leg needs no bending.
#define SAME_PROPORTION 1e-6

// ---- One rig ------------------------------------------------------------------------------------

quat retarget_turn(const model_node *node, quat rotation)
{
    const float *s = node->rest.s;
    const bool x = s[0] < 0.0f, y = s[1] < 0.0f, z = s[2] < 0.0f;
    if (x == y && y == z)
        return rotation;
    // Two axes mirrored, or one, which is the other two and all three: half a turn about the third.
    const quat half = {.x = (double)(y == z), .y = (double)(x == z), .z = (double)(x == y)};
    return quat_multiply(rotation, half);
}

static quat node_turn(const model_node *node)
{
    quat q = quat_identity();
    if (node->has_matrix) {
        const affine m = affine_from_floats(&node->matrix[0][0]);
        quat_from_axes(&m.m, &q);
        return q;
    }
    q = quat_from_floats(node->rest.r);
    return retarget_turn(node, quat_normalize(&q) ? q : quat_identity());
}

static bool rest_of(retarget_rest *out, const zt_model *model, arena *scratch)
{
    const uint32_t count = model->node_count;
    trs *local = ARENA_ARRAY_RAW(scratch, trs, count);
    out->model = model;
    out->place = ARENA_ARRAY_RAW(scratch, affine, count);
    out->rotation = ARENA_ARRAY_RAW(scratch, quat, count);
    if (!local || !out->place || !out->rotation || !rig_find(model, scratch, &out->parts))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const model_node *node = &model->nodes[i];
        const quat turn = node_turn(node);
        local[i] = node->rest;
        out->rotation[i] =
            node->parent < 0 ? turn : quat_multiply(out->rotation[node->parent], turn);
    }
    model_place_nodes(model, local, out->place);
    return true;
}

bool retarget_rests(retarget *r, const zt_model *to, const zt_model *from, arena *scratch)
{
    return rest_of(&r->to, to, scratch) && rest_of(&r->from, from, scratch);
}

// ---- Reflection ---------------------------------------------------------------------------------

dvec3 retarget_face(const retarget *r, dvec3 v)
{
    if (!r->mirrors)
        return quat_rotate(r->facing, v);
    return (dvec3){r->axis == 0 ? -v.x : v.x, r->axis == 1 ? -v.y : v.y, r->axis == 2 ? -v.z : v.z};
}

/// A reflection turns the axis of a rotation as it does a direction, and the rotation round.
quat retarget_reflect(const retarget *r, quat q)
{
    if (!r->mirrors)
        return q;
    return (quat){r->axis == 0 ? q.x : -q.x, r->axis == 1 ? q.y : -q.y, r->axis == 2 ? q.z : -q.z,
                  q.w};
}

quat retarget_face_rest(const retarget *r, quat model_from_bone)
{
    return r->mirrors ? retarget_reflect(r, model_from_bone)
                      : quat_multiply(r->facing, model_from_bone);
}

// ---- Facing -------------------------------------------------------------------------------------

static dvec3 to_joint(const retarget *r, int32_t part) { return r->to.place[r->to_part[part]].t; }

static dvec3 from_joint(const retarget *r, int32_t part)
{
    return r->from.place[r->source[r->to_part[part]]].t;
}

typedef dvec3 (*joint_fn)(const retarget *r, int32_t part);

/// The axis that is nearest to a direction and none of those of `taken`.
static dvec3 nearest_axis(dvec3 v, dvec3 taken)
{
    double part[3], free[3], out[3] = {0.0, 0.0, 0.0};
    dvec3_store(v, part);
    dvec3_store(taken, free);
    int best = -1;
    for (int k = 0; k < 3; k++)
        if (free[k] == 0.0 && (best < 0 || fabs(part[k]) > fabs(part[best])))
            best = k;
    out[best] = part[best] < 0.0 ? -1.0 : 1.0;
    return dvec3_load(out);
}

/// Left, up and front of a rig, each along an axis of its model. False: not known.
static bool find_frame(const retarget *r, joint_fn joint, dmat3 *out)
{
    const int32_t *has = r->to_part;
    const bool legs = has[RIG_LEFT + RIG_UPPER_LEG] >= 0 && has[RIG_RIGHT + RIG_UPPER_LEG] >= 0;
    const int32_t side = legs ? RIG_UPPER_LEG : RIG_UPPER_ARM;
    if (has[RIG_HIPS] < 0 || has[RIG_LEFT + side] < 0 || has[RIG_RIGHT + side] < 0)
        return false;
    int32_t top = RIG_HEAD;
    while (top > RIG_HIPS && has[top] < 0)
        top--;
    const dvec3 left = dvec3_sub(joint(r, RIG_LEFT + side), joint(r, RIG_RIGHT + side));
    const dvec3 up = dvec3_sub(joint(r, top), joint(r, RIG_HIPS));
    if (!(dvec3_length(left) > 0.0) || !(dvec3_length(up) > 0.0))
        return false;
    out->y = nearest_axis(up, (dvec3){0.0, 0.0, 0.0});
    out->x = nearest_axis(left, out->y);
    out->z = dvec3_cross(out->x, out->y);
    return true;
}

/// Multiples of 90 degrees: rigs face along axes, and small differences at rest mean nothing.
static quat find_facing(const retarget *r)
{
    dmat3 to, from;
    quat q = quat_identity();
    if (!find_frame(r, to_joint, &to) || !find_frame(r, from_joint, &from)) {
        const bool turned = r->to.model->faces_back != r->from.model->faces_back;
        return turned ? (quat){0.0, 1.0, 0.0, 0.0} : q;
    }
    // to * transpose(from)
    const dmat3 t = dmat3_transpose(&from);
    const dmat3 c = {dmat3_transform(&to, t.x), dmat3_transform(&to, t.y),
                     dmat3_transform(&to, t.z)};
    q = quat_from_rotation(&c);
    quat_normalize(&q);
    return q;
}

// ---- Scale --------------------------------------------------------------------------------------

/// The way from the thighs to the ankles, of the sides that are known in both.
static double leg_length(const retarget *r, joint_fn joint)
{
    static const int32_t sides[2] = {RIG_LEFT, RIG_RIGHT};
    double sum = 0.0;
    int32_t count = 0;
    for (int i = 0; i < 2; i++) {
        const int32_t leg = sides[i] + RIG_UPPER_LEG;
        if (r->to_part[leg] < 0 || r->to_part[leg + 1] < 0 || r->to_part[leg + 2] < 0)
            continue;
        sum += dvec3_length(dvec3_sub(joint(r, leg + 1), joint(r, leg)));
        sum += dvec3_length(dvec3_sub(joint(r, leg + 2), joint(r, leg + 1)));
        count++;
    }
    return count ? sum / count : 0.0;
}

/// The distances from bones to those above them, summed over those that correspond.
static double bone_lengths(const retarget *r, bool of_source)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < r->to.model->node_count; i++) {
        const int32_t above = r->ancestor[i];
        if (r->source[i] < 0 || above < 0)
            continue;
        const dvec3 a = of_source ? r->from.place[r->source[i]].t : r->to.place[i].t;
        const dvec3 b = of_source ? r->from.place[r->source[above]].t : r->to.place[above].t;
        sum += dvec3_length(dvec3_sub(a, b));
    }
    return sum;
}

static void find_scale(retarget *r)
{
    double to = leg_length(r, to_joint), from = leg_length(r, from_joint);
    if (!(to > 0.0) || !(from > 0.0)) {
        to = bone_lengths(r, false);
        from = bone_lengths(r, true);
    }
    const double scale = to / from;
    r->length = to;
    r->scale = scale > 1e-9 && scale < 1e9 ? scale : 1.0;
}

// ---- Fitting ------------------------------------------------------------------------------------

/// The part that a limb points at, or RIG_NONE. Shoulders, hands and feet point where they do.
static int32_t next_part(int32_t part)
{
    if (part < RIG_LEFT || part == RIG_NONE)
        return RIG_NONE;
    const int32_t limb = part < RIG_RIGHT ? part - RIG_LEFT : part - RIG_RIGHT;
    const bool finger = limb >= RIG_THUMB1 && limb < RIG_UPPER_LEG;
    const bool points = limb == RIG_UPPER_ARM || limb == RIG_LOWER_ARM || limb == RIG_UPPER_LEG ||
                        limb == RIG_LOWER_LEG || (finger && (limb - RIG_THUMB1) % 3 < 2);
    return points ? part + 1 : RIG_NONE;
}

static bool is_foot(int32_t part)
{
    return part == RIG_LEFT + RIG_FOOT || part == RIG_RIGHT + RIG_FOOT;
}

/// From a joint to one below it after its node was rotated. Both in the model.
static dvec3 rotated_bone(const retarget *r, int32_t node, quat rotation, int32_t next)
{
    const dvec3 bone = dvec3_sub(r->to.place[next].t, r->to.place[node].t);
    const quat since_rest = quat_multiply(rotation, quat_conjugate(r->to.rotation[node]));
    return quat_rotate(since_rest, bone);
}

/// Rotates limbs so that they point where those of the source do; feet stay flat on the ground.
static quat fit_node(const retarget *r, int32_t node, quat rotation)
{
    const int32_t part = r->part[node], next = next_part(part);
    if (is_foot(part))
        return r->to.rotation[node];
    if (next == RIG_NONE || r->to_part[next] < 0 || r->to_part[part] != node)
        return rotation;
    const dvec3 source = dvec3_sub(from_joint(r, next), from_joint(r, part));
    const dvec3 own = rotated_bone(r, node, rotation, r->to_part[next]);
    return quat_multiply(quat_between(own, quat_rotate(r->facing, source), (dvec3){0.0, 0.0, 1.0}),
                         rotation);
}

/// Legs whose thigh and shin share their length otherwise than the source's.
static void find_leg(const retarget *r, int32_t side, retarget_leg *out)
{
    const int32_t thigh = side + RIG_UPPER_LEG, shin = thigh + 1, foot = thigh + 2;
    const int32_t *node = r->to_part;
    *out = (retarget_leg){.thigh = node[thigh], .shin = node[shin], .foot = node[foot]};
    if (out->thigh < 0 || out->shin < 0 || out->foot < 0 || r->ancestor[out->shin] != out->thigh ||
        r->ancestor[out->foot] != out->shin)
        return;
    out->thigh_axis = dvec3_sub(from_joint(r, shin), from_joint(r, thigh));
    out->shin_axis = dvec3_sub(from_joint(r, foot), from_joint(r, shin));
    const double a = dvec3_length(out->thigh_axis), b = dvec3_length(out->shin_axis);
    out->to_thigh = dvec3_length(dvec3_sub(to_joint(r, shin), to_joint(r, thigh)));
    out->to_shin = dvec3_length(dvec3_sub(to_joint(r, foot), to_joint(r, shin)));
    const double scale = (out->to_thigh + out->to_shin) / (a + b);
    if (!dvec3_normalize(&out->thigh_axis, 0.0) || !dvec3_normalize(&out->shin_axis, 0.0) ||
        !(scale > 0.0) || !(scale < 1e9))
        return;
    out->thigh_axis = quat_rotate(r->facing, out->thigh_axis);
    out->shin_axis = quat_rotate(r->facing, out->shin_axis);
    out->from_thigh = a * scale;
    out->from_shin = b * scale;
    out->knee_before = quat_multiply(r->facing, r->from.rotation[r->source[out->thigh]]);
    out->knee_after =
        quat_conjugate(quat_multiply(r->facing, r->from.rotation[r->source[out->shin]]));
    out->bends = fabs(out->from_thigh - out->to_thigh) > SAME_PROPORTION * out->to_thigh;
}

void retarget_bend_leg(const retarget_leg *leg, quat knee, quat *out_thigh, quat *out_shin)
{
    const dvec3 thigh = leg->thigh_axis, shin = quat_rotate(knee, leg->shin_axis);
    const dvec3 goal =
        dvec3_add(dvec3_scale(thigh, leg->from_thigh), dvec3_scale(shin, leg->from_shin));
    dvec3 along = goal;
    const double a = leg->to_thigh, b = leg->to_shin, length = dvec3_length(goal);
    *out_thigh = *out_shin = quat_identity();
    if (!dvec3_normalize(&along, 1e-6 * (a + b)))
        return;
    dvec3 across = dvec3_reject(thigh, along);
    if (!dvec3_normalize(&across, 1e-12))
        return; // a straight leg stays straight
    double cosine = ((a * a + length * length) - b * b) / (2.0 * a * length);
    cosine = maths_clamp(cosine, -1.0, 1.0);
    const dvec3 to_thigh = dvec3_add(dvec3_scale(along, a * cosine),
                                     dvec3_scale(across, a * sqrt(1.0 - cosine * cosine)));
    *out_thigh = quat_between(thigh, to_thigh, across);
    *out_shin = quat_between(shin, dvec3_sub(goal, to_thigh), across);
}

/// From thigh to ankle at rest after fitting.
static dvec3 fitted_leg(const retarget *r, const retarget_leg *leg)
{
    if (leg->bends)
        return dvec3_add(dvec3_scale(leg->thigh_axis, leg->from_thigh),
                         dvec3_scale(leg->shin_axis, leg->from_shin));
    return dvec3_add(rotated_bone(r, leg->thigh, r->fitted[leg->thigh], leg->shin),
                     rotated_bone(r, leg->shin, r->fitted[leg->shin], leg->foot));
}

/// The height by which fitting lifts or lowers the ankles below the thighs, the mean of both sides.
static dvec3 find_lift(const retarget *r)
{
    dmat3 frame;
    dvec3 up = {0.0, 1.0, 0.0};
    double sum = 0.0;
    int32_t count = 0;
    if (find_frame(r, to_joint, &frame))
        up = frame.y;
    for (int i = 0; i < 2; i++) {
        const retarget_leg *leg = &r->leg[i];
        if (leg->thigh < 0 || leg->shin < 0 || leg->foot < 0)
            continue;
        const dvec3 rest = dvec3_sub(r->to.place[leg->foot].t, r->to.place[leg->thigh].t);
        sum += dvec3_dot(dvec3_sub(rest, fitted_leg(r, leg)), up);
        count++;
    }
    return dvec3_scale(up, count ? sum / count : 0.0);
}

/// From the hips to the middle between the thighs' joints.
static dvec3 middle_of_thighs(const retarget *r, joint_fn joint)
{
    const dvec3 sum =
        dvec3_add(joint(r, RIG_LEFT + RIG_UPPER_LEG), joint(r, RIG_RIGHT + RIG_UPPER_LEG));
    return dvec3_sub(dvec3_scale(sum, 0.5), joint(r, RIG_HIPS));
}

static dvec3 find_pivot(const retarget *r)
{
    const dvec3 none = {0.0, 0.0, 0.0};
    const int32_t hips = r->to_part[RIG_HIPS];
    for (int i = 0; i < 2; i++)
        if (hips < 0 || r->leg[i].thigh < 0 || r->ancestor[r->leg[i].thigh] != hips)
            return none;
    const dvec3 source = quat_rotate(r->facing, middle_of_thighs(r, from_joint));
    const dvec3 way = dvec3_sub(dvec3_scale(source, r->scale), middle_of_thighs(r, to_joint));
    return dvec3_length(way) > SAME_PROPORTION * r->length ? way : none;
}

bool retarget_fit(retarget *r, retarget_mode mode, arena *scratch)
{
    const zt_model *model = r->to.model;
    r->fitted = ARENA_ARRAY_RAW(scratch, quat, model->node_count);
    if (!r->fitted)
        return false;
    r->facing = find_facing(r);
    find_scale(r);
    r->lift = r->pivot = (dvec3){0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->nodes[i].parent;
        r->fitted[i] = r->to.rotation[i];
        if (mode == RETARGET_ROTATION)
            continue;
        const quat turn = node_turn(&model->nodes[i]);
        const quat rotation = parent < 0 ? turn : quat_multiply(r->fitted[parent], turn);
        r->fitted[i] = r->source[i] < 0 ? rotation : fit_node(r, (int32_t)i, rotation);
    }
    if (mode == RETARGET_ROTATION)
        return true;
    find_leg(r, RIG_LEFT, &r->leg[0]);
    find_leg(r, RIG_RIGHT, &r->leg[1]);
    r->lift = find_lift(r);
    r->pivot = find_pivot(r);
    return true;
}
