// SPDX-License-Identifier: MIT
/// Local transforms -> world matrices -> palettes of skins, and the matrices that turn normals.
#include "base/maths.h"
#include "base/quat.h"
#include "pose/pose.h"

#include <math.h>
#include <string.h>

/// How much longer one axis of a joint must be than another, and how far two axes must be from a
/// right angle, before normals get a matrix of their own. Below it a normal is off by at most
/// 1e-4 rad, less than the step of an 8-bit normal map; above it shading shows.
#define NON_UNIFORM 1.0e-4

void pose_to_world(const zt_model *model, mat4 world_from_model, const trs *local,
                   mat4 *world_from_node)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        mat4 parent_from_node;
        if (node->has_matrix)
            memcpy(parent_from_node, node->matrix, sizeof parent_from_node);
        else
            trs_to_mat4(&local[i], parent_from_node);
        if (node->parent < 0)
            glm_mat4_mul(world_from_model, parent_from_node, world_from_node[i]);
        else
            glm_mat4_mul(world_from_node[node->parent], parent_from_node, world_from_node[i]);
    }
}

/// Do the axes differ in length, or lean? A rotation with one scale, mirrored or not, does not.
static bool scales_non_uniformly(mat4 m, double *out_largest_squared)
{
    dvec3 axis[3];
    double squared[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = dvec3_from_floats(m[i]);
        squared[i] = dvec3_dot(axis[i], axis[i]);
    }
    double smallest = squared[0], largest = squared[0];
    for (int i = 1; i < 3; i++) {
        smallest = squared[i] < smallest ? squared[i] : smallest;
        largest = squared[i] > largest ? squared[i] : largest;
    }
    *out_largest_squared = largest;
    if (largest - smallest > 2.0 * NON_UNIFORM * largest) // of squares: twice the lengths' part
        return true;
    for (int i = 0; i < 3; i++) {
        if (fabs(dvec3_dot(axis[i], axis[(i + 1) % 3])) > NON_UNIFORM * largest)
            return true;
    }
    return false;
}

/// Normals turn with the inverse transpose, cofactor(M) / det(M); only its direction counts, and
/// the cofactor exists where the inverse does not (a joint scaled flat). The sign of det keeps
/// normals outside when M mirrors. A uniform M is its own inverse transpose but for the length, so
/// it is used as it is: the palette serves both and a blend of joints is done once.
///
/// The cofactor, whose lengths are products of two scales, is divided by the largest one: next to a
/// uniform joint in one blend it weighs what its weight says, and nothing overflows.
bool pose_normal_matrix(mat4 world_from_model, mat4 out)
{
    mat4 m;
    memcpy(m, world_from_model, sizeof m);
    for (int row = 0; row < 3; row++)
        m[3][row] = 0.0f;
    double largest_squared;
    if (!scales_non_uniformly(m, &largest_squared)) {
        memcpy(out, world_from_model, sizeof m);
        return false;
    }
    const double largest = sqrt(largest_squared);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            m[column][row] = (float)((double)m[column][row] / largest);
    }
    mat4 cofactor;
    mat4_cofactor3(m, cofactor);
    const double scale = mat4_determinant3(m) < 0.0f ? -largest : largest;
    memcpy(out, m, sizeof m);
    for (int column = 0; column < 3; column++) {
        for (int row = 0; row < 3; row++)
            out[column][row] = (float)((double)cofactor[column][row] * scale);
    }
    return true;
}

bool pose_palette(const model_skin *skin, const mat4 *world_from_node, mat4 *world_from_bind,
                  mat4 *normals)
{
    bool differs = false;
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        mat4 world_from_joint, joint_from_bind;
        memcpy(world_from_joint, world_from_node[skin->joint_node[i]], sizeof world_from_joint);
        memcpy(joint_from_bind, skin->joint_from_bind[i], sizeof joint_from_bind);
        glm_mat4_mul(world_from_joint, joint_from_bind, world_from_bind[i]);
        differs |= pose_normal_matrix(world_from_bind[i], normals[i]);
    }
    return differs;
}

/// Turns the models of a scene so that their up axis becomes +Y: a rotation by quarter turns,
/// column k is where axis k of the file goes. Order of zt_scene.up_axis: y x z -x -y -z.
static void stand_up(int32_t up_axis, mat4 world_from_model)
{
    static const float turns[6][3][3] = {
        {{1, 0, 0},  {0, 1, 0},  {0, 0, 1} },
        {{0, 1, 0},  {-1, 0, 0}, {0, 0, 1} },
        {{1, 0, 0},  {0, 0, -1}, {0, 1, 0} },
        {{0, -1, 0}, {1, 0, 0},  {0, 0, 1} },
        {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1} },
        {{1, 0, 0},  {0, 0, 1},  {0, -1, 0}},
    };
    if (up_axis <= 0 || up_axis > 5)
        return;
    mat4 turned = GLM_MAT4_IDENTITY_INIT;
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            turned[column][row] = turns[up_axis][column][row];
    mat4 world;
    glm_mat4_mul(world_from_model, turned, world);
    memcpy(world_from_model, world, sizeof world);
}

/// A member of a crowd beside the others: turned about +y where it stands, then moved.
static void apply_crowd_offset(const scene_crowd_offset *offset, trs *x)
{
    const double about_y[3] = {0.0, offset->yaw_deg, 0.0};
    float turn[4];
    quatf_from_euler_deg(about_y, turn);
    const float y = turn[1], w = turn[3];
    const float r[4] = {x->r[0], x->r[1], x->r[2], x->r[3]};
    x->r[0] = w * r[0] + y * r[2]; // (0, y, 0, w) r
    x->r[1] = w * r[1] + y * r[3];
    x->r[2] = w * r[2] - y * r[0];
    x->r[3] = w * r[3] - y * r[1];
    for (int i = 0; i < 3; i++) {
        x->t[i] = (float)((double)x->t[i] + offset->translation[i]);
        x->s[i] = (float)((double)x->s[i] * offset->scale);
    }
}

static void instance_own_transform(const scene_instance *instance, double time_s,
                                   mat4 out_world_from_model)
{
    if (instance->has_matrix) {
        memcpy(out_world_from_model, instance->world_from_model, sizeof(mat4));
        return;
    }
    trs x = trs_identity();
    double value[4] = {0.0, 0.0, 0.0, 0.0};
    if (instance->translate.key_count > 0) {
        track_evaluate(&instance->translate, time_s, value);
        for (int i = 0; i < 3; i++)
            x.t[i] = (float)value[i];
    }
    if (instance->rotate.key_count > 0) {
        track_evaluate(&instance->rotate, time_s, value);
        if (instance->rotate.width == 4) {
            // Keys are joined by straight lines through the inside of the sphere.
            quat q = {value[0], value[1], value[2], value[3]};
            if (quat_normalize(&q))
                quat_to_floats(q, x.r);
        } else if (value[0] != 0.0 || value[1] != 0.0 || value[2] != 0.0) {
            quatf_from_euler_deg(value, x.r); // most of a crowd are not turned
        }
    }
    if (instance->scale.key_count > 0) {
        track_evaluate(&instance->scale, time_s, value);
        for (int i = 0; i < 3; i++)
            x.s[i] = (float)value[instance->scale.width == 1 ? 0 : i];
    }
    if (instance->crowd_offset)
        apply_crowd_offset(instance->crowd_offset, &x);
    trs_to_mat4(&x, out_world_from_model);
}

/// Moves what stands in a space within that space.
static void carry(const double way[3], mat4 world_from_model)
{
    for (int row = 0; row < 3; row++) {
        double at = (double)world_from_model[3][row];
        for (int k = 0; k < 3; k++)
            at += (double)world_from_model[k][row] * way[k];
        world_from_model[3][row] = (float)at;
    }
}

/// Turns what stands in a space about the space's +y.
static void turn_about_y(double heading_deg, mat4 world_from_model)
{
    double sine, cosine;
    maths_sincos_deg(heading_deg, &sine, &cosine);
    for (int row = 0; row < 3; row++) {
        const double x = (double)world_from_model[0][row], z = (double)world_from_model[2][row];
        world_from_model[0][row] = (float)(cosine * x - sine * z);
        world_from_model[2][row] = (float)(sine * x + cosine * z);
    }
}

void pose_instance_transform(const zt_scene *scene, const scene_instance *instance, double time_s,
                             mat4 out_world_from_model)
{
    instance_own_transform(instance, time_s, out_world_from_model);
    double heading_deg, way[3];
    pose_root_travel(instance, pose_animation_time(scene, time_s), &heading_deg, way);
    if (way[0] != 0.0 || way[1] != 0.0 || way[2] != 0.0)
        carry(way, out_world_from_model);
    if (heading_deg != 0.0)
        turn_about_y(heading_deg, out_world_from_model);
    stand_up(scene->up_axis, out_world_from_model);
}
