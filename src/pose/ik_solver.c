// SPDX-License-Identifier: MIT
/// Bones for IK solvers: points and directions from world matrices, and rotations in the space of a
/// solver back to local ones.
///
/// A local rotation goes from that of the clips to the solved one on the shorter arc, by the
/// solver's weight; at 0 and 1 it is one of them, in bits. Where a bone between the first and the
/// last of a solver scales differently along its axes, only ik_reach_sheared.c is exact.
#include "pose/ik_solver.h"

#include <string.h>

/// As a mat4.
static const vec4 *parent_matrix(const ik_context *context, int32_t node)
{
    const int32_t parent = context->model->parent[node];
    return parent < 0 ? context->world_from_model : (const vec4 *)context->world[parent];
}

affine ik_parent_world(const ik_context *context, int32_t node)
{
    return affine_from_floats(parent_matrix(context, node)[0]);
}

bool ik_space_of_bone(const ik_context *context, int32_t node, ik_space *out)
{
    out->world_from_space = ik_parent_world(context, node);
    return affine_invert(&out->world_from_space, &out->space_from_world);
}

dvec3 ik_point_in_space(const ik_space *space, dvec3 world_point)
{
    // Not by the translation of the inverse, which cancels far from the origin.
    return ik_vector_in_space(space, dvec3_sub(world_point, space->world_from_space.t));
}

dvec3 ik_vector_in_space(const ik_space *space, dvec3 world_vector)
{
    return dmat3_transform(&space->space_from_world.m, world_vector);
}

/// A transform to the world as one to the space.
static affine in_space(const ik_space *space, const affine *world)
{
    return (affine){{ik_vector_in_space(space, world->m.x), ik_vector_in_space(space, world->m.y),
                     ik_vector_in_space(space, world->m.z)},
                    ik_point_in_space(space, world->t)};
}

affine ik_bone_transform(const ik_context *context, const ik_space *space, int32_t node)
{
    const affine world = affine_from_floats(context->world[node][0]);
    return in_space(space, &world);
}

dmat3 ik_parent_transform(const ik_context *context, const ik_space *space, int32_t node)
{
    const affine world = ik_parent_world(context, node);
    return in_space(space, &world).m;
}

dvec3 ik_bone_position(const ik_context *context, int32_t node)
{
    return dvec3_from_floats(context->world[node][3]);
}

/// The lane of a node in one property of its block: components are POSE_LANES apart.
static float *lane(float (*component)[POSE_LANES], int32_t node)
{
    return &component[0][node % POSE_LANES];
}

quat ik_bone_rotation(const ik_context *context, int32_t node)
{
    const float *r = lane(context->local[node / POSE_LANES].r, node);
    return (quat){(double)r[0], (double)r[POSE_LANES], (double)r[2 * POSE_LANES],
                  (double)r[3 * POSE_LANES]};
}

void ik_set_rotation(const ik_context *context, int32_t node, quat rotation, float weight)
{
    float *r = lane(context->local[node / POSE_LANES].r, node), posed[4], solved[4], blended[4];
    for (int k = 0; k < 4; k++)
        posed[k] = r[k * POSE_LANES];
    quat_to_floats(rotation, solved);
    if (!quatf_normalize(solved))
        return;
    quatf_slerp(posed, solved, weight, blended);
    for (int k = 0; k < 4; k++)
        r[k * POSE_LANES] = blended[k];
    context->changed[node] = true;
}

void ik_rotate_bone(const ik_context *context, const ik_space *space, int32_t node, quat before,
                    quat after, float weight)
{
    quat parent;
    const affine world_from_parent = ik_parent_world(context, node);
    const affine space_from_parent = in_space(space, &world_from_parent);
    if (!quat_from_axes(&space_from_parent.m, &parent))
        return; // scaled flat: nothing to rotate
    const quat own = quat_multiply(quat_conjugate(before), after);
    const quat in_parent = quat_multiply(quat_multiply(quat_conjugate(parent), own), parent);
    ik_set_rotation(context, node, quat_multiply(in_parent, ik_bone_rotation(context, node)),
                    weight);
}

void ik_lift_bone(const ik_context *context, int32_t node, double metres)
{
    const affine space = ik_parent_world(context, node);
    const dmat3 rows = dmat3_cofactor(&space.m); // of the inverse, times the volume
    const double volume = dvec3_dot(space.m.x, rows.x);
    double steps[3];
    dvec3_store(dmat3_transform_transposed(&rows, (dvec3){0.0, metres, 0.0}), steps);
    float *t = lane(context->local[node / POSE_LANES].t, node);
    for (int k = 0; k < 3; k++) {
        const double lifted = (double)t[k * POSE_LANES] + steps[k] / volume;
        if (fabs(lifted) <= 1e30) // without volume nothing moves
            t[k * POSE_LANES] = (float)lifted;
    }
    context->changed[node] = true;
}

void ik_place_bone(const ik_context *context, int32_t node, dvec3 point)
{
    const affine parent = ik_parent_world(context, node);
    affine inverse;
    double at[3];
    float *t = lane(context->local[node / POSE_LANES].t, node);
    if (!affine_invert(&parent, &inverse))
        return;
    dvec3_store(dmat3_transform(&inverse.m, dvec3_sub(point, parent.t)), at);
    for (int k = 0; k < 3; k++)
        if (fabs(at[k]) <= 1e30)
            t[k * POSE_LANES] = (float)at[k];
    context->changed[node] = true;
}

// As pose_to_world().
void ik_update_world(const ik_context *context)
{
    const zt_model *model = context->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->parent[i];
        if (!context->changed[i] && !(parent >= 0 && context->changed[parent]))
            continue;
        context->changed[i] = true;
        mat4 parent_from_node, world_from_parent;
        const trs x = pose_block_trs(context->local, i);
        model_node_matrix(&model->nodes[i], &x, parent_from_node);
        memcpy(world_from_parent, parent_matrix(context, (int32_t)i), sizeof world_from_parent);
        glm_mat4_mul(world_from_parent, parent_from_node, context->world[i]);
    }
    memset(context->changed, 0, model->node_count * sizeof *context->changed);
}

affine ik_target_bone(const ik_context *context, const scene_target *target)
{
    const bool own =
        target->instance == SCENE_TARGET_SELF || (uint32_t)target->instance == context->instance;
    if (own && target->node < 0)
        return affine_from_floats(context->world_from_model[0]);
    if (target->before_solvers)
        return affine_from_floats(context->clips[target->instance][target->node][0]);
    const mat4 *world = own ? (const mat4 *)context->world : context->posed[target->instance];
    return affine_from_floats(world[target->node][0]);
}

dvec3 ik_target_evaluate(const ik_context *context, const scene_ik *ik)
{
    const scene_target *target = &ik->target;
    double point[4] = {0.0};
    if (target->instance != SCENE_TARGET_POINT) {
        const affine bone = ik_target_bone(context, target);
        return affine_point(&bone, dvec3_load(target->offset));
    }
    track_evaluate(&target->point, context->time_s, point);
    const affine model = affine_from_floats(context->world_from_model[0]);
    return ik->model_space ? affine_point(&model, dvec3_load(point)) : dvec3_load(point);
}

dvec3 ik_direction_evaluate(const ik_context *context, const scene_ik *ik, const track *direction)
{
    double v[4] = {0.0};
    if (direction->key_count > 0)
        track_evaluate(direction, context->time_s, v);
    const affine model = affine_from_floats(context->world_from_model[0]);
    return ik->model_space ? dmat3_transform(&model.m, dvec3_load(v)) : dvec3_load(v);
}
