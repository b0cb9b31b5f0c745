// SPDX-License-Identifier: MIT
/// Legs whose ankles go the way of the source's in its model, scaled.
///
/// From thigh to ankle that is the source's way L, scaled to the leg. But thighs that hang wider or
/// narrower than the scaled source's, by e from the middle between them, carry the ankle along by
/// H e as the hips rotate by H about that middle. So the way is L + F e - H e. F is the heading
/// that the figure has in the clip: while it stays the ankle does. In clips that turn the figure
/// round F follows the heading of the foot, which stays but for some degrees while the foot stands.
/// Where the ankle is out of reach, the hips come down.
#include "base/maths.h"
#include "retarget/retarget_clip.h"

#include <math.h>
#include <string.h>

/// Lengths that differ by less, in lengths of the leg, are the same.
#define SAME_PROPORTION 1e-6
/// A leg is bent at rest when its thigh is off its line by a larger sine.
#define BENT 0.02
/// Hips come to ankles beyond this share of the leg, where the leg is at most 45 degrees off the
/// mean of both, and not where it is 70 degrees off.
#define REACH       0.9999
#define NEAR_COSINE 0.707
#define FAR_COSINE  0.342
/// A clip turns its figure round when its front points backwards from its mean by this cosine.
#define TURNED 0.17
enum { HEADINGS = 64, SAMPLE_BITS = 10 };

// ---- At rest ------------------------------------------------------------------------------------

/// Where the knee goes when a straight leg bends: off the line of the leg at rest, else forwards.
static dvec3 find_pole(const retarget *r, const retarget_leg *leg)
{
    dmat3 frame;
    dvec3 along = dvec3_add(dvec3_scale(leg->thigh_axis, leg->from_thigh),
                            dvec3_scale(leg->shin_axis, leg->from_shin));
    dvec3 pole = {0.0, 0.0, 1.0};
    if (retarget_find_frame(r, retarget_to_joint, &frame))
        pole = frame.z;
    if (!dvec3_normalize(&along, 0.0))
        return pole;
    dvec3 bent = dvec3_reject(leg->thigh_axis, along);
    return dvec3_normalize(&bent, BENT) ? bent : pole;
}

static void find_leg(const retarget *r, int32_t side, retarget_leg *out)
{
    const int32_t thigh = side + RIG_UPPER_LEG, shin = thigh + 1, foot = thigh + 2;
    const int32_t *node = r->to_part;
    *out = (retarget_leg){.thigh = node[thigh], .shin = node[shin], .foot = node[foot]};
    if (out->thigh < 0 || out->shin < 0 || out->foot < 0 || r->ancestor[out->shin] != out->thigh ||
        r->ancestor[out->foot] != out->shin)
        return;
    out->thigh_axis = dvec3_sub(retarget_from_joint(r, shin), retarget_from_joint(r, thigh));
    out->shin_axis = dvec3_sub(retarget_from_joint(r, foot), retarget_from_joint(r, shin));
    const double a = dvec3_length(out->thigh_axis), b = dvec3_length(out->shin_axis);
    out->to_thigh =
        dvec3_length(dvec3_sub(retarget_to_joint(r, shin), retarget_to_joint(r, thigh)));
    out->to_shin = dvec3_length(dvec3_sub(retarget_to_joint(r, foot), retarget_to_joint(r, shin)));
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
    out->pole = find_pole(r, out);
    out->bends = fabs(out->from_thigh - out->to_thigh) > SAME_PROPORTION * out->to_thigh;
}

/// From thigh to ankle at rest after fitting.
static dvec3 fitted_leg(const retarget *r, const retarget_leg *leg)
{
    if (leg->bends)
        return dvec3_add(dvec3_scale(leg->thigh_axis, leg->from_thigh),
                         dvec3_scale(leg->shin_axis, leg->from_shin));
    return dvec3_add(retarget_rotated_bone(r, leg->thigh, r->fitted[leg->thigh], leg->shin),
                     retarget_rotated_bone(r, leg->shin, r->fitted[leg->shin], leg->foot));
}

/// The height by which fitting lifts or lowers the ankles below the thighs, the mean of both sides.
static dvec3 find_lift(const retarget *r)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int i = 0; i < 2; i++) {
        const retarget_leg *leg = &r->leg[i];
        if (leg->thigh < 0 || leg->shin < 0 || leg->foot < 0)
            continue;
        const dvec3 rest = dvec3_sub(r->to.place[leg->foot].t, r->to.place[leg->thigh].t);
        sum += dvec3_dot(dvec3_sub(rest, fitted_leg(r, leg)), r->up);
        count++;
    }
    return dvec3_scale(r->up, count ? sum / count : 0.0);
}

/// The middle between the thighs' joints.
static dvec3 middle_of_thighs(const retarget *r, retarget_joint_fn joint)
{
    return dvec3_scale(
        dvec3_add(joint(r, RIG_LEFT + RIG_UPPER_LEG), joint(r, RIG_RIGHT + RIG_UPPER_LEG)), 0.5);
}

/// Thighs from their middle, and that middle from the hips, where hips carry both.
static void find_spread(retarget *r)
{
    const int32_t hips = r->to_part[RIG_HIPS];
    for (int i = 0; i < 2; i++)
        if (hips < 0 || r->leg[i].thigh < 0 || r->ancestor[r->leg[i].thigh] != hips)
            return;
    const dvec3 to = middle_of_thighs(r, retarget_to_joint);
    const dvec3 from = middle_of_thighs(r, retarget_from_joint);
    const dvec3 own = dvec3_sub(to, retarget_to_joint(r, RIG_HIPS));
    const dvec3 source = dvec3_sub(from, retarget_from_joint(r, RIG_HIPS));
    const dvec3 offset = dvec3_sub(dvec3_scale(quat_rotate(r->facing, source), r->scale), own);
    if (dvec3_length(offset) > SAME_PROPORTION * r->length)
        r->pivot = offset;
    for (int i = 0; i < 2; i++) {
        retarget_leg *leg = &r->leg[i];
        const int32_t thigh = (i == 0 ? RIG_LEFT : RIG_RIGHT) + RIG_UPPER_LEG;
        const dvec3 wide = dvec3_sub(retarget_from_joint(r, thigh), from);
        const dvec3 spread = dvec3_sub(dvec3_sub(retarget_to_joint(r, thigh), to),
                                       dvec3_scale(quat_rotate(r->facing, wide), r->scale));
        if (!(leg->to_shin > 0.0) || !(dvec3_length(spread) > SAME_PROPORTION * r->length))
            continue;
        leg->spread = spread;
        leg->spreads = leg->bends = true;
    }
}

bool retarget_find_legs(retarget *r, arena *scratch)
{
    dmat3 frame;
    r->up = (dvec3){0.0, 1.0, 0.0};
    if (retarget_find_frame(r, retarget_to_joint, &frame))
        r->up = frame.y;
    find_leg(r, RIG_LEFT, &r->leg[0]);
    find_leg(r, RIG_RIGHT, &r->leg[1]);
    find_spread(r);
    r->lift = find_lift(r);
    if (!r->leg[0].bends && !r->leg[1].bends)
        return true;
    r->samples = ARENA_ARRAY_RAW(scratch, retarget_leg_sample, 1u << SAMPLE_BITS);
    return r->samples != NULL;
}

// ---- At a time ----------------------------------------------------------------------------------

/// The rotation of a source's node since rest, in the target's model. Its path begins in the model.
static quat since_rest(const retarget_build *b, const retarget_path *path, int32_t node,
                       float time_s)
{
    const retarget *r = b->r;
    const quat now = retarget_path_rotation(b, path, 0, path->count, time_s);
    const quat rest = quat_multiply(r->facing, r->from.rotation[r->source[node]]);
    return quat_multiply(quat_multiply(r->facing, now), quat_conjugate(rest));
}

/// A point rotated by the part of a rotation that is about an axis, its heading. Headings end where
/// the axis is turned round: near there the point goes to zero.
static dvec3 rotate_heading(quat q, dvec3 axis, dvec3 p)
{
    const double about = (q.x * axis.x + q.y * axis.y) + q.z * axis.z;
    const double square = about * about + q.w * q.w, length = sqrt(square);
    if (!(square > 1e-12))
        return (dvec3){0.0, 0.0, 0.0};
    const dvec3 v = dvec3_scale(axis, about / length);
    return dvec3_scale(quat_rotate((quat){v.x, v.y, v.z, q.w / length}, p),
                       maths_min(1.0, 2.0 * square));
}

/// A leg of the source at a time.
typedef struct leg_pose {
    quat knee;            ///< E: the shin's rotation since rest below the thigh
    dvec3 thigh;          ///< unit along the thigh, seen from the thigh
    dvec3 thigh_to_ankle; ///< seen from the thigh
    quat model_from_thigh;
    dvec3 goal; ///< from the target's thigh to its ankle in its model
} leg_pose;

static leg_pose pose_leg(const retarget_build *b, int side, float time_s)
{
    const retarget_leg *leg = &b->r->leg[side];
    const retarget_leg_paths *p = &b->leg[side];
    leg_pose out = {.thigh = leg->thigh_axis, .model_from_thigh = quat_identity()};
    const quat knee = retarget_path_rotation(b, &p->knee, 0, p->knee.count, time_s);
    out.knee = quat_multiply(quat_multiply(leg->knee_before, knee), leg->knee_after);
    out.thigh_to_ankle = out.goal =
        dvec3_add(dvec3_scale(out.thigh, leg->from_thigh),
                  dvec3_scale(quat_rotate(out.knee, leg->shin_axis), leg->from_shin));
    if (!leg->spreads)
        return out;
    const quat hips = since_rest(b, &b->hips, b->r->to_part[RIG_HIPS], time_s);
    const quat heading = b->turns ? since_rest(b, &p->foot, leg->foot, time_s) : b->heading;
    out.model_from_thigh = since_rest(b, &p->thigh, leg->thigh, time_s);
    out.goal = dvec3_add(
        quat_rotate(out.model_from_thigh, out.thigh_to_ankle),
        dvec3_sub(rotate_heading(heading, b->r->up, leg->spread), quat_rotate(hips, leg->spread)));
    return out;
}

/// The distance by which hips come to an ankle that is out of reach, in direction `to` (unit): less
/// the farther the leg is off it, where it helps little.
static double needed_way(const retarget_leg *leg, dvec3 goal, dvec3 to)
{
    const double reach = REACH * (leg->to_thigh + leg->to_shin), along = dvec3_dot(goal, to);
    const double across = dvec3_length(dvec3_reject(goal, to));
    if (!(along > 0.0) || !(across < reach))
        return 0.0;
    const double distance = along - sqrt(reach * reach - across * across);
    const double share = maths_clamp(
        (along / dvec3_length(goal) - FAR_COSINE) / (NEAR_COSINE - FAR_COSINE), 0.0, 1.0);
    return maths_max(0.0, distance) * (share * share * (3.0 - 2.0 * share));
}

static dvec3 hips_way(const retarget_build *b, const leg_pose pose[2])
{
    dvec3 to = {0.0, 0.0, 0.0};
    double distance = 0.0;
    for (int i = 0; i < 2; i++)
        if (b->r->leg[i].spreads)
            to = dvec3_add(to, pose[i].goal);
    if (!dvec3_normalize(&to, 1e-6 * b->r->length))
        return (dvec3){0.0, 0.0, 0.0};
    for (int i = 0; i < 2; i++)
        if (b->r->leg[i].spreads)
            distance = maths_max(distance, needed_way(&b->r->leg[i], pose[i].goal, to));
    return dvec3_scale(to, distance);
}

/// The direction of the knee off the line to the ankle: that of the moved thigh, but at the pole
/// where the leg was straight and has to bend, by a sine of `bend`.
static dvec3 knee_side(dvec3 thigh, dvec3 along, dvec3 pole, double bend)
{
    dvec3 own = dvec3_reject(thigh, along), rest = dvec3_reject(pole, along);
    const double share = bend > 0.0 ? maths_min(1.0, 2.0 * dvec3_length(own) / bend) : 1.0;
    const bool has_own = dvec3_normalize(&own, 1e-12), has_rest = dvec3_normalize(&rest, 1e-6);
    if (!has_rest || (has_own && share >= 1.0))
        return own;
    const double weight = has_own ? share * share * (3.0 - 2.0 * share) : 0.0;
    dvec3 side = dvec3_add(dvec3_scale(own, weight), dvec3_scale(rest, 1.0 - weight));
    return dvec3_normalize(&side, 1e-6) ? side : rest;
}

/// Rotations before those of thigh and shin for an ankle at `goal`, all seen from the thigh. First
/// both swing as the goal is off the source's way, then the knee bends.
static void bend_leg(const retarget_leg *leg, const leg_pose *pose, dvec3 goal, quat *out_thigh,
                     quat *out_shin)
{
    const double a = leg->to_thigh, b = leg->to_shin;
    const double length = maths_clamp(dvec3_length(goal), fabs(a - b), a + b);
    dvec3 along = goal;
    *out_thigh = *out_shin = quat_identity();
    if (!dvec3_normalize(&along, 1e-6 * (a + b)))
        return;
    const quat swing = quat_between(pose->thigh_to_ankle, goal, leg->pole);
    const dvec3 thigh = quat_rotate(swing, pose->thigh);
    const dvec3 shin = quat_rotate(quat_multiply(swing, pose->knee), leg->shin_axis);
    double cosine = ((a * a + length * length) - b * b) / (2.0 * a * length);
    cosine = maths_clamp(cosine, -1.0, 1.0);
    const double sine = sqrt(1.0 - cosine * cosine);
    const dvec3 side = knee_side(thigh, along, quat_rotate(swing, leg->pole), sine);
    const dvec3 to_thigh = dvec3_add(dvec3_scale(along, a * cosine), dvec3_scale(side, a * sine));
    const dvec3 to_shin = dvec3_sub(dvec3_scale(along, length), to_thigh);
    *out_thigh = quat_multiply(quat_between(thigh, to_thigh, side), swing);
    *out_shin = quat_multiply(quat_between(shin, to_shin, side), swing);
}

/// Bones of legs are made one after the other at much the same times: what was found is kept.
static const retarget_leg_sample *sample_legs(const retarget_build *b, float time_s)
{
    uint32_t bits;
    memcpy(&bits, &time_s, sizeof bits);
    retarget_leg_sample *out = &b->r->samples[(bits * 2654435761u) >> (32 - SAMPLE_BITS)];
    leg_pose pose[2];
    if (out->filled && out->time_s == time_s)
        return out;
    *out = (retarget_leg_sample){.filled = true, .time_s = time_s};
    for (int i = 0; i < 2; i++)
        if (b->r->leg[i].bends)
            pose[i] = pose_leg(b, i, time_s);
    out->hips_way = hips_way(b, pose);
    for (int i = 0; i < 2; i++) {
        const retarget_leg *leg = &b->r->leg[i];
        if (!leg->bends)
            continue;
        const dvec3 shift = leg->spreads ? out->hips_way : (dvec3){0.0, 0.0, 0.0};
        const quat thigh_from_model = quat_conjugate(pose[i].model_from_thigh);
        const dvec3 goal = quat_rotate(thigh_from_model, dvec3_sub(pose[i].goal, shift));
        bend_leg(leg, &pose[i], goal, &out->thigh[i], &out->shin[i]);
        out->knee[i] = pose[i].knee;
    }
    return out;
}

dvec3 retarget_hips_way(const retarget_build *b, float time_s)
{
    return b->r->samples ? sample_legs(b, time_s)->hips_way : (dvec3){0.0, 0.0, 0.0};
}

/// The thigh gets q T, the shin T^-1 S q, and the foot (E^-1 S E)^-1 q.
quat retarget_bend(const retarget_build *b, const retarget_leg *leg, int32_t node, quat q,
                   float time_s)
{
    const retarget_leg_sample *s = sample_legs(b, time_s);
    const int i = (int)(leg - b->r->leg);
    if (node == leg->thigh)
        return quat_multiply(q, s->thigh[i]);
    if (node == leg->shin)
        return quat_multiply(quat_multiply(quat_conjugate(s->thigh[i]), s->shin[i]), q);
    const quat back = quat_multiply(quat_conjugate(s->knee[i]), quat_conjugate(s->shin[i]));
    return quat_multiply(quat_multiply(back, s->knee[i]), q);
}

// ---- Paths --------------------------------------------------------------------------------------

/// Where the figure's front is in a part of the clip, along the ground.
static dvec3 front_in(const retarget_build *b, dvec3 front, int part)
{
    const double start_s = (double)b->from->start_s, length_s = (double)b->from->end_s - start_s;
    const float time_s = (float)(start_s + length_s * part / HEADINGS);
    const quat hips = since_rest(b, &b->hips, b->r->to_part[RIG_HIPS], time_s);
    return rotate_heading(hips, b->r->up, front);
}

/// The mean heading of the hips over the clip, and whether they turn away from it.
static zt_result find_heading(retarget_build *b)
{
    const dvec3 front = dvec3_perpendicular(b->r->up, (dvec3){0.0, 0.0, 1.0});
    dvec3 mean = {0.0, 0.0, 0.0};
    ZT_TRY(retarget_spend(b, 2 * HEADINGS * (uint64_t)(b->hips.count + 1)));
    for (int i = 0; i < HEADINGS; i++)
        mean = dvec3_add(mean, front_in(b, front, i));
    if (!dvec3_normalize(&mean, TURNED * HEADINGS)) {
        b->turns = true;
        return ZT_OK;
    }
    b->heading = quat_between(front, mean, b->r->up);
    for (int i = 0; i < HEADINGS; i++)
        b->turns |= dvec3_dot(front_in(b, front, i), mean) < -TURNED;
    return ZT_OK;
}

zt_result retarget_find_leg_paths(retarget_build *b)
{
    const int32_t *source = b->r->source;
    uint32_t unused;
    if (!b->r->leg[0].bends && !b->r->leg[1].bends)
        return ZT_OK;
    memset(b->r->samples, 0, sizeof *b->r->samples << SAMPLE_BITS);
    for (int i = 0; i < 2; i++) {
        const retarget_leg *leg = &b->r->leg[i];
        retarget_leg_paths *p = &b->leg[i];
        if (!leg->bends)
            continue;
        ZT_TRY(retarget_find_path(b, &p->knee, source[leg->thigh], source[leg->shin], &unused));
        if (!leg->spreads)
            continue;
        ZT_TRY(retarget_find_path(b, &b->hips, -1, source[b->r->to_part[RIG_HIPS]], &unused));
        ZT_TRY(retarget_find_path(b, &p->thigh, -1, source[leg->thigh], &unused));
        ZT_TRY(retarget_find_path(b, &p->foot, -1, source[leg->foot], &unused));
    }
    return b->hips.count > 0 ? find_heading(b) : ZT_OK;
}
