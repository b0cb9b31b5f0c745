// SPDX-License-Identifier: MIT
// The stages of one view: posed vertices -> triangles by tile -> samples and fragments -> planes.
#include "render/view_pass.h"

#include "render/shadow_pass.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    SAVED_TILES_MAX = 1024, ///< 32 MiB; larger pictures draw tiles twice
};

/// The view's transform and the rays of its pixels, for shading.
static void set_rays(const view *v, shade_frame *out)
{
    out->view = v->transform;
    memcpy(out->origin, v->origin, sizeof out->origin);
    memcpy(out->ray, v->ray, sizeof out->ray);
    memcpy(out->ray_x, v->ray_x, sizeof out->ray_x);
    memcpy(out->ray_y, v->ray_y, sizeof out->ray_y);
    memcpy(out->forward, v->forward, sizeof out->forward);
    out->depth_range = v->depth_range;
}

/// The table by meshlet that geometry fills for visible meshlets.
static zt_result init_geometry(view_pass *pass, zt_error *err)
{
    arena *a = pass->shared->arena;
    const geometry_frame *geometry = pass->shared->geometry;
    pass->geometry = (geometry_view){
        .view = &pass->view,
        .width = pass->target.width,
        .height = pass->target.height,
        .sample_count = pass->sample_count,
        .depth_only = pass->shadow_map != NULL,
        .widths = point_line_widths_of(&pass->view, pass->target.width, pass->target.height),
        .surface_flags = pass->shared->surface_flags,
        .homogeneous = ARENA_ARRAY_RAW(a, homogeneous_vertices, geometry->meshlet_count),
    };
    if (!pass->geometry.homogeneous)
        return arena_fail(a, err, "meshlets of a frame");
    pass->shade.surfaces.homogeneous = pass->geometry.homogeneous;
    return ZT_OK;
}

zt_result view_pass_init(view_pass *pass, const view_camera *camera, int32_t run_count,
                         zt_error *err)
{
    arena *a = pass->shared->arena;
    view_build(camera, pass->target.width, pass->target.height, &pass->view);
    set_rays(&pass->view, &pass->shade);
    pass->shade.surfaces.meshlets = pass->shared->geometry->meshlets;
    pass->tile_columns = (pass->target.width + TILE_SIZE - 1) / TILE_SIZE;
    pass->tile_rows = (pass->target.height + TILE_SIZE - 1) / TILE_SIZE;
    pass->run_count = run_count;
    if (pass->same_view) {
        pass->bins = pass->same_view->bins;
        pass->shade.surfaces.homogeneous = pass->same_view->shade.surfaces.homogeneous;
    } else {
        ZT_TRY(init_geometry(pass, err));
        pass->bins = ARENA_ARRAY(a, bins, (size_t)run_count);
    }
    if (!pass->bins)
        return arena_fail(a, err, "tile lists");
    if (pass->shared->hash_stages)
        return tile_hashes_init(&pass->hashes, a, (size_t)view_pass_tile_count(pass), err);
    return ZT_OK;
}

bool view_pass_bin(view_pass *pass, int32_t index, arena *a)
{
    const geometry_frame *geometry = pass->shared->geometry;
    const int64_t batches = geometry_batch_count(geometry);
    const int64_t first = batches * index / pass->run_count;
    const int64_t end = batches * (index + 1) / pass->run_count;
    if (bins_init(&pass->bins[index], a, pass->target.width, pass->target.height, NULL) != ZT_OK)
        return false;
    for (int64_t batch = first; batch < end; batch++)
        if (!geometry_draw_batch(geometry, &pass->geometry, pass->shared->kernels->geometry, batch,
                                 &pass->bins[index]))
            return false;
    return true;
}

/// Pointers to the triangles of one list of a tile, from all runs; NULL if there are none. False
/// when memory ran out.
static bool gather_list(const view_pass *pass, bin_list list, int64_t tile, arena *a,
                        const setup_triangle *const **out_triangles, uint32_t *out_count)
{
    uint32_t count = 0;
    for (int32_t i = 0; i < pass->run_count; i++)
        for (const bin_chunk *c = pass->bins[i].head[list][tile]; c; c = c->next)
            count += c->count;
    *out_triangles = NULL;
    *out_count = count;
    if (count == 0)
        return true;
    const setup_triangle **all = ARENA_ARRAY_RAW(a, const setup_triangle *, count);
    *out_triangles = all;
    count = 0;
    for (int32_t i = 0; i < pass->run_count && all; i++)
        for (const bin_chunk *c = pass->bins[i].head[list][tile]; c; c = c->next) {
            memcpy(all + count, c->triangle, c->count * sizeof *all);
            count += c->count;
        }
    return all != NULL;
}

/// The runs of small triangles of a tile. False when memory ran out.
static bool gather_small(const view_pass *pass, int64_t tile, arena *a, tile_input *out)
{
    uint32_t count[BIN_SMALL_LISTS] = {0};
    for (int list = 0; list < BIN_SMALL_LISTS; list++)
        for (int32_t i = 0; i < pass->run_count; i++)
            for (const bin_small_chunk *c = pass->bins[i].small[list][tile]; c; c = c->next)
                count[list]++;
    out->small_runs = count[BIN_SMALL_FIRST] + count[BIN_SMALL_BEHIND];
    out->small_behind = count[BIN_SMALL_BEHIND];
    if (out->small_runs == 0)
        return true;
    small_triangle_run *run = ARENA_ARRAY_RAW(a, small_triangle_run, out->small_runs);
    out->small = run;
    for (int list = 0; list < BIN_SMALL_LISTS && run; list++)
        for (int32_t i = 0; i < pass->run_count; i++)
            for (const bin_small_chunk *c = pass->bins[i].small[list][tile]; c; c = c->next)
                *run++ = (small_triangle_run){c->triangle, c->count};
    return run != NULL;
}

bool view_pass_gather(const view_pass *pass, int64_t tile, arena *a, tile_input *out)
{
    const bool layers = !pass->behind || pass->film.draws_behind;
    *out = (tile_input){0};
    return gather_list(pass, BIN_OPAQUE, tile, a, &out->triangles, &out->count) &&
           (!layers ||
            gather_list(pass, BIN_BLENDED, tile, a, &out->blended, &out->blended_count)) &&
           gather_small(pass, tile, a, out);
}

tile_rect view_pass_rect(const view_pass *pass, int64_t tile)
{
    const int32_t x = (int32_t)(tile % pass->tile_columns) * TILE_SIZE;
    const int32_t y = (int32_t)(tile / pass->tile_columns) * TILE_SIZE;
    const int32_t columns = pass->target.width - x, rows = pass->target.height - y;
    return (tile_rect){x, y, columns < TILE_SIZE ? columns : TILE_SIZE,
                       rows < TILE_SIZE ? rows : TILE_SIZE};
}

zt_result view_pass_save_tiles(view_pass *pass, bool opaque, arena *a, zt_error *err)
{
    const int64_t count = view_pass_tile_count(pass);
    const bool depth = !opaque || pass->target.depth || pass->shared->hash_stages;
    if (pass->sample_count != 1 || count > SAVED_TILES_MAX)
        return ZT_OK;
    pass->saved.id = ARENA_ARRAY_RAW(a, uint32_t, (size_t)count * TILE_PIXELS);
    if (depth)
        pass->saved.depth = ARENA_ARRAY_RAW(a, float, (size_t)count *TILE_PIXELS);
    if (!pass->saved.id || (depth && !pass->saved.depth))
        return arena_fail(a, err, "tiles of a frame");
    return ZT_OK;
}

/// Where the visibility of a tile is drawn: into the saved ones, or `own`.
static raster_tile visibility_of(const view_pass *pass, int64_t index, raster_tile own)
{
    if (pass->saved.id)
        own.id = pass->saved.id + index * TILE_PIXELS;
    if (pass->saved.depth)
        own.depth = pass->saved.depth + index * TILE_PIXELS;
    return own;
}

/// Triangles of the tile -> visible samples and fragments. False when memory ran out or the work is
/// cancelled.
static bool raster_pixels(const view_pass *pass, tile_rect rect, render_worker *worker,
                          const tile_input *input, tile_fragments *out_fragments)
{
    const raster_loops *loops = pass->shared->kernels->raster;
    const raster_alpha_test alpha_test = {pass->shared->kernels->shade->alpha_test, &pass->shade};
    if (pass->saved.id)
        worker->tile.touched = tile_is_touched(input);
    else if (!tile_raster(&worker->tile, loops, rect, input, alpha_test, &worker->tile_arena))
        return false;
    tile_compact(&worker->tile, loops, rect);
    return tile_fragments_build(&worker->tile, loops, rect, input, &worker->tile_arena,
                                out_fragments);
}

static film_stage film_stage_of(const view_pass *pass)
{
    const kernel_table *kernels = pass->shared->kernels;
    return (film_stage){kernels->shade, kernels->film, &pass->shade, &pass->film};
}

/// Visible samples and fragments -> linear colours, blended. False when memory ran out or the work
/// is cancelled.
static bool shade_pixels(const film_stage *stage, tile_rect rect, render_worker *worker,
                         const tile_fragments *fragments, tile_blend *out)
{
    const bool shaded = shade_tile(&worker->shade, &worker->tile, stage->shade_loops, rect,
                                   stage->frame, &worker->tile_arena) &&
                        film_blend_tile(&worker->shade, &worker->tile, fragments, stage, rect,
                                        &worker->tile_arena, out);
    if (shaded)
        render_worker_lap(worker, ZT_STAGE_SHADE);
    return shaded;
}

/// The colour of the tile's pixels. False when memory ran out or the work is cancelled.
static bool color_pixels(view_pass *pass, int64_t index, tile_rect rect, render_worker *worker,
                         const tile_input *input, const tile_fragments *fragments)
{
    const film_stage stage = film_stage_of(pass);
    tile_blend blend;
    if (!shade_pixels(&stage, rect, worker, fragments, &blend) ||
        !film_tile(&worker->shade, &worker->tile, &blend, &stage, rect, pass->shared->srgb,
                   &worker->tile_arena, &pass->target.color8))
        return false;
    render_worker_lap(worker, ZT_STAGE_FILM);
    worker->pixels_shaded += (int64_t)worker->tile.visible_count + fragments->count;
    if (pass->shared->hash_stages)
        tile_hashes_set(&pass->hashes, index, rect, input, &worker->tile, &worker->shade, &blend);
    return true;
}

/// Visible samples, and the fragments that belong to it -> level 0 of the picture behind glass.
/// False when memory ran out or the work is cancelled.
static bool behind_pixels(view_pass *pass, tile_rect rect, render_worker *worker,
                          const tile_fragments *fragments)
{
    const film_stage stage = film_stage_of(pass);
    const behind_level *level = &pass->behind->level[0];
    const size_t first = (size_t)rect.y * (size_t)level->width + (size_t)rect.x;
    tile_blend blend;
    if (!shade_pixels(&stage, rect, worker, fragments, &blend))
        return false;
    stage.loops->behind_resolve(&(behind_resolve_job){
        .tile = worker->tile.visibility,
        .visible = &worker->tile.visible,
        .color = worker->shade.color,
        .blocks = worker->tile.touched ? worker->tile.blocks : NULL,
        .blended = (const float(*)[4])blend.color,
        .blended_unlit = (const float(*)[4])blend.unlit,
        .through = (const float(*)[4])blend.through,
        .blended_pixels = blend.pixels,
        .width = rect.width,
        .height = rect.height,
        .sample_count = pass->sample_count,
        .out = level->color + first,
        .out_unlit = level->unlit ? level->unlit + first : NULL,
        .out_nearness = level->nearness + first,
        .stride = (size_t)level->width,
    });
    render_worker_lap(worker, ZT_STAGE_SHADE);
    worker->pixels_shaded += (int64_t)worker->tile.visible_count;
    return true;
}

bool view_pass_depth(const view_pass *pass, int64_t index, render_worker *worker,
                     tile_buffers *out_tile, tile_rect *out_rect)
{
    const kernel_table *kernels = pass->shared->kernels;
    const raster_alpha_test alpha_test = {kernels->shade->alpha_test, &pass->shade};
    tile_input input;
    arena_reset(&worker->tile_arena);
    *out_tile = worker->tile;
    out_tile->sample_count = 1;
    out_tile->visibility = visibility_of(pass, index, worker->tile.visibility);
    *out_rect = view_pass_rect(pass, index);
    if (!view_pass_gather(pass, index, &worker->tile_arena, &input))
        return false;
    if (!pass->saved.id) {
        input.blended_count = 0; // they draw nothing; in a saved tile they are drawn later
        out_tile->visibility.id = NULL;
    }
    return tile_raster(out_tile, kernels->raster, *out_rect, &input, alpha_test,
                       &worker->tile_arena);
}

/// A tile of a pass of the camera. False when memory ran out or the work is cancelled.
static bool camera_tile(view_pass *pass, int64_t index, render_worker *worker)
{
    const tile_rect rect = view_pass_rect(pass, index);
    tile_input input;
    tile_fragments fragments;
    arena_reset(&worker->tile_arena);
    worker->tile.sample_count = pass->sample_count;
    if (!view_pass_gather(pass, index, &worker->tile_arena, &input) ||
        !raster_pixels(pass, rect, worker, &input, &fragments))
        return false;
    if (pass->target.depth)
        film_depth(&worker->tile, rect, &pass->target);
    render_worker_lap(worker, ZT_STAGE_RASTER);
    if (pass->behind)
        return behind_pixels(pass, rect, worker, &fragments);
    return !(picture_planes_present(&pass->target) & PICTURE_PLANES_SHADED) ||
           color_pixels(pass, index, rect, worker, &input, &fragments);
}

bool view_pass_tile(view_pass *pass, int64_t index, render_worker *worker)
{
    if (pass->shadow_map)
        return shadow_pass_tile(pass, index, worker);
    const raster_tile own = worker->tile.visibility;
    worker->tile.visibility = visibility_of(pass, index, own);
    const bool drawn = camera_tile(pass, index, worker);
    worker->tile.visibility = own;
    return drawn;
}
