// SPDX-License-Identifier: MIT
// One frame, from a scene and a time to the planes of a picture. Read this first: frame_draw below
// is the pipeline, each step of it a stage whose input and output are types that can be named.
//
//   scene, time --pose--> draws (meshes with matrices)           pose/, frame_pose.c
//   draws --morph, skin--> posed vertices, once per frame         geometry/
//   for each view pass (view_pass.c):
//     posed vertices --transform, clip, set up--> triangles by tile        geometry/
//     triangles of a tile --raster, compact--> visible samples, fragments   raster/
//     samples, fragments --shade, blend--> linear colour --film--> planes   shade/
//
// Threads enter here as parallel loops over runs of vertices, runs of meshlets, and tiles; every
// job writes only what belongs to its index or its worker, so the number of threads never reaches a
// pixel. In a sequence each worker may draw a frame of its own (sequence.c), by the same code.
#include "render/frame_pose.h"
#include "render/renderer.h"
#include "shade/material.h"

#include <string.h>

/// Everything that the jobs of one frame share.
typedef struct frame {
    zt_renderer *renderer;
    frame_workers workers;
    arena *arena;
    const zt_scene *scene;
    frame_time time;
    frame_pose pose;
    geometry_frame geometry; ///< posed vertices
    view_scene view_scene;
    view_pass *passes; ///< in the order in which they are drawn; the last is the picture
    int32_t pass_count;
    zt_stats *stats;
} frame;

// ---- Jobs of the stages -------------------------------------------------------------------------

/// A stage as a parallel loop.
typedef struct stage_loop {
    frame *frame;
    view_pass *pass; ///< NULL: the stage is common to all views
    void (*run)(const struct stage_loop *loop, int64_t index, render_worker *worker);
    int64_t count;
} stage_loop;

/// Posed vertices of one run of vertices.
static void skin_run(const stage_loop *loop, int64_t index, render_worker *worker)
{
    frame *f = loop->frame;
    const uint64_t start = job_clock_ns();
    geometry_skin(&f->geometry, &f->renderer->kernels->geometry, index);
    worker->stage_ns[ZT_STAGE_SKIN] += job_clock_ns() - start;
}

/// The binned triangles of one run of meshlets.
static void bin_run_job(const stage_loop *loop, int64_t index, render_worker *worker)
{
    bin_run *run = &loop->frame->workers.runs[index];
    const uint64_t start = job_clock_ns();
    if (!view_pass_bin(loop->pass, (int32_t)index, &run->arena))
        run->failed = run->arena.failed;
    worker->stage_ns[ZT_STAGE_GEOMETRY] += job_clock_ns() - start;
}

/// The pixels of one tile.
static void tile_run(const stage_loop *loop, int64_t index, render_worker *worker)
{
    if (!view_pass_tile(loop->pass, index, worker))
        worker->failed = worker->tile_arena.failed;
}

static bool frame_cancelled(const frame *f)
{
    return atomic_load_explicit(&f->renderer->cancelled, memory_order_relaxed);
}

static void stage_job(void *user, int64_t iteration, int32_t worker)
{
    const stage_loop *loop = user;
    frame *f = loop->frame;
    if (!frame_cancelled(f))
        loop->run(loop, job_order_at(f->renderer->order, iteration, loop->count),
                  &f->workers.workers[worker]);
}

static zt_result workers_result(const frame_workers *workers, zt_error *err)
{
    zt_result failed = ZT_OK;
    for (int32_t i = 0; i < workers->run_count; i++)
        failed = failed != ZT_OK ? failed : workers->runs[i].failed;
    for (int32_t i = 0; i < workers->worker_count; i++)
        failed = failed != ZT_OK ? failed : workers->workers[i].failed;
    if (failed != ZT_OK)
        return zt_fail(err, failed, "a frame does not fit in memory (%s)", zt_result_name(failed));
    return ZT_OK;
}

static zt_result run_stage(stage_loop loop, zt_error *err)
{
    frame *f = loop.frame;
    if (f->workers.pool)
        job_pool_run(f->workers.pool, loop.count, stage_job, &loop);
    for (int64_t i = 0; i < loop.count && !f->workers.pool; i++)
        stage_job(&loop, i, 0);
    return workers_result(&f->workers, err);
}

static zt_result run_stages(frame *f, zt_error *err)
{
    ZT_TRY(run_stage((stage_loop){f, NULL, skin_run, f->geometry.skin_job_count}, err));
    for (int32_t i = 0; i < f->pass_count; i++) {
        view_pass *pass = &f->passes[i];
        ZT_TRY(run_stage((stage_loop){f, pass, bin_run_job, pass->run_count}, err));
        ZT_TRY(run_stage((stage_loop){f, pass, tile_run, view_pass_tile_count(pass)}, err));
    }
    return ZT_OK;
}

// ---- Preparation --------------------------------------------------------------------------------

/// Posed vertices, materials and what else all views share.
static zt_result prepare_geometry(frame *f, const shade_frame *shade, uint32_t material_count,
                                  zt_error *err)
{
    f->geometry = (geometry_frame){.draws = f->pose.draws,
                                   .draw_count = f->pose.draw_count,
                                   .posed_meshes = f->pose.posed_meshes,
                                   .posed_mesh_count = f->pose.posed_mesh_count};
    ZT_TRY(geometry_frame_init(&f->geometry, f->arena, err));
    uint8_t *flags = ARENA_ARRAY_RAW(f->arena, uint8_t, material_count);
    if (!flags)
        return arena_fail(f->arena, err, "materials of a frame");
    for (uint32_t i = 0; i < material_count; i++)
        flags[i] = shade_surface_flags(&shade->materials[i]);
    f->view_scene = (view_scene){.kernels = f->renderer->kernels,
                                 .geometry = &f->geometry,
                                 .surface_flags = flags,
                                 .srgb = f->renderer->srgb,
                                 .arena = f->arena,
                                 .hash_stages = f->renderer->hash_stages};
    return ZT_OK;
}

/// The list of view passes: the camera's, which fills `target`.
static zt_result prepare_passes(frame *f, const shade_frame *shade, const picture_planes *target,
                                zt_error *err)
{
    view_camera camera;
    scene_camera_at(f->scene, &f->renderer->framing, f->time, f->pose.world_from_node,
                    (const model_property_value *const *)f->pose.properties, &camera);
    f->pass_count = 1;
    f->passes = ARENA_ARRAY(f->arena, view_pass, (size_t)f->pass_count);
    if (!f->passes)
        return arena_fail(f->arena, err, "views of a frame");
    view_pass *main_pass = &f->passes[f->pass_count - 1];
    *main_pass = (view_pass){.scene = &f->view_scene,
                             .target = *target,
                             .sample_count = f->scene->samples,
                             .shade = *shade};
    frame_film(f->scene, &main_pass->film);
    return view_pass_init(main_pass, &camera, f->workers.run_count, err);
}

/// Tile and shading buffers, made anew only when samples or materials change.
static zt_result prepare_worker(render_worker *worker, int32_t samples, uint32_t materials,
                                zt_error *err)
{
    worker->failed = ZT_OK;
    if (worker->buffers_samples == samples && worker->buffers_materials == materials)
        return ZT_OK;
    arena_reset(&worker->keep_arena);
    worker->buffers_samples = 0;
    ZT_TRY(tile_buffers_init(&worker->tile, &worker->keep_arena, samples, err));
    ZT_TRY(shade_buffers_init(&worker->shade, &worker->keep_arena, samples, materials, err));
    worker->buffers_samples = samples;
    worker->buffers_materials = materials;
    return ZT_OK;
}

static zt_result prepare_workers(frame *f, uint32_t material_count, zt_error *err)
{
    int32_t samples = 1; // of the pass with most
    const int64_t batches = geometry_batch_count(&f->geometry);
    if (f->workers.run_count > batches)
        f->workers.run_count = (int32_t)batches;
    for (int32_t i = 0; i < f->workers.run_count; i++)
        f->workers.runs[i].failed = ZT_OK;
    samples = f->scene->samples > samples ? f->scene->samples : samples;
    for (int32_t i = 0; i < f->workers.worker_count; i++)
        ZT_TRY(prepare_worker(&f->workers.workers[i], samples, material_count, err));
    return ZT_OK;
}

static zt_result prepare_frame(frame *f, const picture_planes *target, zt_error *err)
{
    shade_frame shade = {0};
    uint32_t material_count = 0;
    ZT_TRY(
        frame_pose_build(&f->renderer->kernels->pose, f->scene, f->time, f->arena, &f->pose, err));
    ZT_TRY(frame_materials(f->scene, &f->pose, f->time, f->arena, &shade.materials, &material_count,
                           err));
    ZT_TRY(frame_lights(f->scene, &f->pose, f->time, f->arena, &shade, err));
    ZT_TRY(prepare_geometry(f, &shade, material_count, err));
    ZT_TRY(prepare_workers(f, material_count, err));
    return prepare_passes(f, &shade, target, err);
}

// ---- The frame ----------------------------------------------------------------------------------

static void collect_stats(frame *f)
{
    zt_stats *stats = f->stats;
    const view_pass *main_pass = &f->passes[f->pass_count - 1];
    stats->frames++;
    stats->vertices += (int64_t)f->geometry.vertex_count;
    stats->triangles += (int64_t)f->geometry.triangle_count;
    uint64_t memory = f->arena->used;
    for (int32_t i = 0; i < f->workers.run_count; i++) {
        stats->triangles_drawn += (int64_t)main_pass->bins[i].triangle_count;
        memory += f->workers.runs[i].arena.used;
    }
    for (int32_t i = 0; i < f->workers.worker_count; i++) {
        render_worker *worker = &f->workers.workers[i];
        stats->pixels_shaded += worker->pixels_shaded;
        worker->pixels_shaded = 0;
        memory += worker->tile_arena.used + worker->keep_arena.used;
        for (int s = 0; s < ZT_STAGE_COUNT; s++) {
            stats->stage_ns[s] += worker->stage_ns[s];
            worker->stage_ns[s] = 0;
        }
    }
    stats->frame_memory = memory * (1u + (uint64_t)f->workers.other_frames);
    if (f->renderer->hash_stages)
        frame_hashes(&main_pass->hashes, &f->geometry, &main_pass->target.color8, stats->hash);
}

static zt_result run_frame(frame *f, const picture_planes *target, zt_error *err)
{
    const uint64_t start = job_clock_ns();
    ZT_TRY(prepare_frame(f, target, err));
    f->stats->stage_ns[ZT_STAGE_POSE] += job_clock_ns() - start;
    ZT_TRY(run_stages(f, err));
    if (frame_cancelled(f))
        return zt_fail(err, ZT_ERR_CANCELLED, "cancelled");
    collect_stats(f);
    return ZT_OK;
}

/// Empties the arenas of the frame, done or failed: their contents no longer count against the
/// budget, and what they grew by is in one block before the next frame begins. Which worker met the
/// tile with most triangles is chance, so all get capacity for it.
static void finish_frame(frame *f)
{
    size_t capacity = 0;
    arena_reset(f->arena);
    for (int32_t i = 0; i < f->workers.run_count; i++)
        arena_reset(&f->workers.runs[i].arena);
    for (int32_t i = 0; i < f->workers.worker_count; i++) {
        arena *a = &f->workers.workers[i].tile_arena;
        arena_reset(a);
        capacity = arena_capacity(a) > capacity ? arena_capacity(a) : capacity;
    }
    for (int32_t i = 0; i < f->workers.worker_count; i++)
        arena_reserve(&f->workers.workers[i].tile_arena, capacity);
}

zt_result frame_draw(zt_renderer *r, const frame_workers *workers, const zt_scene *scene,
                     frame_time time, const picture_planes *target, zt_stats *out_stats,
                     zt_error *err)
{
    frame f = {.renderer = r,
               .workers = *workers,
               .arena = &workers->workers[0].frame_arena,
               .scene = scene,
               .time = time,
               .stats = out_stats};
    const uint64_t saved = float_state_enter();
    const zt_result result = run_frame(&f, target, err);
    finish_frame(&f);
    float_state_leave(saved);
    return result;
}

zt_result renderer_draw(zt_renderer *r, const zt_scene *scene, int64_t number,
                        const picture_planes *target, zt_error *err)
{
    const frame_time time = scene_frame_time(scene, number);
    ZT_TRY(renderer_find_framing(r, scene, err));
    zt_stats stats = {0};
    frame_workers workers = renderer_workers(r);
    zt_result result = frame_draw(r, &workers, scene, time, target, &stats, err);
    if (result == ZT_ERR_LIMIT && workers.worker_count > 1) {
        // Workers need memory of their own; whether a frame fits must not depend on their number.
        renderer_release(r);
        workers = renderer_single_worker(r, 0);
        result = frame_draw(r, &workers, scene, time, target, &stats, err);
    }
    renderer_begin_sequence(r);
    if (result == ZT_OK)
        renderer_add_stats(r, &stats, 0);
    return result;
}

zt_result zt_render(zt_renderer *renderer, const zt_scene *scene, int64_t number,
                    const zt_image *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render: no renderer or no scene");
    if (!target || !target->rgba8 || target->width != scene->width ||
        target->height != scene->height || target->stride < (size_t)target->width * 4)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target picture is not %dx%d RGBA8",
                       (int)scene->width, (int)scene->height);
    const picture_planes planes = {
        .width = target->width, .height = target->height, .color8 = *target};
    return renderer_draw(renderer, scene, number, &planes, err);
}
