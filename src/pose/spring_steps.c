// SPDX-License-Identifier: MIT
#include "pose/spring_steps.h"

#include "pose/pose_pass.h"

#include <string.h>

/// Memory of the states of a trail; where they would take more, fewer are kept.
#define STATE_BYTES (32u << 20)

/// The offsets of all instances lie in a row (pose_attachments_init).
static mat4 *all_offsets(const pose_pass *p, size_t *out_count)
{
    mat4 *first = NULL;
    *out_count = 0;
    for (uint32_t i = 0; p->attachments && i < p->scene->instance_count; i++) {
        if (!first)
            first = p->attachments[i].offset;
        *out_count += p->scene->instances[i].parent_change_count;
    }
    return first;
}

void spring_trail_resume(const spring_trail *trail, pose_pass *p, int64_t step)
{
    if (trail->scene != p->scene || trail->stamp != p->scene->edit_stamp || trail->count == 0)
        return;
    size_t offset_count;
    spring_state *s = &p->springs;
    const int64_t last = (trail->count - 1) * trail->stride;
    const int64_t state = (step < last ? step : last) / trail->stride;
    mat4 *offsets = all_offsets(p, &offset_count);
    if (trail->tail_count != s->tail_count || trail->offset_count != offset_count)
        return;
    memcpy(s->tails, trail->tails + (size_t)state * s->tail_count,
           s->tail_count * sizeof *s->tails);
    s->step = state * trail->stride;
    if (offset_count == 0)
        return;
    memcpy(offsets, trail->offsets, offset_count * sizeof *offsets);
    const double time_s = pose_springs_time(&s->clock, s->step);
    for (uint32_t i = 0; i < p->scene->instance_count; i++) {
        const scene_instance *instance = &p->scene->instances[i];
        uint32_t *change = &p->attachments[i].change;
        while (*change + 1 < instance->parent_change_count &&
               instance->parent_changes[*change + 1].time_s <= time_s)
            ++*change;
    }
}

/// Steps from state to state: those from frame to frame, or a multiple of these that the memory
/// suffices for.
static int64_t stride_of(const zt_scene *scene, const spring_state *s, int64_t steps)
{
    const double per_frame =
        s->clock.rate * (double)scene->fps_denominator / (double)scene->fps_numerator;
    const double room = (double)STATE_BYTES / (double)(s->tail_count * sizeof *s->tails);
    const int64_t frame = per_frame >= 1.0 ? (int64_t)per_frame : 1;
    int64_t stride = frame;
    while ((double)(steps / stride + 1) > room && stride < steps)
        stride += frame;
    return stride;
}

static zt_result fill(pose_pass *p, int64_t steps, arena *a, spring_trail *out, zt_error *err)
{
    const spring_state *s = &p->springs;
    const int64_t stride = stride_of(p->scene, s, steps), count = steps / stride + 1;
    size_t offset_count;
    const mat4 *offsets = (const mat4 *)all_offsets(p, &offset_count);
    spring_tail *tails = ARENA_ARRAY_RAW(a, spring_tail, (size_t)count * s->tail_count);
    mat4 *kept = ARENA_ARRAY_RAW(a, mat4, offset_count);
    if (!tails || !kept) // every frame takes all steps: only cancelled work ends
        return a->failed == ZT_ERR_CANCELLED ? arena_fail(a, err, "springs") : ZT_OK;
    for (int64_t i = 0; i < count; i++) {
        ZT_TRY(pose_springs_run_to(p, i * stride, err));
        memcpy(tails + (size_t)i * s->tail_count, s->tails, s->tail_count * sizeof *tails);
    }
    if (offset_count > 0)
        memcpy(kept, offsets, offset_count * sizeof *kept);
    *out = (spring_trail){.scene = p->scene,
                          .stamp = p->scene->edit_stamp,
                          .stride = stride,
                          .count = count,
                          .tails = tails,
                          .tail_count = s->tail_count,
                          .offsets = kept,
                          .offset_count = offset_count};
    return ZT_OK;
}

static zt_result build(pose_pass *p, double until_s, arena *a, arena *scratch, spring_trail *out,
                       zt_error *err)
{
    int64_t steps;
    if (!pose_springs_init(p->scene, scratch, &p->springs) ||
        !pose_springs_needed(p->scene, scratch, &p->needed))
        return arena_fail(scratch, err, "springs");
    if (p->springs.tail_count == 0)
        return ZT_OK;
    ZT_TRY(pose_pass_init(p, NULL, scratch, err));
    ZT_TRY(pose_springs_count(p, until_s, &steps, err));
    return fill(p, steps, a, out, err);
}

zt_result spring_trail_build(const pose_loops *loops, const zt_scene *scene, double until_s,
                             arena *a, spring_trail *out, zt_error *err)
{
    arena scratch;
    pose_sharing none = {0};
    pose_pass p = {.loops = loops, .scene = scene, .sharing = &none};
    *out = (spring_trail){0};
    arena_init(&scratch, a->budget);
    const zt_result result = build(&p, until_s, a, &scratch, out, err);
    arena_finish(&scratch);
    return result;
}
