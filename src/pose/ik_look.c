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
    const dvec3 from = dvec3_sub(eye, joint);
    const double middle = -dvec3_dot(from, forward);
    const double inside = (middle * middle - dvec3_dot(from, from)) + distance * distance;
    const double along = middle + (inside > 0.0 ? sqrt(inside) : 0.0);
    return dvec3_add(from, dvec3_scale(forward, along > 0.0 ? along : 0.0));
}

/// The target, moved around the last joint so that the line of sight turns no farther than allowed.
static dvec3 allowed_target(const ik_look *job, dvec3 forward)
{
    const dvec3 joint = job->joint[job->count - 1], to_target = dvec3_sub(job->target, joint);
    const dvec3 sight = point_of_sight(joint, job->eye, forward, dvec3_length(to_target));
    const double angle = dvec3_angle_deg(sight, to_target);
    const double allowed = ik_limited_angle(angle, job->most_deg, job->let_go_deg);
    if (allowed == angle)
        return job->target;
    dvec3 axis = dvec3_cross(sight, to_target);
    if (!dvec3_normalize(&axis, 1e-12 * dvec3_length(sight) * dvec3_length(to_target)))
        axis = dvec3_perpendicular(sight, job->spare);
    return dvec3_add(joint, quat_rotate(quat_from_axis_deg(axis, allowed - angle), to_target));
}

/// The part of the turn about a joint that is its own.
static quat turn_of_joint(dvec3 sight, dvec3 to_target, dvec3 spare, double part, double limit_deg)
{
    const double whole = dvec3_angle_deg(sight, to_target);
    double angle = whole * part;
    angle = angle < limit_deg ? angle : limit_deg;
    if (angle == whole)
        return quat_between(sight, to_target, spare);
    dvec3 axis = dvec3_cross(sight, to_target);
    if (!dvec3_normalize(&axis, 1e-12 * dvec3_length(sight) * dvec3_length(to_target)))
        axis = dvec3_perpendicular(sight, spare);
    return quat_from_axis_deg(axis, angle);
}

void ik_look_solve(const ik_look *job, quat *out)
{
    dvec3 forward = job->forward, eye = job->eye, joint[IK_CHAIN_LIMIT];
    double left = 0.0;
    for (uint32_t i = 0; i < job->count; i++) {
        joint[i] = job->joint[i];
        out[i] = quat_identity();
        left += job->share[i];
    }
    if (!dvec3_normalize(&forward, 0.0) || !(left > 0.0))
        return;
    const dvec3 target = allowed_target(job, forward);
    quat all = quat_identity();
    for (uint32_t i = 0; i < job->count; i++) {
        // Of what is left to turn, so that the last one does all of it.
        const double part = job->share[i] < left ? job->share[i] / left : left > 0.0 ? 1.0 : 0.0;
        left -= job->share[i];
        const dvec3 to_target = dvec3_sub(target, joint[i]);
        const dvec3 sight = point_of_sight(joint[i], eye, forward, dvec3_length(to_target));
        const quat own = turn_of_joint(sight, to_target, job->spare, part,
                                       job->limit_deg ? job->limit_deg[i] : 180.0);
        for (uint32_t k = i + 1; k < job->count; k++)
            joint[k] = dvec3_add(joint[i], quat_rotate(own, dvec3_sub(joint[k], joint[i])));
        eye = dvec3_add(joint[i], quat_rotate(own, dvec3_sub(eye, joint[i])));
        forward = quat_rotate(own, forward);
        all = quat_multiply(own, all);
        out[i] = all;
    }
}
