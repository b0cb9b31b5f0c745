// SPDX-License-Identifier: MIT
/// Look and aim: leads a line of sight to a target, its angle shared by a chain of bones. An aim is
/// a look of one bone and a roll about the line to the target.
#include "base/maths.h"
#include "pose/ik.h"
#include "pose/ik_solver.h"

_Static_assert((int)IK_CHAIN_LIMIT == (int)SCENE_IK_CHAIN_LIMIT, "scenes hold chains to the limit");

/// The sine below which two directions count as parallel.
#define PARALLEL 1e-12
/// A shorter part of a unit vector across another is no direction.
#define FLAT 1e-6

/// The part of a limit that holds at an angle: 1, and in the last `release_deg` before 180 (or
/// beyond the limit, if that is nearer) less, down to 0 straight behind.
static double hold_at(double angle_deg, double max_deg, double release_deg)
{
    const double band = release_deg < 180.0 - max_deg ? release_deg : 180.0 - max_deg;
    return band > 0.0 && angle_deg > 180.0 - band ? (180.0 - angle_deg) / band : 1.0;
}

double ik_limited_angle(double angle_deg, double max_deg, double release_deg)
{
    const double out =
        (angle_deg < max_deg ? angle_deg : max_deg) * hold_at(angle_deg, max_deg, release_deg);
    return out > 0.0 ? out : 0.0;
}

/// The point of the line of sight that is as far from the joint as the target, relative to the
/// joint: a rotation about the joint that takes this point to the target leads the line through it.
/// When the target is too near for the line, the nearest point of the line.
static dvec3 point_of_sight(dvec3 joint, dvec3 eye, dvec3 forward, double distance)
{
    const dvec3 from = dvec3_sub(eye, joint);
    const double middle = -dvec3_dot(from, forward);
    const double inside = (middle * middle - dvec3_dot(from, from)) + distance * distance;
    const double along = middle + (inside > 0.0 ? sqrt(inside) : 0.0);
    return dvec3_add(from, dvec3_scale(forward, along > 0.0 ? along : 0.0));
}

/// The unit axis of the rotation from one direction to another.
static dvec3 rotation_axis(dvec3 from, dvec3 to, dvec3 fallback_axis)
{
    dvec3 axis = dvec3_cross(from, to);
    if (!dvec3_normalize(&axis, PARALLEL * dvec3_length(from) * dvec3_length(to)))
        axis = dvec3_perpendicular(from, fallback_axis);
    return axis;
}

/// `to_target` with its angles to `sight` about `up` and to the horizon of `up` limited. While a
/// target passes behind, both angles return to 0. From the limit of the pitch to straight above (or
/// below) the yaw returns to 0, for there it has no direction.
static dvec3 limit_yaw_and_pitch(const ik_look_at *chain, dvec3 sight, dvec3 to_target)
{
    dvec3 up = chain->up, ahead = sight;
    const double length = dvec3_length(to_target);
    if (!dvec3_normalize(&up, 0.0) || !dvec3_normalize(&ahead, 0.0) || !(length > 0.0))
        return to_target;
    dvec3 front = dvec3_reject(ahead, up);
    if (!dvec3_normalize(&front, FLAT))
        return to_target; // the clip looks straight up or down
    const dvec3 left = dvec3_cross(up, front);
    const double yaw =
        MATHS_DEG_FROM_RAD * maths_atan2(dvec3_dot(to_target, left), dvec3_dot(to_target, front));
    const double posed_pitch = 90.0 - dvec3_angle_deg(ahead, up);
    const double pitch = (90.0 - dvec3_angle_deg(to_target, up)) - posed_pitch;
    const double max_yaw = chain->yaw_deg[yaw > 0.0];
    double new_yaw = ik_limited_angle(fabs(yaw), max_yaw, IK_RELEASE_DEG);
    double new_pitch = maths_min(maths_max(pitch, -chain->pitch_deg[0]), chain->pitch_deg[1]);
    double fade = 1.0;
    if (max_yaw < 180.0) {
        // 0 at the limit of the pitch, 1 straight above or below.
        const double left_over = fabs(pitch - new_pitch);
        const double pole = 90.0 - fabs(posed_pitch + new_pitch);
        fade = left_over > 0.0 && pole > 0.0 ? 1.0 - left_over / pole : 1.0;
        fade = fade > 0.0 ? fade : 0.0;
        new_pitch *= 1.0 + (hold_at(fabs(yaw), max_yaw, IK_RELEASE_DEG) - 1.0) * fade;
    }
    new_yaw = (yaw < 0.0 ? -new_yaw : new_yaw) * fade;
    if (new_yaw == yaw && new_pitch == pitch)
        return to_target;
    double yaw_sin, yaw_cos, pitch_sin, pitch_cos;
    maths_sincos_deg(new_yaw, &yaw_sin, &yaw_cos);
    maths_sincos_deg(posed_pitch + new_pitch, &pitch_sin, &pitch_cos);
    const dvec3 level = dvec3_add(dvec3_scale(front, yaw_cos), dvec3_scale(left, yaw_sin));
    const dvec3 out = dvec3_add(dvec3_scale(level, pitch_cos), dvec3_scale(up, pitch_sin));
    return dvec3_scale(out, length);
}

/// The target, moved around the last joint so that the line of sight keeps its limits.
static dvec3 limited_target(const ik_look_at *chain, dvec3 forward)
{
    const dvec3 joint = chain->joint[chain->count - 1];
    dvec3 to_target = dvec3_sub(chain->target, joint);
    const dvec3 sight = point_of_sight(joint, chain->eye, forward, dvec3_length(to_target));
    double max_deg = 0.0;
    for (uint32_t i = 0; chain->limit_deg && i < chain->count; i++)
        max_deg += chain->limit_deg[i];
    max_deg = chain->limit_deg && max_deg < chain->max_deg ? max_deg : chain->max_deg;
    const dvec3 asked = to_target;
    to_target = limit_yaw_and_pitch(chain, sight, to_target);
    const double angle = dvec3_angle_deg(sight, to_target);
    const double limited = ik_limited_angle(angle, max_deg, IK_RELEASE_DEG);
    if (limited == angle)
        return asked.x == to_target.x && asked.y == to_target.y && asked.z == to_target.z
                   ? chain->target
                   : dvec3_add(joint, to_target);
    const dvec3 axis = rotation_axis(sight, to_target, chain->fallback_axis);
    return dvec3_add(joint, quat_rotate(quat_from_axis_deg(axis, limited - angle), to_target));
}

/// The rotation of one joint: `part` of the angle from the line of sight to the target, or more
/// when the joints after it cannot rotate by the rest, `later_deg`.
static quat rotation_of_joint(const ik_look_at *chain, dvec3 sight, dvec3 to_target, double part,
                              double limit_deg, double later_deg)
{
    const double whole = dvec3_angle_deg(sight, to_target);
    double angle = whole * part;
    angle = angle > whole - later_deg ? angle : whole - later_deg;
    angle = angle < limit_deg ? angle : limit_deg;
    if (angle == whole)
        return quat_between(sight, to_target, chain->fallback_axis);
    return quat_from_axis_deg(rotation_axis(sight, to_target, chain->fallback_axis), angle);
}

/// The angle of a rotation, at most `limit_deg`.
static quat limit_rotation(quat q, double limit_deg)
{
    const double half_sin = sqrt((q.x * q.x + q.y * q.y) + q.z * q.z);
    const double angle = 2.0 * MATHS_DEG_FROM_RAD * maths_atan2(half_sin, fabs(q.w));
    return angle > limit_deg ? quat_slerp(quat_identity(), q, limit_deg / angle) : q;
}

void ik_look_at_solve(const ik_look_at *chain, quat *out)
{
    dvec3 forward = chain->forward, eye = chain->eye, joint[IK_CHAIN_LIMIT];
    double left = 0.0, later_deg = 0.0;
    for (uint32_t i = 0; i < chain->count; i++) {
        joint[i] = chain->joint[i];
        out[i] = quat_identity();
        left += chain->share[i];
        later_deg += chain->limit_deg ? chain->limit_deg[i] : 180.0;
    }
    if (!dvec3_normalize(&forward, 0.0) || !(left > 0.0))
        return;
    const dvec3 target = limited_target(chain, forward);
    quat all = quat_identity();
    for (uint32_t i = 0; i < chain->count; i++) {
        // From the angle that is left, so that the last joint takes all of it.
        const double part = chain->share[i] < left ? chain->share[i] / left
                            : left > 0.0           ? 1.0
                                                   : 0.0;
        const double limit_deg = chain->limit_deg ? chain->limit_deg[i] : 180.0;
        left -= chain->share[i];
        later_deg -= limit_deg;
        const dvec3 to_target = dvec3_sub(target, joint[i]);
        const dvec3 sight = point_of_sight(joint[i], eye, forward, dvec3_length(to_target));
        quat own = rotation_of_joint(chain, sight, to_target, part, limit_deg, later_deg);
        if (chain->up.x != 0.0 || chain->up.y != 0.0 || chain->up.z != 0.0) {
            // About the line of sight, which it keeps: `up` leaves the plane of both no more.
            const dvec3 tilted = quat_rotate(quat_multiply(own, all), chain->up);
            own = quat_multiply(ik_roll(quat_rotate(own, sight), tilted, chain->up), own);
            own = limit_rotation(own, limit_deg);
        }
        for (uint32_t k = i + 1; k < chain->count; k++)
            joint[k] = dvec3_add(joint[i], quat_rotate(own, dvec3_sub(joint[k], joint[i])));
        eye = dvec3_add(joint[i], quat_rotate(own, dvec3_sub(eye, joint[i])));
        forward = quat_rotate(own, forward);
        all = quat_multiply(own, all);
        out[i] = all;
    }
}

quat ik_roll(dvec3 axis, dvec3 up_axis, dvec3 up)
{
    if (!dvec3_normalize(&axis, 0.0) || !dvec3_normalize(&up_axis, 0.0) ||
        !dvec3_normalize(&up, 0.0))
        return quat_identity();
    dvec3 from = dvec3_reject(up_axis, axis), to = dvec3_reject(up, axis);
    if (!dvec3_normalize(&from, FLAT) || !dvec3_normalize(&to, FLAT))
        return quat_identity();
    return quat_from_axis(axis, dvec3_dot(from, to), dvec3_dot(axis, dvec3_cross(from, to)));
}

/// In `space`. `joint`: room for the chain, which the result refers to.
static ik_look_at look_of_bones(const ik_context *context, const ik_space *space,
                                const scene_ik *ik, dvec3 *joint)
{
    for (uint32_t i = 0; i < ik->bone_count; i++)
        joint[i] = ik_point_in_space(space, ik_bone_position(context, ik->bones[i]));
    const affine last = ik_bone_transform(context, space, ik->bones[ik->bone_count - 1]);
    return (ik_look_at){
        .count = ik->bone_count,
        .joint = joint,
        .share = ik->shares,
        .limit_deg = ik->limits_deg,
        .eye = affine_point(&last, dvec3_load(ik->offset)),
        .forward = dmat3_transform(&last.m, dvec3_load(ik->forward)),
        .target = ik_point_in_space(space, ik_target_evaluate(context, ik)),
        .fallback_axis = ik_vector_in_space(space, (dvec3){0.0, 1.0, 0.0}),
        .max_deg = ik->limit_deg,
        .yaw_deg = {ik->yaw_deg[0], ik->yaw_deg[1]},
        .pitch_deg = {ik->pitch_deg[0], ik->pitch_deg[1]},
    };
}

void ik_look_at_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    dvec3 joint[IK_CHAIN_LIMIT];
    quat rotation[IK_CHAIN_LIMIT];
    ik_space space;
    if (!ik_space_of_bone(context, ik->bones[0], &space))
        return;
    ik_look_at look = look_of_bones(context, &space, ik, joint);
    look.up = ik_vector_in_space(&space, ik_direction_evaluate(context, ik, &ik->up));
    ik_look_at_solve(&look, rotation);
    for (uint32_t i = 0; i < ik->bone_count; i++)
        ik_rotate_bone(context, &space, ik->bones[i], i > 0 ? rotation[i - 1] : quat_identity(),
                       rotation[i], weight);
    ik_update_world(context);
}

void ik_aim_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    dvec3 joint[1];
    quat look_rotation;
    const int32_t bone = ik->bones[0];
    ik_space space;
    if (!ik_space_of_bone(context, bone, &space))
        return;
    const ik_look_at look = look_of_bones(context, &space, ik, joint);
    ik_look_at_solve(&look, &look_rotation);
    const affine posed = ik_bone_transform(context, &space, bone);
    const dvec3 posed_up = dmat3_transform(&posed.m, dvec3_load(ik->up_axis));
    const dvec3 up_axis = quat_rotate(look_rotation, posed_up);
    const dvec3 up = ik_direction_evaluate(context, ik, &ik->up);
    const quat roll =
        ik_roll(dvec3_sub(look.target, joint[0]), up_axis, ik_vector_in_space(&space, up));
    ik_rotate_bone(context, &space, bone, quat_identity(), quat_multiply(roll, look_rotation),
                   weight);
    ik_update_world(context);
}
