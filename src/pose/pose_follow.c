// SPDX-License-Identifier: MIT
/// Points of cameras and lights that follow a bone.
///
/// A smoothed point is the mean of the followed point over a window of time, weighted by a
/// triangle: the running mean of the running mean over half of the window. It has no state: the
/// scene is posed again at each of the window's times, so a frame by itself is the same as in its
/// sequence.
#include "base/affine.h"
#include "pose/pose.h"
#include "scene/scene_follow.h"

/// The mean is taken at steps k = -WINDOW_HALF to WINDOW_HALF of equal length, with the weights
/// (WINDOW_HALF - |k|) / WINDOW_HALF^2, whose sum is exactly 1.
enum { WINDOW_HALF = 8 };

/// The followed point at a time, without the mean.
static zt_result point_at(const pose_loops *loops, const zt_scene *scene,
                          const scene_follow *follow, frame_time time, arena *a, dvec3 *out,
                          zt_error *err)
{
    mat4 world;
    const dvec3 offset = dvec3_load(follow->offset);
    ZT_TRY(pose_bone(loops, scene, (uint32_t)follow->instance, follow->node, time, a, world, err));
    const affine bone = affine_from_floats(world[0]);
    *out = follow->world_offset ? dvec3_add(dvec3_from_floats(world[3]), offset)
                                : affine_point(&bone, offset);
    return ZT_OK;
}

static zt_result mean_at(const pose_loops *loops, const zt_scene *scene, const scene_follow *follow,
                         frame_time time, arena *a, dvec3 *out, zt_error *err)
{
    const double first_s = time.shot_s < 0.0 ? time.shot_s : 0.0; // of the shot
    dvec3 middle, sum = {0.0, 0.0, 0.0};
    ZT_TRY(point_at(loops, scene, follow, time, a, &middle, err));
    for (int k = 1 - WINDOW_HALF; k < WINDOW_HALF && follow->smooth_s > 0.0; k++) {
        const int steps = k < 0 ? -k : k;
        const double weight = (double)(WINDOW_HALF - steps) / (WINDOW_HALF * WINDOW_HALF);
        const double at_s = time.shot_s + follow->smooth_s * ((double)k / (2 * WINDOW_HALF));
        dvec3 point;
        if (k == 0)
            continue;
        if (budget_cancelled(a->budget))
            return cancel_fail(err);
        arena_reset(a);
        frame_time at = scene_shot_time(scene, at_s > first_s ? at_s : first_s);
        at.trail = time.trail;
        ZT_TRY(point_at(loops, scene, follow, at, a, &point, err));
        sum = dvec3_add(sum, dvec3_scale(dvec3_sub(point, middle), weight));
    }
    *out = dvec3_add(middle, sum); // differences: a point that rests stays exactly where it is
    return ZT_OK;
}

zt_result pose_point(const pose_loops *loops, const zt_scene *scene, const scene_point *point,
                     frame_time time, budget *memory, double out[3], zt_error *err)
{
    if (!point->follow) {
        track_evaluate(&point->at, time.shot_s, out);
        return ZT_OK;
    }
    arena scratch;
    dvec3 found = {0.0, 0.0, 0.0};
    arena_init(&scratch, memory);
    const zt_result result = mean_at(loops, scene, point->follow, time, &scratch, &found, err);
    arena_finish(&scratch);
    dvec3_store(found, out);
    return result;
}
