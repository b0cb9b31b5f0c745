// SPDX-License-Identifier: MIT
/// The solvers of a scene on the pose of an instance: points and directions out of world matrices,
/// turns of the world back into local rotations, and all that hangs on a turned bone posed again.
///
/// A local rotation goes from what the clips say to what is solved on the shorter arc, by the
/// solver's weight; at 0 and 1 it is one of them, in bits. Limbs keep their lengths where nothing
/// above them scales unevenly.
#include "pose/pose_ik.h"

#include "pose/ik.h"

#include <string.h>

// ---- Bones --------------------------------------------------------------------------------------

static dvec3 place_of(const mat4 m)
{
    return dvec3_from_floats(m[3]);
}

static dvec3 point_by(const mat4 m, const double p[3])
{
    const affine map = affine_from_floats(m[0]);
    return affine_point(&map, dvec3_load(p));
}

static dvec3 direction_by(const mat4 m, const double v[3])
{
    const affine map = affine_from_floats(m[0]);
    return dmat3_transform(&map.m, dvec3_load(v));
}

static bool rotation_of(const mat4 m, quat *out)
{
    const affine map = affine_from_floats(m[0]);
    return quat_from_axes(&map.m, out);
}

/// C takes no mat4 where a const one is asked for.
static const mat4 *world_of(const pose_ik_job *job, int32_t node)
{
    return (const mat4 *)&job->world[node];
}

/// The matrix of what a bone hangs on.
static const vec4 *above(const pose_ik_job *job, int32_t node)
{
    const int32_t parent = job->model->parent[node];
    return parent < 0 ? job->world_from_model : (const vec4 *)job->world[parent];
}

static float *lane(float (*component)[POSE_LANES], int32_t node)
{
    return &component[0][node % POSE_LANES];
}

static pose_block *block(const pose_ik_job *job, int32_t node)
{
    return &job->local[node / POSE_LANES];
}

/// Turns a bone about its joint. In the world, what is above it has turned by `before` since the
/// matrices were made, and the bone shall have turned by `after`.
static void turn_bone(const pose_ik_job *job, int32_t node, quat before, quat after, float weight)
{
    quat space;
    float *r = lane(block(job, node)->r, node), posed[4], solved[4], blended[4];
    if (!rotation_of(above(job, node), &space))
        return; // it has no extent to turn in
    for (int k = 0; k < 4; k++)
        posed[k] = r[k * POSE_LANES];
    const quat own = quat_multiply(
        quat_multiply(quat_conjugate(space), quat_multiply(quat_conjugate(before), after)), space);
    const quat q = quat_multiply(own, quat_from_floats(posed));
    quat_to_floats(q, solved);
    if (!quatf_normalize(solved))
        return;
    quatf_slerp(posed, solved, weight, blended);
    for (int k = 0; k < 4; k++)
        r[k * POSE_LANES] = blended[k];
    job->moved[node] = true;
}

/// Poses again what moved and all that hangs on it, as pose_to_world does.
static void pose_again(const pose_ik_job *job)
{
    const zt_model *model = job->model;
    for (uint32_t i = 0; i < model->node_count; i++) {
        const int32_t parent = model->parent[i];
        if (!job->moved[i] && !(parent >= 0 && job->moved[parent]))
            continue;
        job->moved[i] = true;
        mat4 parent_from_node, world_from_parent;
        trs x;
        const pose_block *b = &job->local[i / POSE_LANES];
        for (int k = 0; k < 3; k++) {
            x.t[k] = b->t[k][i % POSE_LANES];
            x.s[k] = b->s[k][i % POSE_LANES];
        }
        for (int k = 0; k < 4; k++)
            x.r[k] = b->r[k][i % POSE_LANES];
        if (model->nodes[i].has_matrix)
            memcpy(parent_from_node, model->nodes[i].matrix, sizeof parent_from_node);
        else
            trs_to_mat4(&x, parent_from_node);
        memcpy(world_from_parent, above(job, (int32_t)i), sizeof world_from_parent);
        glm_mat4_mul(world_from_parent, parent_from_node, job->world[i]);
    }
    memset(job->moved, 0, model->node_count * sizeof *job->moved);
}

// ---- What a solver is told ----------------------------------------------------------------------

static dvec3 target_at(const pose_ik_job *job, const scene_ik *ik)
{
    const scene_target *target = &ik->target;
    double point[4] = {0.0};
    if (target->instance != SCENE_TARGET_POINT) {
        const bool own =
            target->instance == SCENE_TARGET_SELF || (uint32_t)target->instance == job->instance;
        const mat4 *world = own ? (const mat4 *)job->world : job->posed[target->instance];
        return point_by(world[target->node], target->offset);
    }
    track_evaluate(&target->point, job->time_s, point);
    return ik->model_space ? point_by(job->world_from_model, point) : dvec3_load(point);
}

/// A direction in the space of the solver; zero for a track without keys.
static dvec3 direction_at(const pose_ik_job *job, const scene_ik *ik, const track *t)
{
    double v[4] = {0.0};
    if (t->key_count > 0)
        track_evaluate(t, job->time_s, v);
    return ik->model_space ? direction_by(job->world_from_model, v) : dvec3_load(v);
}

// ---- The solvers --------------------------------------------------------------------------------

static void look(const pose_ik_job *job, const scene_ik *ik, float weight)
{
    dvec3 joint[SCENE_IK_CHAIN_LIMIT];
    quat turns[SCENE_IK_CHAIN_LIMIT];
    for (uint32_t i = 0; i < ik->bone_count; i++)
        joint[i] = place_of(*world_of(job, ik->bones[i]));
    const mat4 *last = world_of(job, ik->bones[ik->bone_count - 1]);
    const ik_look solver = {
        .count = ik->bone_count,
        .joint = joint,
        .share = ik->shares,
        .limit_deg = ik->limits_deg,
        .eye = point_by(*last, ik->offset),
        .forward = direction_by(*last, ik->forward),
        .target = target_at(job, ik),
        .spare = {0.0, 1.0, 0.0},
        .most_deg = ik->limit_deg,
        .let_go_deg = 45.0,
    };
    ik_look_solve(&solver, turns);
    if (ik->kind == SCENE_IK_AIM) { // one bone; about the line from its joint, which stays met
        const dvec3 up_axis = quat_rotate(turns[0], direction_by(*last, ik->up_axis));
        const quat roll =
            ik_roll(dvec3_sub(solver.target, joint[0]), up_axis, direction_at(job, ik, &ik->up));
        turns[0] = quat_multiply(roll, turns[0]);
    }
    for (uint32_t i = 0; i < ik->bone_count; i++)
        turn_bone(job, ik->bones[i], i > 0 ? turns[i - 1] : quat_identity(), turns[i], weight);
    pose_again(job);
}

/// The axis of the first bone that is most across it: about it a straight limb bends.
static dvec3 spare_hinge(const mat4 first, dvec3 along)
{
    dvec3 best = {0.0, 0.0, 1.0};
    double least = 2.0;
    quat q;
    if (!dvec3_normalize(&along, 0.0) || !rotation_of(first, &q))
        return best;
    const dvec3 axes[3] = {
        {1.0, 0.0, 0.0},
        {0.0, 1.0, 0.0},
        {0.0, 0.0, 1.0}
    };
    for (int i = 0; i < 3; i++) {
        const dvec3 axis = quat_rotate(q, axes[i]);
        const double lean = fabs(dvec3_dot(axis, along));
        if (lean < least - 1e-3) { // a tie stays with the first
            least = lean;
            best = axis;
        }
    }
    return best;
}

static ik_reach limb(const pose_ik_job *job, const scene_ik *ik, const int32_t *bones, dvec3 target)
{
    const mat4 *root = world_of(job, bones[0]);
    const mat4 *middle = world_of(job, bones[1]);
    const dvec3 hinge = dvec3_load(ik->hinge);
    quat q;
    ik_reach out = {
        .root = place_of(*root),
        .middle = place_of(*middle),
        .end = place_of(*world_of(job, bones[2])),
        .target = target,
        .pole = direction_at(job, ik, &ik->pole),
        .soft = ik->soft,
        .min_deg = ik->min_deg,
        .max_deg = ik->max_deg,
        .cone_axis = direction_by(above(job, bones[0]), ik->cone_axis),
        .cone_deg = ik->cone_deg,
    };
    out.spare = spare_hinge(*root, dvec3_sub(out.middle, out.root));
    if (rotation_of(*middle, &q)) // an axis of turning is not mirrored as a direction is
        out.hinge = quat_rotate(q, hinge);
    return out;
}

static void reach(const pose_ik_job *job, const scene_ik *ik, float weight)
{
    const ik_reach solver = limb(job, ik, ik->bones, target_at(job, ik));
    const ik_reach_turns turns = ik_reach_solve(&solver);
    turn_bone(job, ik->bones[0], quat_identity(), turns.root, weight);
    turn_bone(job, ik->bones[1], turns.root, turns.middle, weight);
    pose_again(job);
}

/// Moves a bone up by `rise` metres of the world.
static void lift_bone(const pose_ik_job *job, int32_t node, double rise)
{
    const affine space = affine_from_floats(above(job, node)[0]);
    const dmat3 rows = dmat3_cofactor(&space.m); // of the inverse, times the volume
    const double volume = dvec3_dot(space.m.x, rows.x);
    double steps[3];
    dvec3_store(dmat3_transform_transposed(&rows, (dvec3){0.0, rise, 0.0}), steps);
    float *t = lane(block(job, node)->t, node);
    for (int k = 0; k < 3; k++) {
        const double moved = (double)t[k * POSE_LANES] + steps[k] / volume;
        if (fabs(moved) <= 1e30) // a space without extent moves nothing
            t[k * POSE_LANES] = (float)moved;
    }
    job->moved[node] = true;
}

static void plant(const pose_ik_job *job, const scene_ik *ik, float weight)
{
    ik_foot feet[SCENE_IK_FOOT_LIMIT];
    const scene_ground *g = &ik->ground;
    const ik_ground ground = {.point = dvec3_load(g->point),
                              .normal = dvec3_load(g->normal),
                              .columns = g->columns,
                              .rows = g->rows,
                              .first_x = g->first[0],
                              .first_z = g->first[1],
                              .step_x = g->step[0],
                              .step_z = g->step[1],
                              .height = g->height};
    const uint32_t count = ik->bone_count / 3;
    const double floor_point[3] = {0.0, ik->floor_m, 0.0};
    for (uint32_t i = 0; i < count; i++) {
        feet[i] = (ik_foot){.ankle = place_of(*world_of(job, ik->bones[3 * i + 2])),
                            .floor = point_by(job->world_from_model, floor_point).y,
                            .tilt_deg = ik->tilt_deg};
        ik_foot_solve(&ground, &feet[i]);
    }
    const double rise = ik_pelvis_rise(feet, count, ik->drop_m, ik->rise_m);
    lift_bone(job, ik->pelvis, rise * (double)weight);
    pose_again(job);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t *bones = ik->bones + 3 * i;
        dvec3 target = feet[i].ankle;
        target.y += feet[i].rise;
        const ik_reach solver = limb(job, ik, bones, target);
        const ik_reach_turns turns = ik_reach_solve(&solver);
        turn_bone(job, bones[0], quat_identity(), turns.root, weight);
        turn_bone(job, bones[1], turns.root, turns.middle, weight);
        turn_bone(job, bones[2], turns.middle, feet[i].tilt, weight);
    }
    pose_again(job);
}

void pose_ik(const pose_ik_job *job, const scene_ik *ik, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double weight = 1.0;
        track_evaluate(&ik[i].weight, job->time_s, &weight);
        if (!((float)weight > 0.0f))
            continue;
        switch (ik[i].kind) {
        case SCENE_IK_LOOK_AT:
        case SCENE_IK_AIM:
            look(job, &ik[i], (float)weight);
            break;
        case SCENE_IK_REACH:
            reach(job, &ik[i], (float)weight);
            break;
        case SCENE_IK_PLANT:
            plant(job, &ik[i], (float)weight);
            break;
        }
    }
}
