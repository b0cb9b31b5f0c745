// SPDX-License-Identifier: MIT
// The meshes and the camera of a frame as they are at another time.
#include "render/frame_views.h"
#include "shade/sample_motion.h"

#include <math.h>

/// Draws are in the order of instances, and of the nodes of each.
static uint64_t order_of(const geometry_draw *draw)
{
    return (uint64_t)draw->instance << 32 | draw->node;
}

/// Leaves hulls of outlines out: they move with their meshes.
static uint32_t without_outlines(geometry_draw *draws, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!draws[i].outline)
            draws[kept++] = draws[i];
    return kept;
}

static bool are_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance * (1.0 + fabs(a));
}

/// True when matrices and morph targets of two draws are the same within a tolerance.
static bool is_still(const geometry_draw *a, const geometry_draw *b, double tolerance)
{
    bool same = a->mesh == b->mesh && a->matrix_count == b->matrix_count &&
                a->morph_count == b->morph_count;
    for (size_t k = 0; same && k < 16 * (size_t)a->matrix_count; k++)
        same = are_near((double)a->palette[k / 16].column[k % 16 / 4][k % 4],
                        (double)b->palette[k / 16].column[k % 16 / 4][k % 4], tolerance);
    for (uint32_t m = 0; same && m < a->morph_count; m++)
        same = a->morphs[m].target == b->morphs[m].target &&
               are_near((double)a->morphs[m].weight, (double)b->morphs[m].weight, tolerance);
    return same;
}

static bool are_still(const geometry_draw *a, const geometry_draw *b, uint32_t count)
{
    bool same = true;
    for (uint32_t i = 0; i < count && same; i++)
        same = is_still(&a[i], &b[i], 1e-5);
    return same;
}

/// A draw that is as it is now is not posed again.
static void share_still(geometry_draw *then, const geometry_draw *now)
{
    if (now->position && !now->outline && !then->posed_mesh && !then->duals &&
        is_still(then, now, 0.0))
        geometry_draw_share(then, now);
}

/// The pose and the camera of a time.
static zt_result pose_at(const zt_scene *scene, const scene_framing *framing,
                         const pose_loops *loops, frame_time time, arena *a, frame_pose *out,
                         view_camera *out_camera, zt_error *err)
{
    camera_points points;
    ZT_TRY(frame_pose_build(loops, scene, time, a, out, err));
    ZT_TRY(scene_camera_points(loops, scene, time, a->budget, &points, err));
    scene_camera_at(scene, framing, time, &points, out->world_from_node,
                    (const model_property_value *const *)out->properties, out_camera);
    return ZT_OK;
}

zt_result frame_motion_build(const zt_scene *scene, const scene_framing *framing,
                             const frame_pose *pose, frame_time time, arena *a, frame_motion *out,
                             zt_error *err)
{
    frame_pose then;
    ZT_TRY(pose_at(scene, framing, pose->loops, time, a, &then, &out->camera, err));
    ZT_TRY(ARENA_TAKE(a, &out->draw, pose->draw_count, "meshes at another time", err));
    out->geometry = (geometry_frame){.draws = then.draws,
                                     .draw_count = without_outlines(then.draws, then.draw_count),
                                     .posed_meshes = then.posed_meshes,
                                     .posed_mesh_count = then.posed_mesh_count};
    uint32_t at = 0;
    for (uint32_t i = 0; i < then.posed_mesh_count && i < pose->posed_mesh_count; i++)
        share_still(&then.posed_meshes[i], &pose->posed_meshes[i]);
    for (uint32_t i = 0; i < pose->draw_count; i++) {
        const uint64_t order = order_of(&pose->draws[i]);
        while (at < out->geometry.draw_count && order_of(&then.draws[at]) < order)
            at++;
        if (at == out->geometry.draw_count || order_of(&then.draws[at]) != order)
            continue;
        share_still(&then.draws[at], &pose->draws[i]);
        out->draw[i] = &then.draws[at];
    }
    return geometry_positions_init(&out->geometry, a, err);
}

/// The rows of shade_motion of a camera.
static void rows_build(const view_camera *camera, int32_t height, double out[3][4])
{
    const double half = 0.5 * height;
    const double scale = camera->orthographic ? half / camera->half_height : camera->focal * half;
    view_space_rows(camera, out);
    for (int k = 0; k < 4; k++) {
        out[0][k] *= scale;
        out[1][k] *= scale;
        if (camera->orthographic)
            out[2][k] = k < 3 ? 0.0 : -1.0;
    }
}

static frame_time time_of(const frame *f, int64_t number)
{
    frame_time time = scene_frame_time(f->scene, number);
    time.trail = f->time.trail;
    return time;
}

/// True when frame `end` of the shot, which follows its last one, would be its first again.
static zt_result is_closed(const frame *f, int64_t first, int64_t end, bool *out, zt_error *err)
{
    frame_pose pose[2];
    view_camera camera;
    double rows[2][3][4];
    for (int i = 0; i < 2; i++) {
        ZT_TRY(pose_at(f->scene, &f->renderer->framing, f->pose.loops,
                       time_of(f, i == 0 ? first : end), f->arena, &pose[i], &camera, err));
        rows_build(&camera, 2, rows[i]);
    }
    *out = pose[0].draw_count == pose[1].draw_count &&
           pose[0].posed_mesh_count == pose[1].posed_mesh_count &&
           are_still(pose[0].draws, pose[1].draws, pose[0].draw_count) &&
           are_still(pose[0].posed_meshes, pose[1].posed_meshes, pose[0].posed_mesh_count);
    for (int k = 0; k < 12; k++)
        *out = *out && are_near(rows[0][k / 4][k % 4], rows[1][k / 4][k % 4], 1e-5);
    return ZT_OK;
}

/// The number of the frame after (`step` 1) or before (-1): at the borders of the shot that at its
/// other end, where the shot closes. *out_exists false: there is none.
static zt_result find_neighbour(const frame *f, int64_t step, int64_t *out, bool *out_exists,
                                zt_error *err)
{
    const scene_frames *shot = &f->scene->shot;
    const int64_t now = f->time.frame, last = shot->frame[shot->count - 1];
    const int64_t first = shot->frame[0];
    const int64_t end = last + (shot->count > 1 ? last - shot->frame[shot->count - 2] : 1);
    const bool inside = now != (step > 0 ? last : first);
    *out = inside || now + step < end ? now + step : first;
    if (!inside && step < 0)
        *out = end - 1;
    *out_exists = inside;
    return inside ? ZT_OK : is_closed(f, first, end, out_exists, err);
}

/// The time of the frame after or before, or the end or begin of the open time.
static zt_result find_time(const frame *f, int t, frame_time *out, bool *out_exists, zt_error *err)
{
    int64_t number;
    *out_exists = true;
    if (f->open) {
        *out =
            subframe_time(f->scene, f->time, t == MOTION_AFTER ? f->open->to_s : f->open->from_s);
        return ZT_OK;
    }
    ZT_TRY(find_neighbour(f, t == MOTION_AFTER ? 1 : -1, &number, out_exists, err));
    *out = time_of(f, number);
    return ZT_OK;
}

zt_result frame_motion_prepare(frame *f, zt_error *err)
{
    shade_motion *motion;
    ZT_TRY(ARENA_TAKE(f->arena, &motion, 1, "motion", err));
    ZT_TRY(ARENA_TAKE(f->arena, &motion->then[MOTION_NOW], f->pose.draw_count, "motion", err));
    motion->draws = f->pose.draws;
    const geometry_draw *mesh = f->pose.draws;
    for (uint32_t i = 0; i < f->pose.draw_count; i++) { // an outline comes after its mesh
        mesh = f->pose.draws[i].outline ? mesh : &f->pose.draws[i];
        ZT_ASSERT(order_of(mesh) == order_of(&f->pose.draws[i]));
        motion->then[MOTION_NOW][i] = mesh;
    }
    rows_build(&f->camera, f->out->height, motion->rows[MOTION_NOW]);
    for (int t = MOTION_AFTER; t < MOTION_TIMES; t++) {
        frame_time then_s = f->time;
        bool exists;
        ZT_TRY(find_time(f, t, &then_s, &exists, err));
        if (!exists)
            continue;
        frame_motion *then = &f->motion[t - MOTION_AFTER];
        ZT_TRY(frame_motion_build(f->scene, &f->renderer->framing, &f->pose, then_s, f->arena, then,
                                  err));
        motion->then[t] = then->draw;
        rows_build(&then->camera, f->out->height, motion->rows[t]);
    }
    f->shade.motion = motion;
    return ZT_OK;
}
