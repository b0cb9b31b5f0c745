// SPDX-License-Identifier: MIT
// The tiles of a camera: triangles -> samples and fragments -> planes.
#include "render/camera_pass.h"

zt_result camera_pass_init(camera_pass *pass, const view_camera *camera, int32_t run_count,
                           zt_error *err)
{
    ZT_TRY(view_pass_init(&pass->view, camera, run_count, err));
    pass->shade.view = pass->view.view;
    pass->shade.surfaces =
        (surface_view){pass->view.shared->geometry->meshlets, pass->view.geometry.homogeneous};
    if (!pass->shared->hash_stages)
        return ZT_OK;
    return tile_hashes_init(&pass->hashes, pass->view.shared->arena,
                            (size_t)view_pass_tile_count(&pass->view), err);
}

static raster_alpha_test alpha_test_of(const camera_pass *pass)
{
    return (raster_alpha_test){pass->shared->kernels->shade->alpha_test, &pass->shade};
}

/// Triangles of the tile -> visible samples and fragments. False: no memory, or cancelled.
static bool raster_pixels(const camera_pass *pass, tile_rect rect, render_worker *worker,
                          const tile_input *input, tile_fragments *out_fragments)
{
    const raster_loops *loops = pass->shared->kernels->raster;
    const raster_alpha_test alpha_test = alpha_test_of(pass);
    if (pass->view.saved.id)
        worker->tile.touched = tile_is_touched(input);
    else if (!tile_raster(&worker->tile, loops, rect, input, alpha_test, &worker->tile_arena))
        return false;
    tile_compact(&worker->tile, loops, rect);
    return tile_fragments_build(&worker->tile, loops, rect, input, alpha_test, &worker->tile_arena,
                                out_fragments);
}

static film_stage film_stage_of(const camera_pass *pass)
{
    const kernel_table *kernels = pass->shared->kernels;
    return (film_stage){kernels->shade, kernels->film, &pass->shade, &pass->film,
                        pass->target.color8.rgba8 ? pass->shared->srgb : NULL};
}

/// Visible samples and fragments -> linear colours, blended. False: no memory, or cancelled.
static bool shade_pixels(const camera_pass *pass, const film_stage *stage, tile_rect rect,
                         render_worker *worker, const tile_fragments *fragments, tile_blend *out)
{
    const bool light = pass->behind || pass->target.color || pass->shared->hash_stages;
    const bool shaded = shade_tile(&worker->shade, &worker->tile, stage->shade_loops, rect,
                                   stage->frame, &worker->tile_arena) &&
                        film_blend_tile(&worker->shade, &worker->tile, fragments, stage, light,
                                        rect, &worker->tile_arena, out);
    if (shaded)
        render_worker_lap(worker, ZT_STAGE_SHADE);
    return shaded;
}

/// The colour of the tile's pixels. False when memory ran out or the work is cancelled.
static bool color_pixels(camera_pass *pass, int64_t index, tile_rect rect, render_worker *worker,
                         const tile_input *input, const tile_fragments *fragments)
{
    const film_stage stage = film_stage_of(pass);
    tile_blend blend;
    if (!shade_pixels(pass, &stage, rect, worker, fragments, &blend))
        return false;
    if (pass->target.color8.rgba8 && !film_tile(&worker->shade, &worker->tile, &blend, &stage, rect,
                                                &worker->tile_arena, &pass->target.color8))
        return false;
    if (pass->target.color && !film_color(&worker->shade, &worker->tile, &blend, &stage, rect,
                                          &worker->tile_arena, &pass->target))
        return false;
    render_worker_lap(worker, ZT_STAGE_FILM);
    worker->pixels_shaded += (int64_t)worker->tile.visible_count + fragments->count;
    if (pass->shared->hash_stages)
        tile_hashes_set(&pass->hashes, index, rect, input, &worker->tile, &worker->shade, &blend);
    return true;
}

/// Visible samples and their fragments -> level 0 behind glass. False: no memory, or cancelled.
static bool behind_pixels(camera_pass *pass, tile_rect rect, render_worker *worker,
                          const tile_fragments *fragments)
{
    const film_stage stage = film_stage_of(pass);
    const behind_level *level = &pass->behind->level[0];
    const size_t first = (size_t)rect.y * (size_t)level->width + (size_t)rect.x;
    tile_blend blend;
    if (!shade_pixels(pass, &stage, rect, worker, fragments, &blend))
        return false;
    film_linear(&worker->shade, &worker->tile, &blend, &stage, rect,
                &(behind_level){.color = level->color + first,
                                .unlit = level->unlit ? level->unlit + first : NULL,
                                .nearness = level->nearness + first,
                                .width = level->width});
    render_worker_lap(worker, ZT_STAGE_SHADE);
    worker->pixels_shaded += (int64_t)worker->tile.visible_count;
    return true;
}

bool camera_pass_depth(const camera_pass *pass, int64_t index, render_worker *worker,
                       tile_buffers *out_tile, tile_rect *out_rect)
{
    arena_reset(&worker->tile_arena);
    *out_tile = worker->tile;
    return view_pass_depth(&pass->view, index, alpha_test_of(pass), out_tile, &worker->tile_arena,
                           out_rect);
}

/// A tile of a pass of the camera. False when memory ran out or the work is cancelled.
static bool draw_tile(camera_pass *pass, int64_t index, render_worker *worker)
{
    const tile_rect rect = view_pass_rect(&pass->view, index);
    const bool layers = !pass->behind || pass->film.draws_behind;
    tile_input input;
    tile_fragments fragments;
    arena_reset(&worker->tile_arena);
    worker->tile.sample_count = pass->view.sample_count;
    if (!view_pass_gather(&pass->view, index, layers, &worker->tile_arena, &input) ||
        !raster_pixels(pass, rect, worker, &input, &fragments))
        return false;
    if (pass->target.depth)
        film_depth(&worker->tile, rect, &pass->view.view, &pass->target);
    render_worker_lap(worker, ZT_STAGE_RASTER);
    if (pass->behind)
        return behind_pixels(pass, rect, worker, &fragments);
    return !(picture_planes_present(&pass->target) & PICTURE_PLANES_SHADED) ||
           color_pixels(pass, index, rect, worker, &input, &fragments);
}

bool camera_pass_tile(camera_pass *pass, int64_t index, render_worker *worker)
{
    const raster_tile own = worker->tile.visibility;
    worker->tile.visibility = view_pass_visibility(&pass->view, index, own);
    const bool drawn = draw_tile(pass, index, worker);
    worker->tile.visibility = own;
    return drawn;
}
