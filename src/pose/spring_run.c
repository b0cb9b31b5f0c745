// SPDX-License-Identifier: MIT
#include "pose/spring_run.h"

#include "base/cancel.h"

#include <string.h>

/// Bones posed for the steps up to a frame: minutes of processor time. Other costs count as bones.
#define STEP_LIMIT 4e8

/// The last step that is not after a time.
static double steps_until(const spring_clock *clock, double time_s)
{
    const double since_s = time_s - clock->start_s;
    if (!(since_s > 0.0))
        return (double)clock->warm_steps;
    double steps = floor(since_s * clock->rate);
    while (steps > 0.0 && clock->start_s + steps / clock->rate > time_s)
        steps -= 1.0;
    return steps + (double)clock->warm_steps;
}

attachment_change *pose_attachment_changes(const pose_pass *p, size_t *out_count)
{
    attachment_change *first = NULL;
    *out_count = 0;
    for (uint32_t i = 0; p->attachments && i < p->scene->instance_count; i++) {
        if (!first)
            first = p->attachments[i].changes;
        *out_count += p->scene->instances[i].parent_change_count;
    }
    return first;
}

/// Sets springs and attachments of a pass to the last state up to a step, if the scene is one.
static void resume(const spring_trail *trail, pose_pass *p, int64_t step)
{
    if (trail->scene != p->scene || trail->stamp != p->scene->edit_stamp || trail->count == 0)
        return;
    size_t change_count;
    spring_state *s = &p->springs;
    const int64_t last = (trail->count - 1) * trail->stride;
    const int64_t state = (step < last ? step : last) / trail->stride;
    attachment_change *changes = pose_attachment_changes(p, &change_count);
    if (trail->tail_count != s->tail_count || trail->change_count != change_count)
        return;
    memcpy(s->tails, trail->tails + (size_t)state * s->tail_count,
           s->tail_count * sizeof *s->tails);
    s->step = state * trail->stride;
    if (change_count == 0)
        return;
    memcpy(changes, trail->changes, change_count * sizeof *changes);
    const double time_s = pose_springs_time(&s->clock, s->step);
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        const scene_instance *instance = &p->scene->instances[i];
        uint32_t *change = &p->attachments[i].change;
        while (*change + 1 < instance->parent_change_count &&
               instance->parent_changes[*change + 1].time_s <= time_s)
            ++*change;
    }
}

bool pose_springs_needed(const zt_scene *scene, arena *a, const bool **out)
{
    needed_set needed;
    if (!pose_needed_init(scene, a, &needed))
        return false;
    for (uint32_t i = 0; i < scene->instance_count; i++)
        if (scene_springs(&scene->instances[i]) || scene->instances[i].parent_change_count > 1)
            pose_need(&needed, (int32_t)i);
    pose_need_dependencies(scene, &needed);
    *out = needed.has;
    return true;
}

/// The state at rest, with the pose of the start.
static void start(pose_pass *p)
{
    spring_state *s = &p->springs;
    s->action = SPRINGS_REST;
    pose_pass_change_parents(p, s->clock.start_s);
    s->action = SPRINGS_START;
    pose_pass_all(p, scene_shot_time(p->scene, s->clock.start_s), false);
    s->step = 0;
}

static void take_step(pose_pass *p)
{
    spring_state *s = &p->springs;
    const double time_s = pose_springs_time(&s->clock, s->step + 1);
    pose_pass_change_parents(p, time_s);
    s->action = SPRINGS_STEP;
    s->share = 1.0;
    pose_pass_all(p, scene_shot_time(p->scene, time_s), false);
    s->step++;
}

/// The limit counts from the start, whatever a trail knows: the outcome is always the same.
zt_result pose_springs_count(const pose_pass *p, double until_s, int64_t *out, zt_error *err)
{
    const double steps = steps_until(&p->springs.clock, until_s);
    double bones = p->springs.step_cost;
    *out = 0;
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        bones += p->needed[i] ? (double)p->scene->instances[i].model->node_count : 0.0;
    if (steps * bones <= STEP_LIMIT) {
        *out = (int64_t)steps;
        return ZT_OK;
    }
    return zt_fail(err, ZT_ERR_LIMIT,
                   "%s%ssprings take %.0f steps of %.0f bones from the start of the shot (expected "
                   "at most %.0f of both together: a later start, a lower rate, or springs: none)",
                   p->scene->path, p->scene->path[0] ? ": " : "", steps, bones, STEP_LIMIT);
}

zt_result pose_springs_run_to(pose_pass *p, int64_t step, zt_error *err)
{
    if (p->springs.step < 0)
        start(p);
    while (p->springs.step < step) {
        if (budget_cancelled(p->budget))
            return cancel_fail(err);
        take_step(p);
    }
    return ZT_OK;
}

zt_result pose_springs_run(pose_pass *p, const bool *needed, frame_time time, zt_error *err)
{
    int64_t steps;
    p->needed = needed;
    ZT_TRY(pose_springs_count(p, time.shot_s, &steps, err));
    if (time.trail)
        resume(time.trail, p, steps);
    ZT_TRY(pose_springs_run_to(p, steps, err));
    if (time.shot_s < p->springs.clock.start_s && p->attachments)
        for (uint32_t i = 0; i < p->scene->instance_count; i++)
            p->attachments[i].change = 0; // those up to the start are not made yet
    return ZT_OK;
}
