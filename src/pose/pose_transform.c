// SPDX-License-Identifier: MIT
/// World transforms: of an instance, and of the nodes of its model from their local transforms.
#include "base/maths.h"
#include "base/quat.h"
#include "pose/pose.h"
#include "pose/root_motion.h"
#include "scene/scene_path.h"

#include <string.h>

void pose_to_world(const zt_model *model, mat4 world_from_model, const trs *local,
                   mat4 *world_from_node)
{
    for (uint32_t i = 0; i < model->node_count; i++) {
        const model_node *node = &model->nodes[i];
        mat4 parent_from_node;
        model_node_matrix(node, &local[i], parent_from_node);
        if (node->parent < 0)
            glm_mat4_mul(world_from_model, parent_from_node, world_from_node[i]);
        else
            glm_mat4_mul(world_from_node[node->parent], parent_from_node, world_from_node[i]);
    }
}

void pose_blocks_to_world(const pose_loops *loops, const zt_model *model, mat4 world_from_model,
                          const pose_block *local, mat4 *world_from_node)
{
    const pose_matrices_job job = {
        .local = local,
        .order = model->order,
        .parent = model->parent,
        .fixed = model->fixed,
        .world_from_model = (const skin_matrix *)(const void *)world_from_model,
        .world = (skin_matrix *)(void *)world_from_node,
        .node_count = model->node_count,
    };
    loops->matrices(&job);
}

/// Rotates a model so that the axis `up` of its file points to +Y, in place of the one that did.
static void rotate_up(model_up up, const zt_model *model, mat4 world_from_model)
{
    if (up == UP_AS_IS)
        return;
    up = model->mirrored ? up_axis_mirrored(up) : up;
    const dmat3 file_from_model = dmat3_transpose(&up_axis_rotation[model->up]);
    const dvec3 columns[3] = {dmat3_transform(&up_axis_rotation[up], file_from_model.x),
                              dmat3_transform(&up_axis_rotation[up], file_from_model.y),
                              dmat3_transform(&up_axis_rotation[up], file_from_model.z)};
    mat4 rotation = GLM_MAT4_IDENTITY_INIT, world;
    for (int k = 0; k < 3; k++)
        dvec3_to_floats(columns[k], rotation[k]);
    glm_mat4_mul(world_from_model, rotation, world);
    memcpy(world_from_model, world, sizeof world);
}

/// Rotates a member of a crowd about +y at its place, then moves it.
static void apply_crowd_offset(const scene_crowd_offset *offset, trs *x)
{
    const double about_y[3] = {0.0, offset->yaw_deg, 0.0};
    float yaw[4];
    quatf_from_euler_deg(about_y, yaw);
    const float y = yaw[1], w = yaw[3];
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

bool pose_track_rotation(const track *rotate, double time_s, float out[4])
{
    double value[4] = {0.0, 0.0, 0.0, 0.0};
    if (rotate->key_count == 0)
        return false;
    if (rotate->width == 4) {
        quat_to_floats(track_evaluate_rotation(rotate, time_s), out);
        return true;
    }
    track_evaluate(rotate, time_s, value);
    if (value[0] == 0.0 && value[1] == 0.0 && value[2] == 0.0)
        return false; // most of a crowd are not rotated
    quatf_from_euler_deg(value, out);
    return true;
}

/// The instance without root motion and up axis.
static void track_transform(const scene_instance *instance, double time_s,
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
    pose_track_rotation(&instance->rotate, time_s, x.r);
    if (instance->scale.key_count > 0) {
        track_evaluate(&instance->scale, time_s, value);
        for (int i = 0; i < 3; i++)
            x.s[i] = (float)value[instance->scale.width == 1 ? 0 : i];
    }
    if (instance->crowd_offset)
        apply_crowd_offset(instance->crowd_offset, &x);
    trs_to_mat4(&x, out_world_from_model);
}

/// Translates in model space. The sum starts with the old translation.
static void translate(dvec3 displacement, mat4 world_from_model)
{
    const affine m = affine_from_floats(world_from_model[0]);
    dvec3 t = dvec3_add(m.t, dvec3_scale(m.m.x, displacement.x));
    t = dvec3_add(t, dvec3_scale(m.m.y, displacement.y));
    t = dvec3_add(t, dvec3_scale(m.m.z, displacement.z));
    dvec3_to_floats(t, world_from_model[3]);
}

/// Rotates about the model's +y.
static void rotate_heading(double heading_deg, mat4 world_from_model)
{
    double sine, cosine;
    maths_sincos_deg(heading_deg, &sine, &cosine);
    for (int row = 0; row < 3; row++) {
        const double x = (double)world_from_model[0][row], z = (double)world_from_model[2][row];
        world_from_model[0][row] = (float)(cosine * x - sine * z);
        world_from_model[2][row] = (float)(sine * x + cosine * z);
    }
}

/// By 180 degrees about +Y, in bits: x and z are negated. So a model shown bare has its front where
/// cameras and lights count from, and the same picture as a conversion that is turned.
static void turn_front(mat4 world_from_model)
{
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 3; row += 2)
            world_from_model[column][row] = 0.0f - world_from_model[column][row];
}

/// Puts the instance on its path. `along`: how far root motion has come along the model's +z.
static void follow_path(const scene_path *path, double time_s, double along, mat4 world_from_model)
{
    const affine own = affine_from_floats(world_from_model[0]);
    dvec3 point, tangent;
    const double driven =
        path->speed.key_count > 0 ? scene_path_driven(path, time_s) : along * dvec3_length(own.m.z);
    scene_path_at(path, path->start_m + driven, &point, &tangent);
    affine place = {.m = dmat3_identity(), .t = point};
    tangent.y = 0.0;
    if (path->turns && dvec3_normalize(&tangent, 0.0)) {
        place.m.x = (dvec3){tangent.z, 0.0, -tangent.x};
        place.m.z = tangent;
    }
    const affine placed = affine_multiply(&place, &own);
    affine_to_floats(&placed, world_from_model[0]);
}

void pose_instance_transform(const zt_scene *scene, const scene_instance *instance, frame_time time,
                             mat4 out_world_from_model)
{
    track_transform(instance, time.shot_s, out_world_from_model);
    const root_motion motion = root_motion_evaluate(instance, time.animation_s);
    dvec3 d = motion.displacement;
    const double along = d.z;
    d.z = instance->path ? 0.0 : d.z;
    if (d.x != 0.0 || d.y != 0.0 || d.z != 0.0)
        translate(d, out_world_from_model);
    if (motion.heading_deg != 0.0)
        rotate_heading(motion.heading_deg, out_world_from_model);
    if (instance->path)
        follow_path(instance->path, time.shot_s, along, out_world_from_model);
    rotate_up(scene->up, instance->model, out_world_from_model);
    if (scene->turn_fronts && instance->model->faces_back)
        turn_front(out_world_from_model);
}

void pose_world_from_model(const zt_scene *scene, const scene_instance *instance, frame_time time,
                           const mat4 *base, mat4 world_from_model)
{
    mat4 base_from_model, world_from_base;
    pose_instance_transform(scene, instance, time, base_from_model);
    memcpy(world_from_base, *base, sizeof world_from_base);
    glm_mat4_mul(world_from_base, base_from_model, world_from_model);
}
