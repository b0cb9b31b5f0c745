// SPDX-License-Identifier: MIT
/// Orient: gives a bone the rotation of another one, or one that the scene keys.
#include "pose/ik.h"
#include "pose/ik_solver.h"

/// The sine below which two directions are parallel.
#define PARALLEL 1e-9

bool ik_orient_solve(const dmat3 *space_from_parent, const double scale[3], const ik_axes *axes,
                     quat *out)
{
    // Directions by the inverse without its scale: only the sign of the volume counts.
    const dmat3 rows = dmat3_cofactor(space_from_parent);
    const double volume = dvec3_dot(space_from_parent->x, rows.x);
    if (!(fabs(volume) > 0.0))
        return false;
    const double sign_x = (volume < 0.0) != (scale[0] < 0.0) ? -1.0 : 1.0;
    const double sign_y = (volume < 0.0) != (scale[1] < 0.0) ? -1.0 : 1.0;
    dvec3 x = dvec3_scale(dmat3_transform_transposed(&rows, axes->x), sign_x);
    dvec3 y = dvec3_scale(dmat3_transform_transposed(&rows, axes->y), sign_y);
    if (!dvec3_normalize(&x, 0.0) || !dvec3_normalize(&y, 0.0))
        return false;
    y = dvec3_reject(y, x);
    if (!dvec3_normalize(&y, PARALLEL))
        return false;
    *out = quat_from_rotation(&(dmat3){x, y, dvec3_cross(x, y)});
    return quat_normalize(out);
}

/// A keyed rotation as a quaternion.
static quat rotation_at(const track *rotate, double time_s)
{
    float q[4];
    quat out = quat_identity();
    if (!pose_track_rotation(rotate, time_s, q))
        return out;
    out = quat_from_floats(q);
    return quat_normalize(&out) ? out : quat_identity();
}

/// The axes of a matrix without scale and shear: x; y made square to it; z on its side.
static dmat3 unit_axes(const dmat3 *m)
{
    dvec3 x = m->x, y = m->y;
    if (!dvec3_normalize(&x, 0.0))
        return *m;
    y = dvec3_reject(y, x);
    if (!dvec3_normalize(&y, 0.0))
        return *m;
    const dvec3 z = dvec3_cross(x, y);
    return (dmat3){x, y, dvec3_dot(z, m->z) < 0.0 ? dvec3_scale(z, -1.0) : z};
}

ik_axes ik_axes_evaluate(const ik_context *context, const scene_ik *ik)
{
    const scene_orientation *o = &ik->orient;
    const dvec3 x_axis = {1.0, 0.0, 0.0}, y_axis = {0.0, 1.0, 0.0};
    dmat3 frame = dmat3_identity();
    quat rotation = quat_identity();
    if (!o->given)
        return (ik_axes){x_axis, y_axis};
    if (o->target.instance != SCENE_TARGET_POINT) {
        const affine bone = ik_target_bone(context, &o->target);
        frame = unit_axes(&bone.m);
    } else {
        rotation = rotation_at(&o->rotation, context->time_s);
        if (ik->model_space)
            frame = affine_from_floats(context->world_from_model[0]).m;
    }
    rotation = quat_multiply(rotation, rotation_at(&o->rotate, context->time_s));
    return (ik_axes){dmat3_transform(&frame, quat_rotate(rotation, x_axis)),
                     dmat3_transform(&frame, quat_rotate(rotation, y_axis))};
}

float ik_orient_weight(const ik_context *context, const scene_ik *ik)
{
    double weight = 1.0;
    if (ik->orient.weight.key_count > 0)
        track_evaluate(&ik->orient.weight, context->time_s, &weight);
    return (float)weight;
}

void ik_orient_bone(const ik_context *context, int32_t node, const ik_axes *axes, float weight)
{
    const affine parent = ik_parent_world(context, node);
    const pose_block *b = &context->local[node / POSE_LANES];
    double scale[3];
    quat rotation;
    for (int k = 0; k < 3; k++)
        scale[k] = (double)b->s[k][node % POSE_LANES];
    if (weight > 0.0f && ik_orient_solve(&parent.m, scale, axes, &rotation))
        ik_set_rotation(context, node, rotation, weight);
}

void ik_copy_rotation_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    const ik_axes axes = ik_axes_evaluate(context, ik);
    ik_orient_bone(context, ik->bones[0], &axes, weight);
    ik_update_world(context);
}
