// SPDX-License-Identifier: MIT
/// What drives wrinkle maps: weights of morph targets and angles of joints, read off the pose as it
/// is after layers and solvers.
#include "pose/pose.h"

#include <math.h>

typedef struct rotation3 {
    double column[3][3];
} rotation3;

static double dot3(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// The columns of a matrix made unit: its rotation where it has no shear, mirrored as it is.
static rotation3 rotation_of(mat4 m)
{
    rotation3 out;
    for (int c = 0; c < 3; c++) {
        const double v[3] = {(double)m[c][0], (double)m[c][1], (double)m[c][2]};
        const double length = sqrt(dot3(v, v));
        for (int k = 0; k < 3; k++)
            out.column[c][k] = length > 0.0 ? v[k] / length : (c == k ? 1.0 : 0.0);
    }
    return out;
}

/// transpose(a) b
static rotation3 from_to(const rotation3 *a, const rotation3 *b)
{
    rotation3 out;
    for (int c = 0; c < 3; c++)
        for (int k = 0; k < 3; k++)
            out.column[c][k] = dot3(a->column[k], b->column[c]);
    return out;
}

/// (x, y, z, w) of a rotation, of any length but 0: the column of 4 q q^T with the largest diagonal
/// (Shepperd, "Quaternion from rotation matrix", 1978).
static void quaternion_of(const rotation3 *r, double q[4])
{
    const double(*m)[3] = r->column; // m[column][row]
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int most = 3;
    for (int k = 0; k < 3; k++)
        if (m[k][k] > (most == 3 ? trace : m[most][most]))
            most = k;
    if (most == 3) {
        q[3] = 1.0 + trace;
        for (int k = 0; k < 3; k++)
            q[k] = m[(k + 1) % 3][(k + 2) % 3] - m[(k + 2) % 3][(k + 1) % 3];
        return;
    }
    const int i = most, j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
    q[j] = m[i][j] + m[j][i];
    q[k] = m[i][k] + m[k][i];
    q[3] = m[j][k] - m[k][j];
}

double pose_joint_angle(const zt_model *model, uint32_t node, const mat4 *world_from_node,
                        const double axis[3])
{
    const model_node *n = &model->nodes[node];
    mat4 rest, world, base;
    if (n->has_matrix)
        glm_mat4_copy((vec4 *)(uintptr_t)n->matrix, rest);
    else
        trs_to_mat4(&n->rest, rest);
    glm_mat4_copy((vec4 *)(uintptr_t)world_from_node[node], world);
    glm_mat4_identity(base);
    if (n->parent >= 0)
        glm_mat4_copy((vec4 *)(uintptr_t)world_from_node[n->parent], base);
    const rotation3 a = rotation_of(rest), b = rotation_of(base), c = rotation_of(world);
    const rotation3 local = from_to(&b, &c), turn = from_to(&a, &local);
    double q[4];
    quaternion_of(&turn, q);
    const double along = axis ? dot3(q, axis) : sqrt(dot3(q, q));
    const double degrees = maths_atan2(along, q[3]) * (2.0 * 180.0 / 3.14159265358979323846);
    if (!axis) // q and -q are one turn
        return degrees > 180.0 ? 360.0 - degrees : degrees;
    return degrees > 180.0 ? degrees - 360.0 : degrees <= -180.0 ? degrees + 360.0 : degrees;
}

/// Where `value` stands in `range`, 0 to 1.
static double share(const double range[2], double value)
{
    const double at = (value - range[0]) / (range[1] - range[0]);
    return at > 0.0 ? (at < 1.0 ? at : 1.0) : 0.0;
}

float pose_wrinkle_weight(const zt_scene *scene, const scene_instance *instance,
                          const scene_wrinkle *wrinkle, double shot_time_s,
                          const mat4 *world_from_node, const pose_morphs *morphs)
{
    double weight[4] = {0.0};
    const uint32_t node = (uint32_t)wrinkle->node;
    track_evaluate(&wrinkle->weight, shot_time_s, weight);
    if (!(weight[0] > 0.0))
        return 0.0f;
    if (wrinkle->driver == SCENE_WRINKLE_MORPH) {
        (void)pose_morphs_find(scene, instance, node, shot_time_s, morphs);
        weight[0] *= share(wrinkle->range, (double)morphs->weights[wrinkle->target]);
    } else if (wrinkle->driver == SCENE_WRINKLE_JOINT) {
        weight[0] *=
            share(wrinkle->range, pose_joint_angle(instance->model, node, world_from_node,
                                                   wrinkle->has_axis ? wrinkle->axis : NULL));
    }
    return (float)weight[0];
}
