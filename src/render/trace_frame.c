// SPDX-License-Identifier: MIT
/// zt_trace: rays through a frame that is posed and not drawn.
#include "render/frame_pose.h"
#include "render/renderer.h"
#include "scene/scene_origin.h"
#include "shade/material.h"

#include <math.h>
#include <string.h>

static void skin_vertices(void *user, int64_t index, int32_t worker)
{
    zt_renderer *r = user;
    (void)worker;
    if (!budget_cancelled(&r->budget))
        geometry_skin(&r->rays.geometry, r->kernels->geometry, index);
}

/// Scene, frame -> posed positions and their tree, in r->rays.
static zt_result pose_frame(zt_renderer *r, const zt_scene *scene, int64_t number, zt_error *err)
{
    geometry_frame *geometry = &r->rays.geometry;
    arena *a = &r->rays.arena;
    frame_time time = scene_frame_time(scene, number);
    frame_pose pose;
    shade_material *materials;
    uint8_t *flags;
    uint32_t count;
    time.trail = &r->trail;
    ZT_TRY(frame_pose_build(r->kernels->pose, scene, time, a, &pose, err));
    ZT_TRY(frame_materials(scene, &pose, time, a, &materials, &count, err));
    ZT_TRY(ARENA_TAKE_RAW(a, &flags, count, "materials of a frame", err));
    for (uint32_t i = 0; i < count; i++)
        flags[i] = shade_surface_flags(&materials[i]);
    *geometry = (geometry_frame){.draws = pose.draws,
                                 .draw_count = pose.draw_count,
                                 .posed_meshes = pose.posed_meshes,
                                 .posed_mesh_count = pose.posed_mesh_count};
    geometry_positions_only(geometry);
    ZT_TRY(geometry_frame_init(geometry, a, a, err));
    job_pool_run(r->pool, geometry->skin_job_count, skin_vertices, r);
    if (budget_cancelled(&r->budget))
        return cancel_fail(err);
    return trace_collect(geometry, flags, r->pool, a, &r->rays.posed, err);
}

/// Makes r->rays those of a frame, unless they are.
static zt_result keep_frame(zt_renderer *r, const zt_scene *scene, int64_t number, zt_error *err)
{
    kept_rays *kept = &r->rays;
    if (kept->scene == scene && kept->stamp == scene->edit_stamp && kept->number == number)
        return ZT_OK;
    renderer_release(r); // memory of earlier frames does not decide what fits
    ZT_TRY(renderer_prepare_framing(r, scene, err));
    const zt_result result = pose_frame(r, scene, number, err);
    if (result != ZT_OK)
        renderer_forget_rays(r);
    kept->scene = result == ZT_OK ? scene : NULL;
    kept->stamp = scene->edit_stamp;
    kept->number = number;
    return result;
}

typedef struct trace_loop {
    budget *budget;
    const kept_rays *kept;
    const trace_loops *loops;
    const zt_ray *rays;
    zt_ray_hit *hits;
    bool *blocked;
} trace_loop;

/// A ray whose direction has the length 1; of one that hits nothing it is 0.
static trace_ray ray_of(const kept_rays *kept, const zt_ray *from)
{
    const trace_scene *space = &kept->posed.scene;
    const double *d = from->direction, scale = (double)space->scale;
    trace_ray ray = {.near = (float)(from->near_m * scale), .far = (float)(from->far_m * scale)};
    double largest = 0.0, square = 0.0, origin[3];
    bool finite = from->near_m <= from->far_m;
    memcpy(origin, from->origin, sizeof origin);
    scene_from_user(kept->scene, origin);
    trace_space_point(space, origin, ray.origin);
    for (int k = 0; k < 3; k++) {
        finite = finite && isfinite(d[k]) && isfinite(ray.origin[k]);
        largest = fabs(d[k]) > largest ? fabs(d[k]) : largest;
    }
    if (!finite || largest == 0.0)
        return ray;
    for (int k = 0; k < 3; k++)
        square += (d[k] / largest) * (d[k] / largest);
    for (int k = 0; k < 3; k++)
        ray.direction[k] = (float)(d[k] / largest / sqrt(square));
    return ray;
}

static zt_ray_hit hit_of(const trace_posed *posed, const trace_hit *from)
{
    if (from->id == TRACE_NONE)
        return (zt_ray_hit){.distance_m = INFINITY};
    const trace_place place = trace_place_of(posed, from->id);
    return (zt_ray_hit){.distance_m = (float)((double)from->t / (double)posed->scene.scale),
                        .barycentric = {from->u, from->v},
                        .instance = place.draw->instance + 1,
                        .object = place.draw->node + 1,
                        .material = place.material - place.draw->first_material + 1,
                        .triangle = place.triangle};
}

static void trace_range(void *user, size_t first, size_t count)
{
    const trace_loop *loop = user;
    const trace_posed *posed = &loop->kept->posed;
    for (size_t i = first; i < first + count && !budget_cancelled(loop->budget); i++) {
        const trace_ray ray = ray_of(loop->kept, &loop->rays[i]);
        trace_hit hit;
        bool blocked;
        const trace_job job = {&posed->scene, &ray, 1, &hit, &blocked};
        if (loop->hits) {
            loop->loops->nearest(&job);
            loop->hits[i] = hit_of(posed, &hit);
            blocked = hit.id != TRACE_NONE;
        } else {
            loop->loops->any(&job);
        }
        if (loop->blocked)
            loop->blocked[i] = blocked;
    }
}

zt_result zt_trace(zt_renderer *renderer, const zt_scene *scene, int64_t frame, const zt_ray *rays,
                   int64_t count, zt_ray_hit *out_hits, bool *out_blocked, zt_error *err)
{
    if (!renderer || !scene || count < 0 || (count > 0 && (!rays || !(out_hits || out_blocked))))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_trace: no renderer, no scene, no rays, or nowhere to put hits");
    ZT_TRY(renderer_enter(renderer, err));
    trace_loop loop = {&renderer->budget, &renderer->rays, renderer->kernels->trace, rays,
                       out_hits,          out_blocked};
    const uint64_t saved = float_state_enter();
    zt_result result = keep_frame(renderer, scene, frame, err);
    if (result == ZT_OK)
        result = job_pool_ranges(renderer->pool, &renderer->budget, (size_t)count, trace_range,
                                 &loop, err);
    if (result == ZT_OK && budget_cancelled(&renderer->budget))
        result = cancel_fail(err);
    float_state_leave(saved);
    renderer_leave(renderer);
    return result;
}
