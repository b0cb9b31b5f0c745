// SPDX-License-Identifier: MIT
/// Weights of wrinkle maps, by those of morph targets and joint angles of the final pose.
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

double pose_joint_angle(const zt_model *model, uint32_t node, const mat4 *world_from_node,
                        const double axis[3])
{
    const model_node *n = &model->nodes[node];
    mat4 rest, world, base;
    model_node_matrix(n, &n->rest, rest);
    glm_mat4_copy((vec4 *)(uintptr_t)world_from_node[node], world);
    glm_mat4_identity(base);
    if (n->parent >= 0)
        glm_mat4_copy((vec4 *)(uintptr_t)world_from_node[n->parent], base);
    const dmat3 a = rotation_of(rest), b = rotation_of(base), c = rotation_of(world);
    const dmat3 local = dmat3_transpose_multiply(&b, &c);
    const dmat3 since_rest = dmat3_transpose_multiply(&a, &local);
    const quat q = quat_from_rotation(&since_rest);
    const dvec3 v = {q.x, q.y, q.z};
    const double along = axis ? dvec3_dot(v, dvec3_load(axis)) : dvec3_length(v);
    const double degrees = maths_atan2(along, q.w) * (2.0 * MATHS_DEG_FROM_RAD);
    if (!axis) // q and -q are one rotation
        return degrees > 180.0 ? 360.0 - degrees : degrees;
    return degrees > 180.0 ? degrees - 360.0 : degrees <= -180.0 ? degrees + 360.0 : degrees;
}

/// Maps `range` to 0..1, clamped.
static double ramp(const double range[2], double value)
{
    const double at = (value - range[0]) / (range[1] - range[0]);
    return at > 0.0 ? (at < 1.0 ? at : 1.0) : 0.0;
}

float pose_wrinkle_weight(const scene_instance *instance, const scene_wrinkle *wrinkle,
                          frame_time time, const mat4 *world_from_node, const pose_morphs *morphs)
{
    double weight[4] = {0.0};
    const uint32_t node = (uint32_t)wrinkle->node;
    track_evaluate(&wrinkle->weight, time.shot_s, weight);
    if (!(weight[0] > 0.0))
        return 0.0f;
    if (wrinkle->driver == SCENE_WRINKLE_MORPH) {
        (void)pose_morphs_evaluate(instance, node, time, morphs);
        weight[0] *= ramp(wrinkle->range, (double)morphs->weights[wrinkle->target]);
    } else if (wrinkle->driver == SCENE_WRINKLE_JOINT) {
        weight[0] *=
            ramp(wrinkle->range, pose_joint_angle(instance->model, node, world_from_node,
                                                  wrinkle->has_axis ? wrinkle->axis : NULL));
    }
    return (float)weight[0];
}
