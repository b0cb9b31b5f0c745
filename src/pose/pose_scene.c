// SPDX-License-Identifier: MIT
/// Poses the instances of a scene at one time, each after those that it depends on.
///
/// The pose of an instance whose parent changes (pose_attach.h) follows from the poses at the
/// changes before, which are evaluated again for every frame, and that of springs from all steps
/// since the start of the shot (pose_springs.h): a frame by itself is the same as in its sequence.
#include "pose/pose_pass.h"
#include "pose/spring_run.h"

#include <string.h>

static bool has_springs(const pose_pass *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->scene->instance_count; i++)
        any |= (!p->needed || p->needed[i]) && scene_springs(&p->scene->instances[i]) != NULL;
    return any;
}

/// Allocates what the pass needs, and poses its instances.
static zt_result pose_pass_run(pose_pass *p, frame_time time, arena *a, zt_error *err)
{
    const bool springs = has_springs(p), *needed = p->needed, *for_springs = NULL;
    if (springs && (!pose_springs_init(p->scene, a, &p->springs) ||
                    !pose_springs_needed(p->scene, a, &for_springs)))
        return arena_fail(a, err, "springs");
    ZT_TRY(pose_pass_init(p, for_springs, a, err));
    if (springs)
        ZT_TRY(pose_springs_run(p, for_springs, time, err));
    p->needed = needed;
    pose_pass_change_parents(p, time.shot_s);
    pose_springs_show(&p->springs, time.shot_s);
    pose_pass_all(p, time, true);
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

zt_result pose_scene_parts(const pose_loops *loops, const zt_scene *scene, frame_time time,
                           arena *a, pose_sharing *sharing, pose_parts *out, zt_error *err)
{
    const uint32_t count = scene->instance_count;
    pose_pass p = {.loops = loops, .scene = scene, .sharing = sharing};
    out->local = p.locals = ARENA_ARRAY(a, pose_block *, count);
    out->world_from_model = ARENA_ARRAY_RAW(a, mat4, count);
    if (!out->local || !out->world_from_model)
        return arena_fail(a, err, "pose");
    for (uint32_t i = 0; i < count; i++) {
        const size_t blocks = pose_block_count(scene->instances[i].model);
        ZT_TRY(ARENA_TAKE_RAW(a, &p.locals[i], blocks, "pose", err));
    }
    ZT_TRY(pose_pass_run(&p, time, a, err));
    out->world_from_node = p.worlds;
    for (uint32_t i = 0; i < count; i++)
        pose_pass_place(&p, i, time, out->world_from_model[i]);
    return ZT_OK;
}

zt_result pose_bone(const pose_loops *loops, const zt_scene *scene, uint32_t instance, int32_t node,
                    frame_time time, arena *a, mat4 out_world, zt_error *err)
{
    needed_set needed;
    pose_sharing none = {0};
    if (!pose_needed_init(scene, a, &needed))
        return arena_fail(a, err, "pose");
    pose_need(&needed, (int32_t)instance);
    pose_need_dependencies(scene, &needed);
    pose_pass p = {.loops = loops, .scene = scene, .sharing = &none, .needed = needed.has};
    ZT_TRY(pose_pass_run(&p, time, a, err));
    memcpy(out_world, p.worlds[instance][node], sizeof(mat4));
    return ZT_OK;
}
