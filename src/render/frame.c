// SPDX-License-Identifier: MIT
// One frame: from a scene and a time to the planes of a picture. Read this file first, and in it
// run_frame, near the end: each step is a stage with named inputs and outputs.
//
//   scene, time --pose--> draws (meshes with matrices), materials, lights   pose/, frame_*.c
//   draws --morph, skin--> posed vertices, once for all views               geometry/
//   posed vertices of what shines --> lamps among the lights                frame_emitters.c
//   for each view: shadow maps (shadow/), the picture behind glass, the picture (camera_pass.c):
//     posed vertices --transform, clip, set up--> triangles by tile         geometry/
//     triangles of a tile --raster, compact--> visible samples, fragments   raster/
//     samples, fragments --shade, blend--> linear colour --film--> planes   shade/
//
// Threads enter here, as parallel loops over runs of vertices, runs of meshlets, and tiles. Each
// job writes only what belongs to its index or its worker, so the number of threads never reaches a
// pixel. In a sequence each worker may draw a frame of its own (sequence.c) with the same code.
#include "base/maths.h"
#include "image/picture.h"
#include "render/crypto_names.h"
#include "render/frame_views.h"
#include "render/skeleton_overlay.h"
#include "render/supersample.h"
#include "shade/material.h"

#include <string.h>

// ---- Preparation: the scene at the time of the frame --------------------------------------------

/// The turn of the lights of a scene with its camera, about the point that it looks at.
static void turn_lights(frame *f)
{
    const double *axis =
        f->scene->camera.target_auto ? f->renderer->framing.target : f->camera_points.target;
    frame_light_turn *t = &f->pose.light_turn;
    double elevation_deg;
    *t = (frame_light_turn){.turned = f->scene->lights_turn};
    memcpy(t->axis, axis, sizeof t->axis);
    if (!t->turned)
        return;
    scene_orbit_angles(f->scene, f->time, &t->deg, &elevation_deg);
    maths_sincos_deg(t->deg, &t->sine, &t->cosine);
}

/// Scene, time -> draws, materials, lights.
static zt_result prepare_scene(frame *f, zt_error *err)
{
    const pose_loops *loops = f->renderer->kernels->pose;
    ZT_TRY(frame_pose_build(loops, f->scene, f->time, f->arena, &f->pose, err));
    shade_material *materials;
    ZT_TRY(frame_materials(f->scene, &f->pose, f->time, f->arena, &materials, &f->material_count,
                           err));
    ZT_TRY(scene_camera_points(loops, f->scene, f->time, f->arena->budget, &f->camera_points, err));
    turn_lights(f);
    ZT_TRY(ground_add(f->scene, &f->renderer->framing, f->arena, &f->pose, materials, &f->ground,
                      err));
    f->material_count = f->pose.material_count;
    f->shade.materials = materials;
    f->shade.prefetch_near = kernels_prefetch_near();
    if (picture_planes_present(f->out) & PICTURE_PLANES_CRYPTO) {
        crypto_names nodes, others;
        ZT_TRY(crypto_names_build(f->scene, PLANE_CRYPTO_OBJECT, f->arena, &nodes, err));
        ZT_TRY(crypto_names_build(f->scene, PLANE_CRYPTO_MATERIAL, f->arena, &others, err));
        f->shade.ids = (shade_ids){nodes.id, others.id, nodes.ground};
    }
    f->shade.transmits = shade_materials_transmit(f->shade.materials, f->material_count);
    ZT_TRY(frame_lights(f->scene, &f->pose, f->time, &f->renderer->framing, f->arena, &f->shade,
                        &f->lights, err));
    ZT_TRY(frame_environment(f->scene, &f->renderer->environment.made, f->time,
                             f->pose.light_turn.deg, f->arena, &f->shade, err));
    f->shade.environment_behind = f->shade.environment && f->scene->background_environment;
    scene_camera_at(f->scene, &f->renderer->framing, f->time, &f->camera_points,
                    f->pose.world_from_node,
                    (const model_property_value *const *)f->pose.properties, &f->camera);
    if (f->sub)
        ZT_TRY(subframe_aim(f->sub, f->scene, loops, f->time, f->target->height, f->arena->budget,
                            &f->camera, err));
    return frame_outline_widths(&f->pose, materials, &f->camera, f->arena, err);
}

/// 1 + the index of the material if exactly one of them blends (`blended`), or exactly one does
/// not; otherwise 0.
static uint32_t only_material(const uint8_t *flags, uint32_t count, bool blended)
{
    uint32_t only = 0, found = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!(flags[i] & SURFACE_BLENDED) == blended)
            continue;
        only = i + 1;
        found++;
    }
    return found == 1 ? only : 0;
}

/// The number of draws but that of the ground, which is the last.
static uint32_t model_draws(const frame *f) { return f->pose.draw_count - (f->ground != NULL); }

/// Most vertices are never shaded where a mesh has more than the picture has pixels: shading poses
/// the attributes of the others, by the arithmetic of the skin loop.
static void leave_attributes(const frame *f)
{
    const int64_t pixels = (int64_t)f->target->width * f->target->height;
    for (uint32_t i = 0; i < f->pose.draw_count; i++) {
        geometry_draw *draw = &f->pose.draws[i];
        draw->bind_attributes = draw->mesh->vertex_count > pixels && geometry_draw_is_rigid(draw);
    }
}

/// Memory for posed vertices, and traits of surfaces that choose how they are drawn.
static zt_result prepare_geometry(frame *f, zt_error *err)
{
    const zt_model *m = f->scene->instance_count == 1 ? f->scene->instances[0].model : NULL;
    const bool alone = f->scene->bare_file && m && m->triangle_count + m->line_count == 0;
    f->geometry = (geometry_frame){.cloud = alone ? m->point_count : 0,
                                   .draws = f->pose.draws,
                                   .draw_count = f->pose.draw_count,
                                   .posed_meshes = f->pose.posed_meshes,
                                   .posed_mesh_count = f->pose.posed_mesh_count};
    uint8_t *flags;
    ZT_TRY(ARENA_TAKE_RAW(f->arena, &flags, f->material_count, "materials of a frame", err));
    for (uint32_t i = 0; i < f->material_count; i++)
        flags[i] = shade_surface_flags(&f->shade.materials[i]);
    leave_attributes(f);
    f->still = still_draws_compare(f->kept, f->pose.draws, model_draws(f), flags, f->material_count,
                                   f->arena);
    f->keeps_shadows = f->still == STILL_LONGER && still_draws_cast_alike(flags, f->material_count);
    ZT_TRY(geometry_frame_init(&f->geometry, f->still == STILL_LONGER ? &f->kept->arena : f->arena,
                               f->arena, err));
    f->surface_flags = flags;
    for (uint32_t i = 0; i < f->material_count; i++)
        f->shade.any_unlit = f->shade.any_unlit || f->shade.materials[i].unlit;
    f->shade.only_opaque = only_material(flags, f->material_count, false);
    f->shade.only_blended = only_material(flags, f->material_count, true);
    return f->target->plane[PLANE_MOTION].data || f->target->plane[PLANE_VECTOR].data
               ? frame_motion_prepare(f, err)
               : ZT_OK;
}

/// The planes that are drawn.
static zt_result prepare_target(frame *f, zt_error *err)
{
    const int32_t factor = f->scene->supersample;
    const int32_t limit = PICTURE_SIDE_LIMIT / factor;
    f->target = f->out;
    if (factor == 1)
        return ZT_OK;
    if (f->out->width > limit || f->out->height > limit)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "size %dx%d with supersample %d (expected 1 to %d a side)",
                       (int)f->out->width, (int)f->out->height, (int)factor, (int)limit);
    f->target = &f->fine;
    const uint32_t sums = f->out->sums ? PICTURE_PLANE_COLOR8 : 0; // as large already
    ZT_TRY(picture_planes_init(&f->fine, supersample_planes(picture_planes_present(f->out) & ~sums),
                               factor * f->out->width, factor * f->out->height, f->arena, err));
    f->fine.sums = f->out->sums;
    return ZT_OK;
}

static void take_time(frame *f, const char *name, uint64_t start)
{
    const uint64_t end = job_clock_ns();
    f->stats->stage_ns[STAGE_POSE] += end - start;
    trace_add(f->arena->budget->trace, name, start, end);
}

static zt_result prepare(frame *f, zt_error *err)
{
    const uint64_t start = job_clock_ns();
    ZT_TRY(prepare_target(f, err));
    ZT_TRY(prepare_scene(f, err));
    ZT_TRY(prepare_geometry(f, err));
    ZT_TRY(frame_emitters_begin(f, err));
    const int64_t batches = geometry_batch_count(&f->geometry);
    if (f->workers.run_count > batches)
        f->workers.run_count = (int32_t)batches;
    ZT_TRY(frame_workers_begin(&f->workers, f->samples, f->material_count, err));
    take_time(f, "pose", start);
    return ZT_OK;
}

/// The views, once vertices are posed and surfaces among the lights.
static zt_result prepare_views(frame *f, zt_error *err)
{
    const uint64_t start = job_clock_ns();
    frame_emitters_add(f);
    ZT_TRY(frame_views_prepare(f, err));
    take_time(f, "views", start);
    return ZT_OK;
}

// ---- Stages: parallel loops ---------------------------------------------------------------------

/// A stage as a parallel loop.
typedef struct stage_loop {
    frame *frame;
    camera_pass *pass; ///< NULL: the stage serves all views
    void (*run)(const struct stage_loop *loop, int64_t index, render_worker *worker);
    int64_t count;
    int32_t level; ///< level that reduce_behind fills; 1 + the index in frame.motion
} stage_loop;

/// One run of vertices: morph and skin.
static void skin_vertices(const stage_loop *loop, int64_t index, render_worker *worker)
{
    const frame *f = loop->frame;
    geometry_skin(loop->level ? &f->motion[loop->level - 1].geometry : &f->geometry,
                  f->renderer->kernels->geometry, index);
    render_worker_lap(worker, STAGE_SKIN);
}

/// One draw: the light that it emits.
static void measure_emitter(const stage_loop *loop, int64_t index, render_worker *worker)
{
    frame_emitter_measure(loop->frame, index);
    render_worker_lap(worker, STAGE_SKIN);
}

/// One run of meshlets: transform, clip, set up and bin their triangles, for all views.
static void bin_triangles(const stage_loop *loop, int64_t index, render_worker *worker)
{
    frame *f = loop->frame;
    bin_run *run = &f->workers.runs[index];
    for (int32_t i = 0; i < f->map_count + f->camera_count && run->result == ZT_OK; i++) {
        view_pass *view = frame_view_at(f, i);
        if (view_pass_has_bins(view) && !view_pass_bin(view, (int32_t)index, &run->arena))
            run->result = run->arena.failed;
    }
    render_worker_lap(worker, STAGE_GEOMETRY);
}

/// One tile of the depth from which occlusion is found: that of the first view of the camera.
static void draw_depth(const frame *f, int64_t index, render_worker *worker)
{
    tile_buffers tile;
    tile_rect rect;
    if (camera_pass_depth(&f->cameras[0], index, worker, &tile, &rect)) {
        if (f->occlusion)
            occlusion_add_tile(f->occlusion, f->renderer->kernels->shadow, &tile, rect);
        if (f->rays)
            light_shares_add_tile(&f->rays->shares, &tile, rect);
    } else
        worker->result = worker->tile_arena.failed;
    render_worker_lap(worker, STAGE_RASTER);
}

/// The first of `tiles` in the slice of one iteration: slices share the tiles evenly.
static int64_t slice_begin(const stage_loop *loop, int64_t index, int64_t tiles)
{
    return index * tiles / loop->count;
}

/// The tiles of the depth from which occlusion and rays begin.
static int64_t depth_tiles(const frame *f)
{
    return f->occlusion || f->rays ? view_pass_tile_count(&f->cameras[0].view) : 0;
}

/// A slice of what shading looks up: tiles of each map and of the depth for occlusion. Each alone
/// would end with threads that wait, and workers would draw other tiles than they shade.
static void draw_maps(const stage_loop *loop, int64_t index, render_worker *worker)
{
    const frame *f = loop->frame;
    for (int32_t i = 0; i < f->map_count; i++) {
        const int64_t tiles = view_pass_tile_count(&f->maps[i].view);
        const int64_t end = slice_begin(loop, index + 1, tiles);
        for (int64_t tile = slice_begin(loop, index, tiles); tile < end; tile++) {
            if (!shadow_pass_tile(&f->maps[i], tile, &worker->tile, &worker->tile_arena))
                worker->result = worker->tile_arena.failed;
            render_worker_lap(worker, STAGE_RASTER);
        }
    }
    const int64_t tiles = depth_tiles(f);
    const int64_t end = slice_begin(loop, index + 1, tiles);
    for (int64_t tile = slice_begin(loop, index, tiles); tile < end; tile++)
        draw_depth(f, tile, worker);
}

/// Horizons of a band of texels. The first ones also finish maps, so that all threads share it.
static void search_occlusion(const stage_loop *loop, int64_t index, render_worker *worker)
{
    const frame *f = loop->frame;
    if (index < f->map_count) {
        frame_map_finish(f, index, worker);
        return;
    }
    occlusion_search_band(f->occlusion, f->renderer->kernels->shadow, index - f->map_count);
    render_worker_lap(worker, STAGE_SHADE);
}

static void smooth_occlusion(const stage_loop *loop, int64_t index, render_worker *worker)
{
    occlusion_smooth_band(loop->frame->occlusion, loop->frame->renderer->kernels->shadow, index);
    render_worker_lap(worker, STAGE_SHADE);
}

static void join_occlusion(const stage_loop *loop, int64_t index, render_worker *worker)
{
    occlusion_join_band(loop->frame->occlusion, loop->frame->renderer->kernels->shadow, index);
    render_worker_lap(worker, STAGE_SHADE);
}

/// Level 0 traces rays, level 1 filters what they found, level 2 widens that of the ground.
static void find_shares(const stage_loop *loop, int64_t index, render_worker *worker)
{
    if (loop->level == 0) {
        frame_rays_trace(loop->frame, index);
        renderer_progress_tile(loop->frame->renderer, worker);
        frame_progress_rays(loop->frame, worker, 1);
    } else {
        frame_rays_filter(loop->frame, loop->level == 2, index);
    }
    render_worker_lap(worker, STAGE_SHADE);
}

/// One tile: raster, shade and film; camera_pass_tile times them.
static void draw_tile(const stage_loop *loop, int64_t index, render_worker *worker)
{
    if (!camera_pass_tile(loop->pass, index, worker))
        worker->result = worker->tile_arena.failed;
    renderer_progress_tile(loop->frame->renderer, worker);
}

/// Some rows of one level of the picture behind glass.
static void reduce_behind(const stage_loop *loop, int64_t index, render_worker *worker)
{
    behind_picture_reduce(loop->pass->behind, loop->frame->renderer->kernels->film, loop->level,
                          index);
    render_worker_lap(worker, STAGE_SHADE);
}

static void stage_job(void *user, int64_t iteration, int32_t worker)
{
    const stage_loop *loop = user;
    frame *f = loop->frame;
    if (budget_cancelled(&f->renderer->budget))
        return;
    render_worker_begin(&f->workers.workers[worker]);
    loop->run(loop, job_order_at(f->renderer->order, iteration, loop->count),
              &f->workers.workers[worker]);
}

typedef void (*loop_fn)(job_pool *pool, int64_t count, job_fn fn, void *user);

static zt_result run_stage_by(loop_fn run, stage_loop loop, zt_error *err)
{
    frame_workers *workers = &loop.frame->workers;
    frame_workers_begin_loop(workers);
    if (workers->pool)
        run(workers->pool, loop.count, stage_job, &loop);
    else
        for (int64_t i = 0; i < loop.count; i++)
            stage_job(&loop, i, 0);
    if (budget_cancelled(&loop.frame->renderer->budget))
        return cancel_fail(err);
    return frame_workers_result(workers, err);
}

static zt_result run_stage(stage_loop loop, zt_error *err)
{
    return run_stage_by(job_pool_run_split, loop, err);
}

/// The maps of shading: shadow maps, the contact shadow and occlusion.
static zt_result run_maps(frame *f, zt_error *err)
{
    const int64_t bands = f->occlusion ? occlusion_band_count(f->occlusion) : 0;
    int64_t slices = depth_tiles(f);
    for (int32_t i = 0; i < f->map_count; i++) {
        const int64_t tiles = view_pass_tile_count(&f->maps[i].view);
        slices = tiles > slices ? tiles : slices;
    }
    ZT_TRY(run_stage((stage_loop){f, NULL, draw_maps, slices, 0}, err));
    // Finishing a map takes as long as several bands: in order, each worker has at most one.
    const loop_fn run = f->map_count > 1 ? job_pool_run : job_pool_run_split;
    const stage_loop search = {f, NULL, search_occlusion, f->map_count + bands, 0};
    ZT_TRY(run_stage_by(run, search, err));
    ZT_TRY(run_stage((stage_loop){f, NULL, smooth_occlusion, bands, 0}, err));
    ZT_TRY(run_stage((stage_loop){f, NULL, join_occlusion, bands, 0}, err));
    if (!f->rays)
        return ZT_OK;
    const int64_t rows = (f->rays->shares.view.height + OCCLUSION_BAND - 1) / OCCLUSION_BAND;
    renderer_progress_begin(f->renderer, f->sub, 0, 1 + f->camera_count, rows);
    ZT_TRY(run_stage((stage_loop){f, NULL, find_shares, rows, 0}, err));
    frame_progress_rays(f, f->workers.workers, 0);
    ZT_TRY(run_stage((stage_loop){f, NULL, find_shares, rows, 1}, err));
    if (!frame_rays_widen(f))
        return ZT_OK;
    ZT_TRY(run_stage((stage_loop){f, NULL, find_shares, rows, 2}, err));
    f->rays->shares.share[LIGHT_SHARE_SKY] = f->rays->shares.found[LIGHT_SHARE_SKY];
    return ZT_OK;
}

/// Refuses a frame of too many fragments before anything is drawn.
static zt_result count_fragments(frame *f, zt_error *err)
{
    const uint64_t limit = (uint64_t)f->renderer->budget.limits->fragments;
    uint64_t fragments = 0;
    for (int32_t i = 0; i < f->map_count + f->camera_count; i++) {
        const view_pass *view = frame_view_at(f, i);
        if (view_pass_has_bins(view))
            for (int32_t k = 0; k < view->run_count; k++)
                fragments += view->bins[k].fragment_count;
    }
    if (fragments > limit)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "the frame has up to %llu fragments that blend or test alpha (limit %llu)",
                       (unsigned long long)fragments, (unsigned long long)limit);
    return ZT_OK;
}

static zt_result run_stages(frame *f, zt_error *err)
{
    ZT_TRY(run_stage((stage_loop){f, NULL, skin_vertices, f->geometry.skin_job_count, 0}, err));
    for (int32_t i = 0; i < 2; i++)
        ZT_TRY(run_stage(
            (stage_loop){f, NULL, skin_vertices, f->motion[i].geometry.skin_job_count, i + 1},
            err));
    if (f->still == STILL_LONGER)
        still_draws_keep(f->kept, f->pose.draws, model_draws(f));
    if (f->emitters)
        ZT_TRY(run_stage((stage_loop){f, NULL, measure_emitter, f->pose.draw_count, 0}, err));
    ZT_TRY(prepare_views(f, err));
    ZT_TRY(run_stage((stage_loop){f, NULL, bin_triangles, f->workers.run_count, 0}, err));
    ZT_TRY(count_fragments(f, err));
    ZT_TRY(run_maps(f, err));
    if (f->keeps_shadows)
        still_draws_keep_maps(f->kept);
    for (int32_t i = 0; i < f->camera_count; i++) {
        camera_pass *pass = &f->cameras[i];
        const int64_t tiles = view_pass_tile_count(&pass->view);
        const int32_t before = f->rays ? 1 : 0;
        renderer_progress_begin(f->renderer, f->sub, before + i, before + f->camera_count, tiles);
        ZT_TRY(run_stage((stage_loop){f, pass, draw_tile, tiles, 0}, err));
        if (pass->behind)
            for (int32_t k = 1; k < pass->behind->level_count; k++) {
                const int64_t count = behind_picture_reduce_count(pass->behind, k);
                ZT_TRY(run_stage((stage_loop){f, pass, reduce_behind, count, k}, err));
            }
    }
    return ZT_OK;
}

// ---- The frame ----------------------------------------------------------------------------------

static void collect_stats(frame *f)
{
    frame_stats *stats = f->stats;
    const camera_pass *main_pass = &f->cameras[f->camera_count - 1];
    stats->sums.frames++;
    stats->sums.vertices += (int64_t)f->geometry.vertex_count;
    stats->sums.triangles += (int64_t)f->geometry.triangle_count;
    for (int32_t i = 0; i < main_pass->view.run_count; i++)
        stats->sums.triangles_drawn += (int64_t)main_pass->view.bins[i].triangle_count;
    frame_workers_take_stats(&f->workers, stats);
    if (f->renderer->hash_stages)
        frame_hashes(&main_pass->hashes, &f->geometry, f->out, stats->hash);
}

static zt_result run_frame(frame *f, zt_error *err)
{
    ZT_TRY(prepare(f, err));
    ZT_TRY(run_stages(f, err));
    if (f->scene->look == SCENE_LOOK_SKELETON && f->target->color8.rgba8) {
        camera_pass *main_pass = &f->cameras[f->camera_count - 1];
        ZT_TRY(skeleton_draw(f->scene, f->pose.world_from_node, &main_pass->view.view.transform,
                             f->arena, &main_pass->target.color8, err));
    }
    if (f->target != f->out)
        supersample_reduce(f->target, f->scene->supersample, f->renderer->kernels->film,
                           f->renderer->srgb, f->out);
    collect_stats(f);
    return ZT_OK;
}

zt_result frame_part_draw(const frame_part *part, zt_error *err)
{
    frame f = {.renderer = part->renderer,
               .workers = *part->workers,
               .arena = &part->workers->workers[0].frame_arena,
               .kept = &part->workers->workers[0].still,
               .scene = part->scene,
               .time = part->time,
               .sub = part->sub,
               .open = part->open,
               .samples = part->sub ? part->sub->samples : part->scene->samples,
               .light_samples = subframe_light_samples(part->sub, part->scene),
               .out = part->target,
               .stats = part->stats};
    frame_workers_reset(&f.workers);
    ZT_TRY(run_frame(&f, err));
    if (part->out_camera)
        *part->out_camera = f.camera;
    return ZT_OK;
}
