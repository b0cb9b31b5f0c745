// SPDX-License-Identifier: MIT
/// A line of sight to a target, its angle shared by a chain of bones.
#include "base/maths.h"
#include "pose/ik.h"

double ik_limited_angle(double angle_deg, double most_deg, double let_go_deg)
{
    double out = angle_deg < most_deg ? angle_deg : most_deg;
    const double band = let_go_deg < 180.0 - most_deg ? let_go_deg : 180.0 - most_deg;
    if (band > 0.0 && angle_deg > 180.0 - band)
        out = most_deg * ((180.0 - angle_deg) / band);
    return out > 0.0 ? out : 0.0;
}

/// Where on the line of sight a point stands that is as far from the joint as the target is: a turn
/// about the joint that takes this point to the target leads the line through it. Seen from the
/// joint. When the target is too near for the line, the nearest point of the line.
static dvec3 point_of_sight(dvec3 joint, dvec3 eye, dvec3 forward, double distance)
{
    const dvec3 from = sub3(eye, joint);
    const double middle = -dot3(from, forward);
    const double inside = (middle * middle - dot3(from, from)) + distance * distance;
    const double along = middle + (inside > 0.0 ? sqrt(inside) : 0.0);
    return add3(from, scale3(forward, along > 0.0 ? along : 0.0));
}

/// The target, moved around the last joint so that the line of sight turns no farther than allowed.
static dvec3 allowed_target(const ik_look *job, dvec3 forward)
{
    const dvec3 joint = job->joint[job->count - 1], to_target = sub3(job->target, joint);
    const dvec3 sight = point_of_sight(joint, job->eye, forward, length3(to_target));
    const double angle = turn_angle_deg(sight, to_target);
    const double allowed = ik_limited_angle(angle, job->most_deg, job->let_go_deg);
    if (allowed == angle)
        return job->target;
    dvec3 axis = cross3(sight, to_target);
    if (!unit3(&axis, 1e-12 * length3(sight) * length3(to_target)))
        axis = turn_any_across(sight, job->spare);
    return add3(joint, turn_point(turn_about_deg(axis, allowed - angle), to_target));
}

/// The part of the turn about a joint that is its own.
static turn turn_of_joint(dvec3 sight, dvec3 to_target, dvec3 spare, double part, double limit_deg)
{
    const double whole = turn_angle_deg(sight, to_target);
    double angle = whole * part;
    angle = angle < limit_deg ? angle : limit_deg;
    if (angle == whole)
        return turn_between(sight, to_target, spare);
    dvec3 axis = cross3(sight, to_target);
    if (!unit3(&axis, 1e-12 * length3(sight) * length3(to_target)))
        axis = turn_any_across(sight, spare);
    return turn_about_deg(axis, angle);
}

void ik_look_solve(const ik_look *job, turn *out)
{
    dvec3 forward = job->forward, eye = job->eye, joint[IK_CHAIN_LIMIT];
    double left = 0.0;
    for (uint32_t i = 0; i < job->count; i++) {
        joint[i] = job->joint[i];
        out[i] = turn_none();
        left += job->share[i];
    }
    if (!unit3(&forward, 0.0) || !(left > 0.0))
        return;
    const dvec3 target = allowed_target(job, forward);
    turn all = turn_none();
    for (uint32_t i = 0; i < job->count; i++) {
        // Of what is left to turn, so that the last one does all of it.
        const double part = job->share[i] < left ? job->share[i] / left : left > 0.0 ? 1.0 : 0.0;
        left -= job->share[i];
        const dvec3 to_target = sub3(target, joint[i]);
        const dvec3 sight = point_of_sight(joint[i], eye, forward, length3(to_target));
        const turn own = turn_of_joint(sight, to_target, job->spare, part,
                                       job->limit_deg ? job->limit_deg[i] : 180.0);
        for (uint32_t k = i + 1; k < job->count; k++)
            joint[k] = add3(joint[i], turn_point(own, sub3(joint[k], joint[i])));
        eye = add3(joint[i], turn_point(own, sub3(eye, joint[i])));
        forward = turn_point(own, forward);
        all = turn_mul(own, all);
        out[i] = all;
    }
}
