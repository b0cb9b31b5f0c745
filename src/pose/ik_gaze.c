// SPDX-License-Identifier: MIT
/// Eyes that look at a target as a VRM file says (VRMC_vrm 1.0, lookAt.md): the angles to the
/// target, seen from the head, become angles of each eye by the ranges of the file.
#include "base/maths.h"
#include "pose/ik_solver.h"

/// The rotation of a node at rest in its model; false: it is scaled flat.
static bool rest_rotation(const zt_model *model, int32_t node, quat *out)
{
    const affine rest = model_rest_transform(model, node);
    return quat_from_axes(&rest.m, out);
}

bool ik_gaze_angles(const ik_context *context, const scene_ik *ik, double *yaw_deg,
                    double *pitch_deg)
{
    const model_gaze *gaze = context->model->gaze;
    const affine head = affine_from_floats(context->world[gaze->head][0]);
    const double front = context->model->faces_back ? -1.0 : 1.0;
    quat now, rest;
    if (!quat_from_axes(&head.m, &now) || !rest_rotation(context->model, gaze->head, &rest))
        return false;
    const dvec3 eye = affine_point(&head, dvec3_from_floats(gaze->offset));
    const dvec3 sight = dvec3_sub(ik_target_evaluate(context, ik), eye);
    // The way as it would be with the head at rest: z is ahead, x to the left, or both against it.
    const quat since_rest = quat_multiply(now, quat_conjugate(rest));
    const dvec3 at_rest = quat_rotate(quat_conjugate(since_rest), sight);
    const double ahead = front * at_rest.z, left = front * at_rest.x;
    *yaw_deg = MATHS_DEG_FROM_RAD * maths_atan2(left, ahead);
    *pitch_deg = MATHS_DEG_FROM_RAD * maths_atan2(at_rest.y, sqrt(ahead * ahead + left * left));
    return true;
}

void ik_gaze_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    const zt_model *model = context->model;
    const model_gaze *gaze = model->gaze;
    double yaw_deg, pitch_deg;
    if (gaze->by_expressions || !ik_gaze_angles(context, ik, &yaw_deg, &pitch_deg))
        return;
    for (int i = 0; i < 2; i++) {
        const int32_t eye = gaze->eyes[i];
        quat parent;
        if (eye < 0 || !rest_rotation(model, model->parent[eye], &parent))
            continue;
        const quat turn = gaze_eye_turn(gaze, model->faces_back, i, yaw_deg, pitch_deg, parent);
        const quat rest = quat_from_floats(model->nodes[eye].rest.r);
        ik_set_rotation(context, eye, quat_multiply(turn, rest), weight);
    }
    ik_update_world(context);
}
