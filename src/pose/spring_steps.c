// SPDX-License-Identifier: MIT
#include "pose/pose_pass.h"
#include "pose/pose_springs.h"
#include "pose/spring_run.h"

#include <string.h>

/// Memory of the states of a trail; where they would take more, fewer are kept.
#define STATE_BYTES (32u << 20)

/// Steps from state to state: from frame to frame, or a multiple that the memory suffices for.
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
    size_t change_count;
    const attachment_change *changes = pose_attachment_changes(p, &change_count);
    spring_tail *tails = ARENA_ARRAY_RAW(a, spring_tail, (size_t)count * s->tail_count);
    attachment_change *kept = ARENA_ARRAY_RAW(a, attachment_change, change_count);
    if (!tails || !kept) // every frame takes all steps: only cancelled work ends
        return a->failed == ZT_ERR_CANCELLED ? arena_fail(a, err, "springs") : ZT_OK;
    for (int64_t i = 0; i < count; i++) {
        ZT_TRY(pose_springs_run_to(p, i * stride, err));
        memcpy(tails + (size_t)i * s->tail_count, s->tails, s->tail_count * sizeof *tails);
    }
    if (change_count > 0)
        memcpy(kept, changes, change_count * sizeof *kept);
    *out = (spring_trail){.scene = p->scene,
                          .stamp = p->scene->edit_stamp,
                          .stride = stride,
                          .count = count,
                          .tails = tails,
                          .tail_count = s->tail_count,
                          .changes = kept,
                          .change_count = change_count};
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
