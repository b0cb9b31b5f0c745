// SPDX-License-Identifier: MIT
/// Reach: leads the end of a limb of two bones to a target.
#include "base/maths.h"
#include "pose/ik.h"

#define LOG2_E 1.4426950408889634

/// The share of the limb below which a bone has no length.
#define NO_LENGTH 1e-6
/// The sine of the bend below which joints as posed (floats) do not span a plane.
#define STRAIGHT 1e-3
/// The sine below which a pole is parallel to the line to the target.
#define ALONG 1e-6
/// The sine below which two unit vectors are parallel.
#define PARALLEL 1e-12
/// See arc_in_cone_deg(): sin(60 / 2 degrees).
#define SIN_HALF_EASED_ARC 0.5

double ik_soft_distance(double distance, double min, double max, double soft)
{
    double span = max * soft;
    if (span > max - min)
        span = max - min;
    double d = distance;
    if (span > 0.0 && d > max - span)
        d = max - span * maths_exp2(-LOG2_E * ((d - (max - span)) / span));
    d = d < max ? d : max;
    return d > min ? d : min;
}

/// The limb about its hinge.
typedef struct hinged_limb {
    dvec3 first, second; ///< bones
    double first_length, second_length;
    dvec3 hinge;               ///< unit
    double across, along;      ///< products of the bones' lengths across the hinge and along it
    double bend_cos, bend_sin; ///< as posed, from first to second, times `across`
} hinged_limb;

/// False when the hinge lies along a bone.
static bool measure_bend(hinged_limb *l)
{
    const dvec3 a = dvec3_reject(l->first, l->hinge), b = dvec3_reject(l->second, l->hinge);
    l->across = dvec3_length(a) * dvec3_length(b);
    l->along = dvec3_dot(l->first, l->hinge) * dvec3_dot(l->second, l->hinge);
    l->bend_cos = dvec3_dot(a, b);
    l->bend_sin = dvec3_dot(l->hinge, dvec3_cross(a, b));
    return l->across > STRAIGHT * l->first_length * l->second_length;
}

static void choose_hinge(const ik_reach *limb, hinged_limb *l)
{
    l->hinge = limb->hinge;
    if (dvec3_normalize(&l->hinge, 0.0) && measure_bend(l))
        return;
    l->hinge = dvec3_cross(l->first, l->second);
    if (!dvec3_normalize(&l->hinge, STRAIGHT * l->first_length * l->second_length))
        l->hinge = dvec3_perpendicular(l->first, limb->fallback_hinge);
    measure_bend(l);
}

/// The distance from root to end at an angle between the bones: the law of cosines.
static double distance_at(const hinged_limb *l, double angle_deg)
{
    double s, c;
    maths_sincos_deg(angle_deg, &s, &c);
    const double a = l->first_length, b = l->second_length;
    const double square = (a * a + b * b) - 2.0 * a * b * c;
    return square > 0.0 ? sqrt(square) : 0.0;
}

/// The same law about the hinge, which keeps the bones' parts along it. Returns the second bone's
/// rotation that puts the end at `distance` from the root, or as near as the hinge allows.
static quat bend_to(const hinged_limb *l, double distance)
{
    const double a = l->first_length, b = l->second_length;
    double c = ((distance * distance - a * a) - b * b - 2.0 * l->along) / (2.0 * l->across);
    c = maths_clamp(c, -1.0, 1.0);
    const double s = sqrt((1.0 - c) * (1.0 + c));
    // The difference of two angles about the hinge.
    return quat_from_axis(l->hinge, c * l->bend_cos + s * l->bend_sin,
                          s * l->bend_cos - c * l->bend_sin);
}

/// The largest angle on the circle, from the side of the cone, that is in the cone: acos(cosine).
/// Where the circle leaves the cone that arc shrinks to a point, without bound at its end: below
/// EASED_ARC_DEG a part of it, which shrinks evenly with the target.
static double arc_in_cone_deg(double cosine)
{
    const double c = cosine < -1.0 ? -1.0 : cosine;
    if (!(c < 1.0))
        return 0.0;
    const double arc = MATHS_DEG_FROM_RAD * maths_atan2(sqrt((1.0 - c) * (1.0 + c)), c);
    const double part = sqrt((1.0 - c) * 0.5) / SIN_HALF_EASED_ARC;
    return part < 1.0 ? arc * part : arc;
}

/// The rotation about `line` that brings the first bone into the cone, as far as the circle leads
/// there. False when no point of the circle is in the cone: `out` then brings it nearest to it.
///
/// On the circle the bone keeps to the arc in the cone. Across the arc it lets go of the nearer end
/// and passes over the middle, so that nothing jumps. With the bone at cos(t) v + sin(t) w + a part
/// along the line, it is in the cone where cos(t - side) is at least `cosine`.
static bool circle_into_cone(const ik_reach *limb, dvec3 line, dvec3 bone, dvec3 cone, quat *out)
{
    double s, c;
    maths_sincos_deg(limb->cone_deg, &s, &c);
    dvec3 v = dvec3_reject(bone, line);
    const double radius = dvec3_length(v);
    const double need = c - dvec3_dot(line, bone) * dvec3_dot(line, cone);
    *out = quat_identity();
    if (!dvec3_normalize(&v, ALONG))
        return need <= 0.0;
    const dvec3 w = dvec3_cross(line, v);
    const double at_v = dvec3_dot(v, cone), at_w = dvec3_dot(w, cone);
    const double size = sqrt(at_v * at_v + at_w * at_w);
    if (!(size > ALONG))
        return need <= 0.0;
    const double cosine = need / (radius * size);
    const double from_side = -MATHS_DEG_FROM_RAD * maths_atan2(at_w, at_v);
    const double kept = ik_limited_angle(fabs(from_side), arc_in_cone_deg(cosine), IK_RELEASE_DEG);
    const double change = kept - fabs(from_side);
    if (change != 0.0)
        *out = quat_from_axis_deg(line, from_side < 0.0 ? -change : change);
    return cosine <= 1.0;
}

/// The rotation about the middle joint that brings the angle between the bones into its limits.
static quat limit_bend(const ik_reach *limb, dvec3 first, dvec3 second, dvec3 hinge)
{
    const double angle = 180.0 - dvec3_angle_deg(first, second);
    double want = angle < limb->min_deg ? limb->min_deg : angle;
    want = want > limb->max_deg ? limb->max_deg : want;
    if (want == angle)
        return quat_identity();
    dvec3 axis = dvec3_cross(first, second);
    if (!dvec3_normalize(&axis, STRAIGHT * dvec3_length(first) * dvec3_length(second)))
        axis = dvec3_perpendicular(first, hinge);
    return quat_from_axis_deg(axis, angle - want);
}

/// Corrects the solution `out` so that the first bone stays in the cone.
static void keep_in_cone(const ik_reach *limb, const hinged_limb *l, dvec3 line, double distance,
                         ik_reach_rotations *out)
{
    dvec3 cone = limb->cone_axis, bone = quat_rotate(out->root, l->first);
    if (!(limb->cone_deg < 180.0) || !dvec3_normalize(&cone, 0.0) || !dvec3_normalize(&bone, 0.0))
        return;
    quat fix;
    const bool meets = circle_into_cone(limb, line, bone, cone, &fix);
    out->root = quat_multiply(fix, out->root);
    out->middle = quat_multiply(fix, out->middle);
    if (meets)
        return;
    // From there straight into the cone, so that nothing jumps where the circle leaves it.
    bone = quat_rotate(fix, bone);
    const double outside = dvec3_angle_deg(bone, cone) - limb->cone_deg;
    const dvec3 hinge = quat_rotate(out->root, l->hinge);
    dvec3 axis = dvec3_cross(bone, cone);
    if (!dvec3_normalize(&axis, PARALLEL))
        axis = dvec3_perpendicular(cone, hinge);
    fix = quat_from_axis_deg(axis, outside > 0.0 ? outside : 0.0);
    out->root = quat_multiply(fix, out->root);
    out->middle = quat_multiply(fix, out->middle);
    const dvec3 first = quat_rotate(out->root, l->first);
    const dvec3 to_target = dvec3_sub(dvec3_scale(line, distance), first);
    const quat point = quat_between(quat_rotate(out->middle, l->second), to_target, hinge);
    out->middle = quat_multiply(point, out->middle);
    const quat limit =
        limit_bend(limb, first, quat_rotate(out->middle, l->second), quat_rotate(fix, hinge));
    out->middle = quat_multiply(limit, out->middle);
}

/// Swings the bent limb onto the line to the target and rotates it about the line to its pole.
static quat swing_limb(const ik_reach *limb, const hinged_limb *l, dvec3 reach, dvec3 line)
{
    const quat swing = quat_between(reach, line, l->hinge);
    dvec3 pole = dvec3_reject(limb->pole, line);
    // The middle joint points across the line and the hinge, bent or straight.
    dvec3 side = dvec3_cross(line, quat_rotate(swing, l->hinge));
    if (!dvec3_normalize(&pole, ALONG * dvec3_length(limb->pole)) || !dvec3_normalize(&side, ALONG))
        return swing;
    const quat swivel =
        quat_from_axis(line, dvec3_dot(side, pole), dvec3_dot(line, dvec3_cross(side, pole)));
    return quat_multiply(swivel, swing);
}

ik_reach_rotations ik_reach_solve(const ik_reach *limb)
{
    ik_reach_rotations out = {quat_identity(), quat_identity()};
    hinged_limb l = {.first = dvec3_sub(limb->middle, limb->root),
                     .second = dvec3_sub(limb->end, limb->middle)};
    l.first_length = dvec3_length(l.first);
    l.second_length = dvec3_length(l.second);
    const double whole = l.first_length + l.second_length;
    const dvec3 posed = dvec3_sub(limb->end, limb->root),
                to_target = dvec3_sub(limb->target, limb->root);
    double distance = dvec3_length(to_target);
    if (!(whole > 0.0) || !(whole <= 1e150) || !(distance <= 1e150))
        return out;
    if (maths_min(l.first_length, l.second_length) <= NO_LENGTH * whole) {
        if (distance > NO_LENGTH * whole)
            out.root = out.middle = quat_between(posed, to_target, limb->fallback_hinge);
        return out;
    }
    choose_hinge(limb, &l);
    const double a = l.first_length, b = l.second_length;
    const double farthest = sqrt(maths_max((a * a + b * b) + 2.0 * (l.along + l.across), 0.0));
    const double nearest = sqrt(maths_max((a * a + b * b) + 2.0 * (l.along - l.across), 0.0));
    const double max = maths_min(distance_at(&l, limb->max_deg), farthest);
    const double min = maths_min(maths_max(distance_at(&l, limb->min_deg), nearest), max);

    dvec3 line = to_target;
    bool has_line = dvec3_normalize(&line, NO_LENGTH * whole);
    if (!has_line) {
        line = posed;
        has_line = dvec3_normalize(&line, NO_LENGTH * whole);
    }
    distance = ik_soft_distance(distance, min, max, limb->soft);
    const quat bend = bend_to(&l, distance);
    dvec3 reach = dvec3_add(l.first, quat_rotate(bend, l.second));
    // A limb folded onto itself: the limit of its direction while it folds.
    if (dvec3_length(reach) <= NO_LENGTH * whole)
        reach = dvec3_cross(l.hinge, l.first);
    if (!has_line) {
        line = reach;
        dvec3_normalize(&line, 0.0);
    }
    out.root = swing_limb(limb, &l, reach, line);
    out.middle = quat_multiply(out.root, bend);
    keep_in_cone(limb, &l, line, distance, &out);
    return out;
}
