// SPDX-License-Identifier: MIT
// One frame, from a scene and a time to 8-bit pixels. Read this first: zt_render below is the
// pipeline, each step of it a stage whose input and output are types that can be named.
//
//   scene, time --pose--> draws (meshes with matrices)         pose/, frame_pose.c
//   draws --skin--> posed vertices, once per frame             geometry/
//   posed vertices, view --geometry--> binned triangles        geometry/
//   binned triangles --raster--> visible items of a tile       raster/
//   what blends --fragments--> layers of its pixels            raster/
//   items, layers --shade--> linear colours --film--> pixels   shade/
//
// Threads enter here as parallel loops over runs of vertices, of meshlets, and tiles; every job
// writes what belongs to its index or its worker, so their number never reaches a pixel. Or not at
// all: in a sequence each worker draws a frame of its own (sequence.c), by the same code.
#include "render/frame_pose.h"
#include "render/frame_stats.h"
#include "render/renderer.h"
#include "shade/material.h"

#include <string.h>

/// Everything that the jobs of one frame share.
typedef struct frame_work {
    zt_renderer *renderer;
    frame_crew crew;
    arena *arena; ///< of the frame
    const zt_scene *scene;
    const zt_image *target;
    frame_pose pose;
    view view;
    geometry_frame geometry;
    geometry_view geometry_view;
    shade_frame shade;
    film_settings film;
    uint32_t material_count;
    int32_t tile_columns, tile_rows;
    tile_hashes hashes; ///< when they are asked for
    zt_stats *stats;
} frame_work;

/// Posed vertices of one run of vertices.
static void skin_run(frame_work *w, int64_t index, render_worker *mine)
{
    const uint64_t start = job_clock_ns();
    geometry_skin(&w->geometry, &w->renderer->kernels->geometry, index);
    mine->stage_ns[ZT_STAGE_SKIN] += job_clock_ns() - start;
}

/// The binned triangles of one run of meshlet batches.
static void geometry_run(frame_work *w, int64_t index, render_worker *mine)
{
    bin_run *run = &w->crew.runs[index];
    const int64_t batches = geometry_batch_count(&w->geometry);
    const int64_t first = batches * index / w->crew.run_count;
    const int64_t end = batches * (index + 1) / w->crew.run_count;
    const uint64_t start = job_clock_ns();
    for (int64_t batch = first; batch < end && run->failed == ZT_OK; batch++)
        if (!geometry_draw_batch(&w->geometry, &w->geometry_view, &w->renderer->kernels->geometry,
                                 batch, &run->bins))
            run->failed = run->arena.failed;
    mine->stage_ns[ZT_STAGE_GEOMETRY] += job_clock_ns() - start;
}

/// Pointers to the triangles that a list of one tile has, from all runs. NULL when memory ran out.
static const setup_triangle **tile_list(const frame_work *w, bin_list list, int64_t tile, arena *a,
                                        uint32_t *out_count)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < w->crew.run_count; i++)
        for (const bin_chunk *c = w->crew.runs[i].bins.head[list][tile]; c; c = c->next)
            count += c->count;
    const setup_triangle **all = ARENA_ARRAY_RAW(a, const setup_triangle *, count);
    *out_count = count;
    count = 0;
    for (int32_t i = 0; i < w->crew.run_count && all; i++)
        for (const bin_chunk *c = w->crew.runs[i].bins.head[list][tile]; c; c = c->next) {
            memcpy(all + count, c->triangle, c->count * sizeof *all);
            count += c->count;
        }
    return all;
}

/// The triangles of one tile, from all runs, small ones where they are. False when memory ran out.
static bool tile_triangles(const frame_work *w, int64_t tile, arena *a, tile_input *out)
{
    uint32_t runs = 0;
    *out = (tile_input){0};
    out->triangles = tile_list(w, BIN_SOLID, tile, a, &out->count);
    out->blended = tile_list(w, BIN_BLENDED, tile, a, &out->blended_count);
    for (int32_t i = 0; i < w->crew.run_count; i++)
        for (const bin_small_chunk *c = w->crew.runs[i].bins.small[tile]; c; c = c->next)
            runs++;
    raster_run *small = ARENA_ARRAY_RAW(a, raster_run, runs);
    if (!out->triangles || !out->blended || !small)
        return false;
    out->small = small;
    for (int32_t i = 0; i < w->crew.run_count; i++)
        for (const bin_small_chunk *c = w->crew.runs[i].bins.small[tile]; c; c = c->next)
            small[out->small_runs++] = (raster_run){c->triangle, c->count};
    return true;
}

static tile_rect tile_rect_of(const frame_work *w, int64_t tile)
{
    const int32_t x = (int32_t)(tile % w->tile_columns) * TILE_SIZE;
    const int32_t y = (int32_t)(tile / w->tile_columns) * TILE_SIZE;
    const int32_t right = w->target->width - x, below = w->target->height - y;
    return (tile_rect){x, y, right < TILE_SIZE ? right : TILE_SIZE,
                       below < TILE_SIZE ? below : TILE_SIZE};
}

/// The pixels of one tile.
static void tile_run(frame_work *w, int64_t index, render_worker *mine)
{
    const kernel_table *kernels = w->renderer->kernels;
    const tile_rect rect = tile_rect_of(w, index);
    tile_input input;
    tile_fragments fragments;
    tile_blend blend;
    arena_reset(&mine->tile_arena);
    const uint64_t start = job_clock_ns();
    if (!tile_triangles(w, index, &mine->tile_arena, &input)) {
        mine->failed = mine->tile_arena.failed;
        return;
    }
    tile_raster(&mine->tile, &kernels->raster, rect, &input,
                (raster_alpha_test){kernels->shade.alpha_test, &w->shade});
    tile_compact(&mine->tile, &kernels->raster, rect);
    if (!tile_fragments_build(&mine->tile, &kernels->raster, rect, &input, &mine->tile_arena,
                              &fragments)) {
        mine->failed = mine->tile_arena.failed;
        return;
    }
    const uint64_t visible = job_clock_ns();
    shade_tile(&mine->shade, &mine->tile, &kernels->shade, rect, &w->shade);
    if (!shade_fragments(&mine->shade, &mine->tile, &fragments, &kernels->shade, rect, &w->shade,
                         &mine->tile_arena, &blend)) {
        mine->failed = mine->tile_arena.failed;
        return;
    }
    const uint64_t shaded = job_clock_ns();
    film_tile(&mine->shade, &mine->tile, &blend, &kernels->shade, rect, &w->film, w->renderer->srgb,
              w->target);
    mine->stage_ns[ZT_STAGE_RASTER] += visible - start;
    mine->stage_ns[ZT_STAGE_SHADE] += shaded - visible;
    mine->stage_ns[ZT_STAGE_FILM] += job_clock_ns() - shaded;
    mine->pixels_shaded += (int64_t)mine->tile.visible_count + fragments.count;
    if (w->renderer->hash_stages)
        tile_hashes_set(&w->hashes, index, rect, &input, &mine->tile, &mine->shade, &blend);
}

/// Tile and shading buffers, made anew only when samples or materials change.
static zt_result prepare_worker(const frame_work *w, render_worker *mine, zt_error *err)
{
    mine->failed = ZT_OK;
    if (mine->buffers_samples == w->scene->samples && mine->buffers_materials == w->material_count)
        return ZT_OK;
    arena_reset(&mine->keep_arena);
    mine->buffers_samples = 0;
    ZT_TRY(tile_buffers_init(&mine->tile, &mine->keep_arena, w->scene->samples, err));
    ZT_TRY(shade_buffers_init(&mine->shade, &mine->keep_arena, w->scene->samples, w->material_count,
                              err));
    mine->buffers_samples = w->scene->samples;
    mine->buffers_materials = w->material_count;
    return ZT_OK;
}

static zt_result prepare_crew(frame_work *w, zt_error *err)
{
    const int64_t batches = geometry_batch_count(&w->geometry);
    if (w->crew.run_count > batches)
        w->crew.run_count = (int32_t)batches;
    for (int32_t i = 0; i < w->crew.worker_count; i++)
        ZT_TRY(prepare_worker(w, &w->crew.workers[i], err));
    for (int32_t i = 0; i < w->crew.run_count; i++) {
        bin_run *run = &w->crew.runs[i];
        run->failed = ZT_OK;
        ZT_TRY(bins_init(&run->bins, &run->arena, w->target->width, w->target->height, err));
    }
    return ZT_OK;
}

static zt_result crew_result(const frame_crew *crew, zt_error *err)
{
    zt_result failed = ZT_OK;
    for (int32_t i = 0; i < crew->run_count; i++)
        failed = failed != ZT_OK ? failed : crew->runs[i].failed;
    for (int32_t i = 0; i < crew->worker_count; i++)
        failed = failed != ZT_OK ? failed : crew->workers[i].failed;
    if (failed != ZT_OK)
        return zt_fail(err, failed, "a frame does not fit in memory (%s)", zt_result_name(failed));
    return ZT_OK;
}

/// Camera, materials, lights and film of this frame.
static zt_result prepare_view(frame_work *w, int64_t frame, zt_error *err)
{
    zt_renderer *r = w->renderer;
    const zt_scene *scene = w->scene;
    const double time_s = scene_time_of_frame(scene, frame);
    view_camera camera;
    scene_camera_at(scene, &r->framing, frame, w->pose.world_from_node,
                    (const model_property_value *const *)w->pose.properties, &camera);
    view_build(&camera, w->target->width, w->target->height, &w->view);
    ZT_TRY(frame_materials(scene, &w->pose, time_s, w->arena, &w->shade.materials,
                           &w->material_count, err));
    ZT_TRY(frame_lights(scene, &w->pose, time_s, w->arena, &w->shade, err));
    frame_film(scene, &w->film);
    w->shade.view = w->view.transform;
    memcpy(w->shade.origin, w->view.origin, sizeof w->shade.origin);
    memcpy(w->shade.ray, w->view.ray, sizeof w->shade.ray);
    memcpy(w->shade.ray_x, w->view.ray_x, sizeof w->shade.ray_x);
    memcpy(w->shade.ray_y, w->view.ray_y, sizeof w->shade.ray_y);
    memcpy(w->shade.forward, w->view.forward, sizeof w->shade.forward);
    w->shade.depth_range = w->view.depth_range;
    return ZT_OK;
}

static zt_result prepare_geometry(frame_work *w, zt_error *err)
{
    arena *a = w->arena;
    w->geometry = (geometry_frame){.draws = w->pose.draws,
                                   .draw_count = w->pose.draw_count,
                                   .posed_meshes = w->pose.posed_meshes,
                                   .posed_mesh_count = w->pose.posed_mesh_count};
    ZT_TRY(geometry_frame_init(&w->geometry, a, err));
    view_meshlet *meshlets = ARENA_ARRAY_RAW(a, view_meshlet, w->geometry.meshlet_count);
    if (!meshlets)
        return arena_fail(a, err, "meshlets of a frame");
    w->shade.meshlets = meshlets;
    bool needs_axes = false;
    for (uint32_t i = 0; i < w->pose.draw_count; i++)
        needs_axes = needs_axes || w->pose.draws[i].needs_axes;
    bind_axes *axes = needs_axes ? ARENA_ARRAY_RAW(a, bind_axes, w->geometry.meshlet_count) : NULL;
    if (needs_axes && !axes)
        return arena_fail(a, err, "meshlets of a frame");
    w->shade.axes = axes;
    uint8_t *flags = ARENA_ARRAY_RAW(a, uint8_t, w->material_count);
    if (!flags)
        return arena_fail(a, err, "materials of a frame");
    for (uint32_t i = 0; i < w->material_count; i++)
        flags[i] = shade_surface_flags(&w->shade.materials[i]);
    w->geometry_view = (geometry_view){.view = &w->view,
                                       .width = w->target->width,
                                       .height = w->target->height,
                                       .sample_count = w->scene->samples,
                                       .surface_flags = flags,
                                       .meshlets = meshlets,
                                       .axes = axes};
    w->tile_columns = (w->target->width + TILE_SIZE - 1) / TILE_SIZE;
    w->tile_rows = (w->target->height + TILE_SIZE - 1) / TILE_SIZE;
    if (w->renderer->hash_stages)
        return tile_hashes_init(&w->hashes, a, (size_t)w->tile_columns * (size_t)w->tile_rows, err);
    return ZT_OK;
}

/// A stage as a parallel loop.
typedef struct stage_loop {
    frame_work *work;
    void (*run)(frame_work *w, int64_t index, render_worker *mine);
    int64_t count;
} stage_loop;

static bool frame_cancelled(const frame_work *w)
{
    return atomic_load_explicit(&w->renderer->cancelled, memory_order_relaxed);
}

static void stage_job(void *user, int64_t turn, int32_t worker)
{
    const stage_loop *loop = user;
    frame_work *w = loop->work;
    if (!frame_cancelled(w))
        loop->run(w, job_order_at(w->renderer->order, turn, loop->count), &w->crew.workers[worker]);
}

static zt_result run_stage(frame_work *w, void (*run)(frame_work *, int64_t, render_worker *),
                           int64_t count, zt_error *err)
{
    stage_loop loop = {w, run, count};
    if (w->crew.pool)
        job_pool_run(w->crew.pool, count, stage_job, &loop);
    for (int64_t i = 0; i < count && !w->crew.pool; i++)
        stage_job(&loop, i, 0);
    return crew_result(&w->crew, err);
}

static zt_result run_stages(frame_work *w, zt_error *err)
{
    ZT_TRY(run_stage(w, skin_run, w->geometry.skin_job_count, err));
    ZT_TRY(run_stage(w, geometry_run, w->crew.run_count, err));
    return run_stage(w, tile_run, (int64_t)w->tile_columns * w->tile_rows, err);
}

static void collect_stats(frame_work *w)
{
    zt_stats *stats = w->stats;
    stats->frames++;
    stats->vertices += (int64_t)w->geometry.vertex_count;
    stats->triangles += (int64_t)w->geometry.triangle_count;
    uint64_t memory = w->arena->used;
    for (int32_t i = 0; i < w->crew.run_count; i++) {
        stats->triangles_drawn += (int64_t)w->crew.runs[i].bins.triangle_count;
        memory += w->crew.runs[i].arena.used;
    }
    for (int32_t i = 0; i < w->crew.worker_count; i++) {
        render_worker *mine = &w->crew.workers[i];
        stats->pixels_shaded += mine->pixels_shaded;
        mine->pixels_shaded = 0;
        memory += mine->tile_arena.used + mine->keep_arena.used;
        for (int s = 0; s < ZT_STAGE_COUNT; s++) {
            stats->stage_ns[s] += mine->stage_ns[s];
            mine->stage_ns[s] = 0;
        }
    }
    stats->frame_memory = memory * (1u + (uint64_t)w->crew.frames_beside);
    if (w->renderer->hash_stages)
        frame_hashes(&w->hashes, &w->geometry, w->target, stats->hash);
}

static zt_result check_target(const zt_scene *scene, const zt_image *target, zt_error *err)
{
    if (!target || !target->rgba8 || target->width != scene->width ||
        target->height != scene->height || target->stride < (size_t)target->width * 4)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target picture is not %dx%d RGBA8",
                       (int)scene->width, (int)scene->height);
    return ZT_OK;
}

static zt_result run_frame(frame_work *w, int64_t frame, zt_error *err)
{
    const uint64_t start = job_clock_ns();
    ZT_TRY(frame_pose_find(&w->renderer->kernels->pose, w->scene, frame, w->arena, &w->pose, err));
    ZT_TRY(prepare_view(w, frame, err));
    ZT_TRY(prepare_geometry(w, err));
    ZT_TRY(prepare_crew(w, err));
    w->stats->stage_ns[ZT_STAGE_POSE] += job_clock_ns() - start;
    ZT_TRY(run_stages(w, err));
    if (frame_cancelled(w))
        return zt_fail(err, ZT_ERR_CANCELLED, "cancelled");
    collect_stats(w);
    return ZT_OK;
}

/// Empties the arenas of the frame, done or failed: what they held counts against the budget no
/// longer, and what they grew by is in one block before the next frame begins. Which worker met the
/// tile with most triangles is chance, so all get room for it.
static void finish_frame(frame_work *w)
{
    size_t room = 0;
    arena_reset(w->arena);
    for (int32_t i = 0; i < w->crew.run_count; i++)
        arena_reset(&w->crew.runs[i].arena);
    for (int32_t i = 0; i < w->crew.worker_count; i++) {
        arena *a = &w->crew.workers[i].tile_arena;
        arena_reset(a);
        room = arena_room(a) > room ? arena_room(a) : room;
    }
    for (int32_t i = 0; i < w->crew.worker_count; i++)
        arena_reserve(&w->crew.workers[i].tile_arena, room);
}

zt_result frame_draw(zt_renderer *r, const frame_crew *crew, const zt_scene *scene, int64_t frame,
                     const zt_image *target, zt_stats *out_stats, zt_error *err)
{
    frame_work work = {.renderer = r,
                       .crew = *crew,
                       .arena = &crew->workers[0].frame_arena,
                       .scene = scene,
                       .target = target,
                       .stats = out_stats};
    const uint64_t saved = float_state_enter();
    const zt_result result = run_frame(&work, frame, err);
    finish_frame(&work);
    float_state_leave(saved);
    return result;
}

zt_result zt_render(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                    const zt_image *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render: no renderer or no scene");
    ZT_TRY(check_target(scene, target, err));
    ZT_TRY(renderer_find_framing(renderer, scene, err));
    zt_stats stats = {0};
    frame_crew crew = renderer_crew(renderer);
    zt_result result = frame_draw(renderer, &crew, scene, frame, target, &stats, err);
    if (result == ZT_ERR_LIMIT && crew.worker_count > 1) {
        // Workers need memory of their own; whether a frame fits must not depend on their number.
        renderer_release(renderer);
        crew = renderer_lone_worker(renderer, 0);
        result = frame_draw(renderer, &crew, scene, frame, target, &stats, err);
    }
    renderer_begin_turns(renderer);
    if (result == ZT_OK)
        renderer_add_stats(renderer, &stats, 0);
    return result;
}
