// SPDX-License-Identifier: MIT
/// Drivers: shares of 0 to 1 by angles of joints and weights of morph targets.
#include "base/maths.h"
#include "base/quat.h"
#include "pose/pose.h"

static dvec3 unit_or(const float column[4], dvec3 otherwise)
{
    dvec3 v = dvec3_from_floats(column);
    return dvec3_normalize(&v, 0.0) ? v : otherwise;
}

/// The columns of a matrix made unit: its rotation where it has no shear, mirrored as it is.
static dmat3 rotation_of(mat4 m)
{
    const dmat3 one = dmat3_identity();
    return (dmat3){unit_or(m[0], one.x), unit_or(m[1], one.y), unit_or(m[2], one.z)};
}

/// The angle of a joint whose local rotation is `local`.
static double angle_since_rest(const model_node *node, const dmat3 *local, const double axis[3])
{
    mat4 rest;
    model_node_matrix(node, &node->rest, rest);
    const dmat3 a = rotation_of(rest);
    const dmat3 since_rest = dmat3_transpose_multiply(&a, local);
    const quat q = quat_from_rotation(&since_rest);
    const dvec3 v = {q.x, q.y, q.z};
    const double along = axis ? dvec3_dot(v, dvec3_load(axis)) : dvec3_length(v);
    const double degrees = maths_atan2(along, q.w) * (2.0 * MATHS_DEG_FROM_RAD);
    if (!axis) // q and -q are one rotation
        return degrees > 180.0 ? 360.0 - degrees : degrees;
    return degrees > 180.0 ? degrees - 360.0 : degrees <= -180.0 ? degrees + 360.0 : degrees;
}

double pose_joint_angle(const zt_model *model, uint32_t node, const mat4 *world_from_node,
                        const double axis[3])
{
    const model_node *n = &model->nodes[node];
    mat4 world, base;
    glm_mat4_copy((vec4 *)(uintptr_t)world_from_node[node], world);
    glm_mat4_identity(base);
    if (n->parent >= 0)
        glm_mat4_copy((vec4 *)(uintptr_t)world_from_node[n->parent], base);
    const dmat3 b = rotation_of(base), c = rotation_of(world);
    const dmat3 local = dmat3_transpose_multiply(&b, &c);
    return angle_since_rest(n, &local, axis);
}

static double local_angle(const model_node *node, const trs *local, const double axis[3])
{
    mat4 now;
    model_node_matrix(node, local, now);
    const dmat3 rotation = rotation_of(now);
    return angle_since_rest(node, &rotation, axis);
}

double pose_driver_share(const scene_instance *instance, const scene_driver *driver,
                         const pose_joints *joints, const float *weights)
{
    const uint32_t node = (uint32_t)driver->node;
    const double *axis = driver->has_axis ? driver->axis : NULL;
    double value = 0.0;
    if (driver->kind == SCENE_DRIVER_NONE)
        return 1.0;
    if (driver->kind == SCENE_DRIVER_MORPH)
        value = (double)weights[driver->target];
    else if (joints && joints->world_from_node)
        value = pose_joint_angle(instance->model, node, joints->world_from_node, axis);
    else if (joints && joints->local) {
        const trs local = pose_block_trs(joints->local, node);
        value = local_angle(&instance->model->nodes[node], &local, axis);
    }
    const double at = (value - driver->range[0]) / (driver->range[1] - driver->range[0]);
    return maths_min(maths_max(at, 0.0), 1.0);
}
