// SPDX-License-Identifier: MIT
/// A hand holds a rifle which the other hand of the same instance grips: that instance is posed in
/// several runs of steps (scene_pose_run), and others between them.
#include "pose/pose_pass.h"

#include <string.h>

void pose_pass_place(const pose_pass *p, uint32_t i, frame_time time, mat4 world_from_model)
{
    const scene_instance *instance = &p->scene->instances[i];
    if (instance->parent_change_count > 0)
        pose_attached(p->scene, instance, &p->attachments[i], p->worlds, time, world_from_model);
    else
        pose_instance_transform(p->scene, instance, time, world_from_model);
    memcpy(p->memory[i][-1], world_from_model, sizeof(mat4));
}

/// Keeps the pose of an instance before its solvers, for targets that want it.
static void keep_clips(const pose_pass *p, uint32_t i)
{
    mat4 *clips = p->memory[p->scene->instance_count + i];
    if (clips)
        memcpy(clips - 1, p->memory[i] - 1,
               (p->scene->instances[i].model->node_count + 1) * sizeof *clips);
}

/// An instance that shares its pose with others.
static void pose_shared(const pose_pass *p, uint32_t i, frame_time time)
{
    const scene_instance *instance = &p->scene->instances[i];
    const uint32_t number = p->sharing->pose_of[i];
    pose_block *local = p->sharing->local[number];
    vec4 *world_from_model = p->sharing->world_from_model[i];
    pose_pass_place(p, i, time, world_from_model);
    if (!p->evaluated[number])
        pose_layers(p->loops, instance, time, &p->scratch, local);
    p->evaluated[number] = true;
    pose_world_from_local(p->loops, p->scene, instance, time, &p->scratch, p->worlds,
                          world_from_model, local, p->memory[i]);
    keep_clips(p, i); // which has no solvers
}

/// One of several runs of an instance: its clips where it begins, then some of its solvers.
static void pose_split(const pose_pass *p, const scene_pose_run *run, frame_time time)
{
    const scene_instance *instance = &p->scene->instances[run->instance];
    split_pose *split = &p->splits[run->instance];
    mat4 *world = p->memory[run->instance];
    uint32_t first = run->first_step;
    if (first == 0) {
        pose_pass_place(p, run->instance, time, split->world_from_model);
        pose_layers(p->loops, instance, time, &p->scratch, split->local);
        pose_blocks_to_world(p->loops, instance->model, split->world_from_model, split->local,
                             world);
        keep_clips(p, run->instance);
        first = 1;
    }
    const uint32_t solvers = instance->ik_count + 1;
    const uint32_t end = run->end_step < solvers ? run->end_step : solvers;
    pose_solvers(p->loops, p->scene, instance, time, &p->scratch, p->worlds,
                 split->world_from_model, split->local, world, first - 1,
                 end > first ? end - first : 0);
    if (run->end_step > solvers)
        pose_springs_apply(p, run->instance, split->world_from_model, split->local);
}

static bool is_needed(const pose_pass *p, uint32_t instance)
{
    return !p->needed || p->needed[instance];
}

/// An instance whose pose is its own.
static void pose_own(const pose_pass *p, uint32_t i, frame_time time)
{
    mat4 world_from_model;
    pose_pass_place(p, i, time, world_from_model);
    pose_instance(p->loops, p->scene, &p->scene->instances[i], time, &p->scratch, p->worlds,
                  (const mat4 *)&world_from_model, p->memory[i]);
    if (scene_springs(&p->scene->instances[i]))
        pose_springs_apply(p, i, world_from_model, p->scratch.local);
}

/// Copies the local transforms of the instance that was posed last, for callers who want them.
static void keep_local(const pose_pass *p, uint32_t i, bool shared)
{
    const pose_block *from = p->scratch.local;
    if (!p->locals)
        return;
    if (shared)
        from = p->sharing->local[p->sharing->pose_of[i]];
    else if (p->splits && p->splits[i].local)
        from = p->splits[i].local;
    memcpy(p->locals[i], from, pose_block_count(p->scene->instances[i].model) * sizeof *from);
}

void pose_pass_all(const pose_pass *p, frame_time time, bool shared)
{
    for (uint32_t step = 0; step < scene_pose_run_count(p->scene); step++) {
        const scene_pose_run run = scene_pose_run_at(p->scene, step);
        const uint32_t i = run.instance;
        if (!is_needed(p, i))
            continue;
        const bool is_shared =
            shared && p->sharing->count > 0 && p->sharing->pose_of[i] != POSE_UNSHARED;
        if (is_shared)
            pose_shared(p, i, time);
        else if (p->splits && p->splits[i].local)
            pose_split(p, &run, time);
        else
            pose_own(p, i, time);
        keep_local(p, i, is_shared);
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

void pose_pass_change_parents(pose_pass *p, double until_s)
{
    double at_s = 0.0;
    while (p->attachments && next_change(p, until_s, &at_s)) {
        const frame_time at = scene_shot_time(p->scene, at_s);
        pose_springs_show(&p->springs, at_s);
        pose_pass_all(p, at, false);
        for (uint32_t i = 0; i < p->scene->instance_count; i++) {
            const scene_instance *instance = &p->scene->instances[i];
            attachment *a = &p->attachments[i];
            if (is_needed(p, i) && a->change + 1 < instance->parent_change_count &&
                instance->parent_changes[a->change + 1].time_s == at_s)
                pose_attachment_change(p->scene, instance, a, p->worlds, at);
        }
    }
}

/// Of instances with several runs, and of those whose bones are seen before their solvers.
static bool init_splits(arena *a, pose_pass *p)
{
    const zt_scene *scene = p->scene;
    bool any = scene->pose_run_count > scene->ordered_count;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        any |= scene->instances[i].seen_before_solvers;
    if (!any)
        return true;
    p->splits = ARENA_ARRAY(a, split_pose, scene->instance_count);
    for (uint32_t k = 0; p->splits && k < scene->pose_run_count; k++) {
        const scene_pose_run *run = &scene->pose_runs[k];
        const scene_instance *instance = &scene->instances[run->instance];
        if (run->first_step > 0 ||
            (run->end_step == scene_step_count(instance) && !instance->seen_before_solvers))
            continue; // not the first of several runs
        p->splits[run->instance].local =
            ARENA_ARRAY_RAW(a, pose_block, pose_block_count(instance->model));
        if (!p->splits[run->instance].local)
            return false;
    }
    return p->splits != NULL;
}

zt_result pose_pass_init(pose_pass *p, const bool *also, arena *a, zt_error *err)
{
    const zt_scene *scene = p->scene;
    p->budget = a->budget;
    p->evaluated = ARENA_ARRAY(a, bool, p->sharing->count);
    p->worlds = ARENA_ARRAY(a, const mat4 *, 2 * (size_t)scene->instance_count);
    p->memory = ARENA_ARRAY(a, mat4 *, 2 * (size_t)scene->instance_count);
    if (!p->evaluated || !p->worlds || !p->memory ||
        !pose_attachments_init(scene, a, &p->attachments) || !init_splits(a, p) ||
        !pose_scratch_init(scene, a, &p->scratch))
        return arena_fail(a, err, "pose");
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        if (!is_needed(p, i) && !(also && also[i]))
            continue;
        const size_t nodes = pad16(scene->instances[i].model->node_count);
        const uint32_t clips = scene->instance_count + i;
        ZT_TRY(ARENA_TAKE_RAW(a, &p->memory[i], 1 + nodes, "pose", err));
        p->memory[i]++;
        if (scene->instances[i].seen_before_solvers) {
            ZT_TRY(ARENA_TAKE_RAW(a, &p->memory[clips], 1 + nodes, "pose", err));
            p->memory[clips]++;
        }
        p->worlds[i] = (const mat4 *)p->memory[i];
        p->worlds[clips] = (const mat4 *)p->memory[clips];
    }
    return ZT_OK;
}

bool pose_needed_init(const zt_scene *scene, arena *a, needed_set *out)
{
    *out = (needed_set){.has = ARENA_ARRAY(a, bool, scene->instance_count),
                        .member = ARENA_ARRAY_RAW(a, uint32_t, scene->instance_count)};
    return out->has && out->member;
}

void pose_need(needed_set *set, int32_t instance)
{
    if (instance < 0 || set->has[instance])
        return;
    set->has[instance] = true;
    set->member[set->count++] = (uint32_t)instance;
}

void pose_need_dependencies(const zt_scene *scene, needed_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const scene_instance *member = &scene->instances[set->member[i]];
        for (uint32_t k = 0; k < member->ik_count; k++) {
            pose_need(set, member->ik[k].target.instance);
            pose_need(set, member->ik[k].orient.target.instance);
        }
        for (uint32_t k = 0; k < member->parent_change_count; k++)
            pose_need(set, member->parent_changes[k].bone.instance);
    }
}
