// SPDX-License-Identifier: MIT
/// Bones along a forearm take shares of the hand's rotation about it, so that the skin does not
/// wring at the wrist. Dobrowolski, "Swing-twist decomposition in Clifford algebra", 2015.
#include "base/maths.h"
#include "pose/ik.h"
#include "pose/ik_solver.h"

/// Where the sides of a twist meet, at 180 degrees, the shares go to 0 over so many degrees.
#define RELEASE_DEG 20.0
/// The cosine of half the swing below which they do so: a swing by 180 degrees has no twist.
#define RELEASE_SWING 0.3826834323650898 // 135 degrees

double ik_twist_deg(quat rotation, dvec3 axis)
{
    double along = dvec3_dot(axis, (dvec3){rotation.x, rotation.y, rotation.z}), w = rotation.w;
    if (w < 0.0) {
        along = -along;
        w = -w;
    }
    const double size = sqrt(w * w + along * along);
    if (!(size > 0.0))
        return 0.0;
    const double angle = 2.0 * MATHS_DEG_FROM_RAD * maths_atan2(along, w);
    const double to_half_turn = 180.0 - fabs(angle);
    double hold = to_half_turn < RELEASE_DEG ? to_half_turn / RELEASE_DEG : 1.0;
    hold = hold > 0.0 ? hold : 0.0;
    return angle * hold * (size < RELEASE_SWING ? size / RELEASE_SWING : 1.0);
}

/// The share that a node has by the nearest bone above it: parents have smaller indices.
static double share_above(const ik_context *context, const scene_ik *ik, uint32_t count,
                          int32_t node)
{
    int32_t nearest = -1;
    double share = 0.0;
    for (int32_t above = context->model->parent[node]; above >= 0 && nearest < 0;
         above = context->model->parent[above]) {
        for (uint32_t i = 0; i < count; i++) {
            if (ik->bones[i] != above)
                continue;
            nearest = above;
            share = ik->shares[i];
        }
    }
    return share;
}

void ik_twist_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    const uint32_t count = ik->bone_count - 1;
    const int32_t bone = ik->bones[count];
    ik_space space;
    quat parent;
    if (count == 0 || !ik_space_of_bone(context, ik->bones[0], &space))
        return;
    const dmat3 frame = ik_parent_transform(context, &space, bone);
    if (!quat_from_axes(&frame, &parent))
        return;
    dvec3 axis = dvec3_load(ik->forward), in_space;
    if (dvec3_normalize(&axis, 0.0)) {
        in_space = quat_rotate(parent, axis);
    } else {
        in_space = dvec3_sub(ik_point_in_space(&space, ik_bone_position(context, bone)),
                             ik_point_in_space(&space, ik_bone_position(context, ik->bones[0])));
        if (!dvec3_normalize(&in_space, 0.0))
            return;
        axis = quat_rotate(quat_conjugate(parent), in_space);
    }
    const quat rest = quat_from_floats(context->model->nodes[bone].rest.r);
    quat since_rest = quat_multiply(ik_bone_rotation(context, bone), quat_conjugate(rest));
    if (!quat_normalize(&since_rest))
        return;
    const double twist = ik_twist_deg(since_rest, axis);
    for (uint32_t i = 0; i <= count; i++) {
        const int32_t node = ik->bones[i];
        const double above = twist * share_above(context, ik, count, node);
        const double own = i < count ? twist * ik->shares[i] : 0.0;
        if (own != above)
            ik_rotate_bone(context, &space, node, quat_from_axis_deg(in_space, above),
                           quat_from_axis_deg(in_space, own), weight);
    }
    ik_update_world(context);
}
