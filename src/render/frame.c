// SPDX-License-Identifier: MIT
// One frame, from a scene and a time to 8-bit pixels. Read this first: zt_render below is the
// pipeline, each step of it a stage whose input and output are types that can be named.
//
//   scene, time --pose--> draws (meshes with matrices)         pose/, frame_pose.c
//   draws --skin--> posed vertices, once per frame             geometry/
//   posed vertices, view --geometry--> binned triangles        geometry/
//   binned triangles --raster--> visible items of a tile       raster/
//   items --shade--> linear colours --film--> pixels           shade/
//
// Threads enter here only, as parallel loops over vertex runs, meshlet batches and tiles; every job
// writes what belongs to its index or its worker, so their number never reaches a pixel.
#include "render/frame_pose.h"
#include "render/frame_stats.h"
#include "render/renderer.h"

#include <string.h>

/// Everything that the jobs of one frame share.
typedef struct frame_work {
    zt_renderer *renderer;
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
    uint64_t *tile_hash[ZT_STAGE_COUNT]; ///< per tile, when hashes are asked for
} frame_work;

static bool frame_cancelled(const frame_work *w)
{
    return atomic_load_explicit(&w->renderer->cancelled, memory_order_relaxed);
}

static void skin_run(void *user, int64_t index, int32_t worker)
{
    frame_work *w = user;
    const uint64_t start = job_clock_ns();
    geometry_skin(&w->geometry, w->renderer->kernels, index);
    w->renderer->workers[worker].stage_ns[ZT_STAGE_SKIN] += job_clock_ns() - start;
}

static void geometry_run(void *user, int64_t index, int32_t worker)
{
    frame_work *w = user;
    if (frame_cancelled(w))
        return;
    render_worker *mine = &w->renderer->workers[worker];
    const uint64_t start = job_clock_ns();
    if (!geometry_draw_batch(&w->geometry, &w->geometry_view, w->renderer->kernels, index,
                             &mine->bins))
        mine->failed = mine->bin_arena.failed;
    mine->stage_ns[ZT_STAGE_GEOMETRY] += job_clock_ns() - start;
}

/// All workers' triangles of one tile in one array; NULL when memory ran out.
static const setup_triangle *const *tile_triangles(const frame_work *w, int64_t tile, arena *a,
                                                   uint32_t *out_count)
{
    const zt_renderer *r = w->renderer;
    uint32_t count = 0;
    for (int32_t i = 0; i < r->worker_count; i++)
        for (const bin_chunk *c = r->workers[i].bins.head[tile]; c; c = c->next)
            count += c->count;
    const setup_triangle **all = ARENA_ARRAY_RAW(a, const setup_triangle *, count);
    if (!all)
        return NULL;
    uint32_t at = 0;
    for (int32_t i = 0; i < r->worker_count; i++) {
        for (const bin_chunk *c = r->workers[i].bins.head[tile]; c; c = c->next) {
            memcpy(all + at, c->triangle, c->count * sizeof *all);
            at += c->count;
        }
    }
    *out_count = count;
    return all;
}

static tile_rect tile_rect_of(const frame_work *w, int64_t tile)
{
    const int32_t x = (int32_t)(tile % w->tile_columns) * TILE_SIZE;
    const int32_t y = (int32_t)(tile / w->tile_columns) * TILE_SIZE;
    const int32_t right = w->target->width - x, below = w->target->height - y;
    return (tile_rect){x, y, right < TILE_SIZE ? right : TILE_SIZE,
                       below < TILE_SIZE ? below : TILE_SIZE};
}

static void tile_run(void *user, int64_t index, int32_t worker)
{
    frame_work *w = user;
    if (frame_cancelled(w))
        return;
    render_worker *mine = &w->renderer->workers[worker];
    const kernel_table *kernels = w->renderer->kernels;
    const tile_rect rect = tile_rect_of(w, index);
    uint32_t count = 0;
    arena_reset(&mine->tile_arena);
    const uint64_t start = job_clock_ns();
    const setup_triangle *const *triangles = tile_triangles(w, index, &mine->tile_arena, &count);
    if (!triangles) {
        mine->failed = mine->tile_arena.failed;
        return;
    }
    tile_raster(&mine->tile, kernels, rect, triangles, count, &w->shade);
    tile_list_items(&mine->tile, rect);
    const uint64_t visible = job_clock_ns();
    shade_tile(&mine->shade, &mine->tile, kernels, &w->shade);
    const uint64_t shaded = job_clock_ns();
    film_tile(&mine->shade, &mine->tile, kernels, rect, &w->film, w->renderer->srgb, w->target);
    mine->stage_ns[ZT_STAGE_RASTER] += visible - start;
    mine->stage_ns[ZT_STAGE_SHADE] += shaded - visible;
    mine->stage_ns[ZT_STAGE_FILM] += job_clock_ns() - shaded;
    mine->pixels_shaded += mine->tile.item_count;
    if (w->renderer->hash_stages) {
        w->tile_hash[ZT_STAGE_RASTER][index] =
            mine->tile.touched ? stage_hash_visibility(&mine->tile) : 0;
        w->tile_hash[ZT_STAGE_SHADE][index] =
            stage_hash_bytes(mine->shade.color, mine->tile.item_count * sizeof *mine->shade.color);
    }
}

/// Tile and shading buffers of every worker, made anew only when samples or materials grow.
static zt_result prepare_workers(frame_work *w, zt_error *err)
{
    zt_renderer *r = w->renderer;
    for (int32_t i = 0; i < r->worker_count; i++) {
        render_worker *mine = &r->workers[i];
        mine->failed = ZT_OK;
        if (mine->buffers_samples != w->scene->samples ||
            mine->buffers_materials != w->material_count) {
            arena_reset(&mine->keep_arena);
            mine->buffers_samples = 0;
            ZT_TRY(tile_buffers_init(&mine->tile, &mine->keep_arena, w->scene->samples, err));
            ZT_TRY(shade_buffers_init(&mine->shade, &mine->keep_arena, w->scene->samples,
                                      w->material_count, err));
            mine->buffers_samples = w->scene->samples;
            mine->buffers_materials = w->material_count;
        }
        arena_reset(&mine->bin_arena);
        ZT_TRY(bins_init(&mine->bins, &mine->bin_arena, w->target->width, w->target->height, err));
    }
    return ZT_OK;
}

static zt_result workers_result(const zt_renderer *r, zt_error *err)
{
    for (int32_t i = 0; i < r->worker_count; i++)
        if (r->workers[i].failed != ZT_OK)
            return zt_fail(err, r->workers[i].failed, "a frame does not fit in memory (%s)",
                           zt_result_name(r->workers[i].failed));
    return ZT_OK;
}

/// Camera, materials, lights and film of this frame.
static zt_result prepare_view(frame_work *w, int64_t frame, zt_error *err)
{
    zt_renderer *r = w->renderer;
    const zt_scene *scene = w->scene;
    const double time_s = scene_time_of_frame(scene, frame);
    view_camera camera;
    scene_camera_at(scene, &r->framing, frame, w->pose.world_from_node, &camera);
    view_build(&camera, w->target->width, w->target->height, &w->view);
    ZT_TRY(frame_materials(scene, &w->pose, &r->frame_arena, &w->shade.materials,
                           &w->material_count, err));
    ZT_TRY(frame_lights(scene, &w->pose, time_s, &r->frame_arena, &w->shade, err));
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
    arena *a = &w->renderer->frame_arena;
    ZT_TRY(geometry_frame_init(&w->geometry, w->pose.draws, w->pose.draw_count, a, err));
    shade_meshlet *meshlets = ARENA_ARRAY_RAW(a, shade_meshlet, w->geometry.meshlet_count);
    if (!meshlets)
        return arena_fail(a, err, "meshlets of a frame");
    w->shade.meshlets = meshlets;
    w->geometry_view = (geometry_view){.view = &w->view,
                                       .width = w->target->width,
                                       .height = w->target->height,
                                       .sample_count = w->scene->samples,
                                       .materials = w->shade.materials,
                                       .meshlets = meshlets};
    w->tile_columns = (w->target->width + TILE_SIZE - 1) / TILE_SIZE;
    w->tile_rows = (w->target->height + TILE_SIZE - 1) / TILE_SIZE;
    const size_t tiles = (size_t)w->tile_columns * (size_t)w->tile_rows;
    for (int s = ZT_STAGE_RASTER; s <= ZT_STAGE_SHADE && w->renderer->hash_stages; s++) {
        w->tile_hash[s] = ARENA_ARRAY(a, uint64_t, tiles);
        if (!w->tile_hash[s])
            return arena_fail(a, err, "hashes of tiles");
    }
    return ZT_OK;
}

static void run_stages(frame_work *w)
{
    zt_renderer *r = w->renderer;
    job_pool_run(r->pool, w->geometry.skin_job_count, skin_run, w);
    job_pool_run(r->pool, geometry_batch_count(&w->geometry), geometry_run, w);
    for (int32_t i = 0; i < r->worker_count; i++)
        if (r->workers[i].failed != ZT_OK)
            return;
    job_pool_run(r->pool, (int64_t)w->tile_columns * w->tile_rows, tile_run, w);
}

static void collect_stats(frame_work *w)
{
    zt_renderer *r = w->renderer;
    r->stats.frames++;
    r->stats.vertices += (int64_t)w->geometry.vertex_count;
    r->stats.triangles += (int64_t)w->geometry.triangle_count;
    uint64_t memory = r->frame_arena.used;
    for (int32_t i = 0; i < r->worker_count; i++) {
        render_worker *mine = &r->workers[i];
        r->stats.triangles_drawn += (int64_t)mine->bins.triangle_count;
        r->stats.pixels_shaded += mine->pixels_shaded;
        mine->pixels_shaded = 0;
        memory += mine->bin_arena.used + mine->tile_arena.used + mine->keep_arena.used;
        for (int s = 0; s < ZT_STAGE_COUNT; s++) {
            r->stats.stage_ns[s] += mine->stage_ns[s];
            mine->stage_ns[s] = 0;
        }
    }
    r->stats.frame_memory = memory > r->stats.frame_memory ? memory : r->stats.frame_memory;
    if (!r->hash_stages)
        return;
    const size_t tiles = (size_t)w->tile_columns * (size_t)w->tile_rows * sizeof(uint64_t);
    r->stats.stage_hash[ZT_STAGE_POSE] = stage_hash_palettes(&w->geometry);
    r->stats.stage_hash[ZT_STAGE_SKIN] = stage_hash_vertices(&w->geometry);
    r->stats.stage_hash[ZT_STAGE_GEOMETRY] = stage_hash_geometry(&w->geometry, w->shade.meshlets);
    for (int s = ZT_STAGE_RASTER; s <= ZT_STAGE_SHADE; s++)
        r->stats.stage_hash[s] = stage_hash_bytes(w->tile_hash[s], tiles);
    r->stats.stage_hash[ZT_STAGE_FILM] = zt_image_hash(w->target);
}

static zt_result find_framing(zt_renderer *r, const zt_scene *scene, zt_error *err)
{
    if (r->framed_scene == scene && r->framed_stamp == scene->edit_stamp)
        return ZT_OK;
    r->framed_scene = NULL;
    ZT_TRY(scene_framing_find(scene, r->pool, &r->budget, &r->framing, err));
    r->framed_scene = scene;
    r->framed_stamp = scene->edit_stamp;
    return ZT_OK;
}

static zt_result check_target(const zt_scene *scene, const zt_image *target, zt_error *err)
{
    if (!target || !target->rgba8 || target->width != scene->width ||
        target->height != scene->height || target->stride < (size_t)target->width * 4)
        return zt_fail(err, ZT_ERR_ARGUMENT, "the target picture is not %dx%d RGBA8",
                       (int)scene->width, (int)scene->height);
    return ZT_OK;
}

static zt_result render_frame(frame_work *w, int64_t frame, zt_error *err)
{
    zt_renderer *r = w->renderer;
    const uint64_t begin = job_clock_ns();
    ZT_TRY(find_framing(r, w->scene, err));
    const uint64_t start = job_clock_ns();
    r->stats.stage_ns[ZT_STAGE_FRAMING] += start - begin;
    arena_reset(&r->frame_arena);
    ZT_TRY(frame_pose_find(w->scene, frame, &r->frame_arena, &w->pose, err));
    ZT_TRY(prepare_view(w, frame, err));
    ZT_TRY(prepare_geometry(w, err));
    ZT_TRY(prepare_workers(w, err));
    r->stats.stage_ns[ZT_STAGE_POSE] += job_clock_ns() - start;
    run_stages(w);
    ZT_TRY(workers_result(r, err));
    if (frame_cancelled(w))
        return zt_fail(err, ZT_ERR_CANCELLED, "cancelled");
    collect_stats(w);
    return ZT_OK;
}

/// Empties the arenas of the frame, done or failed: what they held counts against the budget no
/// longer, and what they grew by is in one block before the next frame begins.
static void finish_frame(zt_renderer *r)
{
    arena_reset(&r->frame_arena);
    for (int32_t i = 0; i < r->worker_count; i++) {
        arena_reset(&r->workers[i].bin_arena);
        arena_reset(&r->workers[i].tile_arena);
    }
}

zt_result zt_render(zt_renderer *renderer, const zt_scene *scene, int64_t frame,
                    const zt_image *target, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render: no renderer or no scene");
    ZT_TRY(check_target(scene, target, err));
    frame_work work = {.renderer = renderer, .scene = scene, .target = target};
    const uint64_t saved = float_state_enter();
    const zt_result result = render_frame(&work, frame, err);
    finish_frame(renderer);
    float_state_leave(saved);
    return result;
}
