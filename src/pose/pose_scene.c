// SPDX-License-Identifier: MIT
/// Poses the instances of a scene at one time, each after those that it depends on.
///
/// An instance attached to a bone is placed in the space base(t) = P(t) O, where P is the world
/// transform of the bone (the identity without one). When its parent changes at T, the world pose
/// stays: O' = P'(T)^-1 P(T) O. So the pose at t follows from the poses at the changes before t,
/// which are evaluated again for every frame: a frame by itself is the same as in its sequence.
///
/// A hand holds a rifle which the other hand of the same instance grips: that instance is posed in
/// several runs of steps (scene_pose_run), and others between them.
#include "base/affine.h"
#include "pose/pose.h"
#include "scene/scene_ik.h"

#include <string.h>

/// A smaller determinant counts as none.
#define MIN_VOLUME 1e-30

/// What an instance is attached to after some of its parent changes.
typedef struct attachment {
    uint32_t change; ///< index of the last one
    mat4 offset;     ///< O
} attachment;

/// What an instance of several runs keeps between them.
typedef struct split_pose {
    pose_block *local; ///< NULL: it has one run
    mat4 world_from_model;
} split_pose;

typedef struct pose_pass {
    const pose_loops *loops;
    const zt_scene *scene;
    pose_scratch scratch;
    attachment *attachments; ///< [instance_count], NULL when nothing is attached
    split_pose *splits;      ///< [instance_count], NULL when no instance has several runs
    const mat4 **worlds;     ///< [instance_count][node]
    mat4 **memory;           ///< the same, to write to
    const bool *needed;      ///< [instance_count] the instances to pose; NULL: all
    pose_sharing *sharing;
    bool *evaluated; ///< [sharing->count] shared poses whose local transforms exist
} pose_pass;

/// World transform of a parent's bone; the identity for none.
static void parent_transform(const pose_pass *p, const scene_parent_change *parent, mat4 out)
{
    if (parent->bone.instance < 0)
        glm_mat4_identity(out);
    else
        memcpy(out, p->worlds[parent->bone.instance][parent->bone.node], sizeof(mat4));
}

/// Inverse of the linear part of a matrix, in double, by rows. False: it has no volume.
static bool inverse_rows(mat4 m, dmat3 *out)
{
    const affine a = affine_from_floats(m[0]);
    const dmat3 cofactor = dmat3_cofactor(&a.m);
    const double det = dvec3_dot(a.m.x, cofactor.x);
    if (!(fabs(det) > MIN_VOLUME) || !isfinite(det))
        return false;
    *out = (dmat3){dvec3_divide(cofactor.x, det), dvec3_divide(cofactor.y, det),
                   dvec3_divide(cofactor.z, det)};
    return true;
}

/// The next parent, and the offset that keeps the world pose. A bone that is scaled flat has no
/// inverse: the offset stays as it is.
static void change_parent(const pose_pass *p, const scene_instance *instance, attachment *a)
{
    mat4 before, after, base;
    dmat3 rows;
    parent_transform(p, &instance->parent_changes[a->change], before);
    parent_transform(p, &instance->parent_changes[a->change + 1], after);
    glm_mat4_mul(before, a->offset, base);
    a->change++;
    if (!inverse_rows(after, &rows))
        return;
    for (int column = 0; column < 4; column++) {
        dvec3 v = dmat3_transform_transposed(&rows, dvec3_from_floats(base[column]));
        if (column == 3)
            v = dvec3_sub(v, dmat3_transform_transposed(&rows, dvec3_from_floats(after[3])));
        dvec3_to_floats(v, a->offset[column]);
    }
}

/// An instance that shares its pose with others.
static void pose_shared(const pose_pass *p, uint32_t i, frame_time time, const mat4 *base)
{
    const scene_instance *instance = &p->scene->instances[i];
    const uint32_t number = p->sharing->pose_of[i];
    pose_block *local = p->sharing->local[number];
    vec4 *world_from_model = p->sharing->world_from_model[i];
    pose_world_from_model(p->scene, instance, time, base, world_from_model);
    if (!p->evaluated[number])
        pose_layers(p->loops, instance, time, &p->scratch, local);
    p->evaluated[number] = true;
    pose_world_from_local(p->loops, p->scene, instance, time, &p->scratch, p->worlds,
                          world_from_model, local, p->memory[i]);
}

/// One of several runs of an instance: its clips where it begins, then some of its solvers.
static void pose_split(const pose_pass *p, const scene_pose_run *run, frame_time time,
                       const mat4 *base)
{
    const scene_instance *instance = &p->scene->instances[run->instance];
    split_pose *split = &p->splits[run->instance];
    mat4 *world = p->memory[run->instance];
    uint32_t first = run->first_step;
    if (first == 0) {
        pose_world_from_model(p->scene, instance, time, base, split->world_from_model);
        pose_layers(p->loops, instance, time, &p->scratch, split->local);
        pose_blocks_to_world(p->loops, instance->model, split->world_from_model, split->local,
                             world);
        first = 1;
    }
    pose_solvers(p->scene, instance, time, &p->scratch, p->worlds, split->world_from_model,
                 split->local, world, first - 1, run->end_step - first);
}

static bool is_needed(const pose_pass *p, uint32_t instance)
{
    return !p->needed || p->needed[instance];
}

/// The space in which an instance is placed, by its current parent. False: it is the world.
static bool instance_base(const pose_pass *p, uint32_t i, mat4 out)
{
    const scene_instance *instance = &p->scene->instances[i];
    if (instance->parent_change_count == 0)
        return false;
    mat4 parent;
    parent_transform(p, &instance->parent_changes[p->attachments[i].change], parent);
    glm_mat4_mul(parent, p->attachments[i].offset, out);
    return true;
}

/// Poses every instance that is needed at a time, attached to its current parent.
static void pose_all(const pose_pass *p, frame_time time, bool shared)
{
    for (uint32_t step = 0; step < scene_pose_run_count(p->scene); step++) {
        const scene_pose_run run = scene_pose_run_at(p->scene, step);
        const uint32_t i = run.instance;
        const scene_instance *instance = &p->scene->instances[i];
        mat4 base;
        if (!is_needed(p, i))
            continue;
        const mat4 *in = instance_base(p, i, base) ? (const mat4 *)&base : NULL;
        if (shared && p->sharing->count > 0 && p->sharing->pose_of[i] != POSE_UNSHARED)
            pose_shared(p, i, time, in);
        else if (p->splits && p->splits[i].local)
            pose_split(p, &run, time, in);
        else
            pose_instance(p->loops, p->scene, instance, time, &p->scratch, p->worlds, in,
                          p->memory[i]);
    }
}

/// The time of the next parent change up to `until_s`; false when there is none.
static bool next_change(const pose_pass *p, double until_s, double *out_time_s)
{
    bool found = false;
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        const scene_instance *instance = &p->scene->instances[i];
        const uint32_t next = p->attachments[i].change + 1;
        if (!is_needed(p, i) || next >= instance->parent_change_count ||
            instance->parent_changes[next].time_s > until_s)
            continue;
        if (!found || instance->parent_changes[next].time_s < *out_time_s)
            *out_time_s = instance->parent_changes[next].time_s;
        found = true;
    }
    return found;
}

/// Applies all parent changes up to a time.
static void apply_parent_changes(const pose_pass *p, frame_time time)
{
    double at_s = 0.0;
    while (next_change(p, time.shot_s, &at_s)) {
        pose_all(p, scene_shot_time(p->scene, at_s), false);
        for (uint32_t i = 0; i < p->scene->instance_count; i++) {
            const scene_instance *instance = &p->scene->instances[i];
            attachment *a = &p->attachments[i];
            if (is_needed(p, i) && a->change + 1 < instance->parent_change_count &&
                instance->parent_changes[a->change + 1].time_s == at_s)
                change_parent(p, instance, a);
        }
    }
}

static bool init_attachments(arena *a, pose_pass *p)
{
    bool attached = false;
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        attached = attached || p->scene->instances[i].parent_change_count > 0;
    if (!attached)
        return true;
    p->attachments = ARENA_ARRAY(a, attachment, p->scene->instance_count);
    for (uint32_t i = 0; p->attachments && i < p->scene->instance_count; i++)
        glm_mat4_identity(p->attachments[i].offset);
    return p->attachments != NULL;
}

static bool init_splits(arena *a, pose_pass *p)
{
    const zt_scene *scene = p->scene;
    if (scene->pose_run_count <= scene->ordered_count)
        return true;
    p->splits = ARENA_ARRAY(a, split_pose, scene->instance_count);
    for (uint32_t k = 0; p->splits && k < scene->pose_run_count; k++) {
        const scene_pose_run *run = &scene->pose_runs[k];
        const zt_model *model = scene->instances[run->instance].model;
        if (run->first_step > 0 || run->end_step > scene->instances[run->instance].ik_count)
            continue; // neither the first of several runs
        p->splits[run->instance].local = ARENA_ARRAY_RAW(a, pose_block, pose_block_count(model));
        if (!p->splits[run->instance].local)
            return false;
    }
    return p->splits != NULL;
}

/// Allocates what the pass needs, and poses its instances.
static zt_result pose_pass_run(pose_pass *p, frame_time time, arena *a, zt_error *err)
{
    const zt_scene *scene = p->scene;
    p->evaluated = ARENA_ARRAY(a, bool, p->sharing->count);
    p->worlds = ARENA_ARRAY(a, const mat4 *, scene->instance_count);
    p->memory = ARENA_ARRAY(a, mat4 *, scene->instance_count);
    if (!p->evaluated || !p->worlds || !p->memory || !init_attachments(a, p) ||
        !init_splits(a, p) || !pose_scratch_init(scene, a, &p->scratch))
        return arena_fail(a, err, "pose");
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (!is_needed(p, i))
            continue;
        p->memory[i] = ARENA_ARRAY_RAW(a, mat4, pad16(scene->instances[i].model->node_count));
        if (!p->memory[i])
            return arena_fail(a, err, "pose");
        p->worlds[i] = (const mat4 *)p->memory[i];
    }
    if (p->attachments)
        apply_parent_changes(p, time);
    pose_all(p, time, true);
    return ZT_OK;
}

zt_result pose_scene(const pose_loops *loops, const zt_scene *scene, frame_time time, arena *a,
                     pose_sharing *sharing, const mat4 *const **out_world_from_node, zt_error *err)
{
    pose_pass p = {.loops = loops, .scene = scene, .sharing = sharing};
    ZT_TRY(pose_pass_run(&p, time, a, err));
    *out_world_from_node = p.worlds;
    return ZT_OK;
}

// ---- One bone -----------------------------------------------------------------------------------

/// Instances of which others need the pose: a set and the list of its members.
typedef struct needed_set {
    bool *has;
    uint32_t *member;
    uint32_t count;
} needed_set;

static void need(needed_set *set, int32_t instance)
{
    if (instance < 0 || set->has[instance])
        return;
    set->has[instance] = true;
    set->member[set->count++] = (uint32_t)instance;
}

/// An instance, and all that its pose depends on: targets of its solvers and its parents.
static bool find_needed(const zt_scene *scene, uint32_t instance, arena *a, needed_set *out)
{
    *out = (needed_set){.has = ARENA_ARRAY(a, bool, scene->instance_count),
                        .member = ARENA_ARRAY_RAW(a, uint32_t, scene->instance_count)};
    if (!out->has || !out->member)
        return false;
    need(out, (int32_t)instance);
    for (uint32_t i = 0; i < out->count; i++) {
        const scene_instance *member = &scene->instances[out->member[i]];
        for (uint32_t k = 0; k < member->ik_count; k++)
            need(out, member->ik[k].target.instance);
        for (uint32_t k = 0; k < member->parent_change_count; k++)
            need(out, member->parent_changes[k].bone.instance);
    }
    return true;
}

zt_result pose_bone(const pose_loops *loops, const zt_scene *scene, uint32_t instance, int32_t node,
                    frame_time time, arena *a, mat4 out_world, zt_error *err)
{
    needed_set needed;
    pose_sharing none = {0};
    mat4 base;
    if (!find_needed(scene, instance, a, &needed))
        return arena_fail(a, err, "pose");
    pose_pass p = {.loops = loops, .scene = scene, .sharing = &none, .needed = needed.has};
    ZT_TRY(pose_pass_run(&p, time, a, err));
    if (node >= 0)
        memcpy(out_world, p.worlds[instance][node], sizeof(mat4));
    else
        pose_world_from_model(scene, &scene->instances[instance], time,
                              instance_base(&p, instance, base) ? (const mat4 *)&base : NULL,
                              out_world);
    return ZT_OK;
}
