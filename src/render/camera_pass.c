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
    return tile_fragments_build(&worker->tile, loops, rect, input, alpha_test, 0,
                                &worker->tile_arena, out_fragments);
}

static film_stage film_stage_of(const camera_pass *pass)
{
    const kernel_table *kernels = pass->shared->kernels;
    return (film_stage){kernels->shade, kernels->film, &pass->shade, &pass->film,
                        pass->target.color8.rgba8 ? pass->shared->srgb : NULL};
}

/// Blends the pieces of a tile's fragments after the first one, one at a time in memory.
static bool blend_rest(const camera_pass *pass, const film_stage *stage, tile_rect rect,
                       render_worker *worker, const tile_input *input, int32_t first_block,
                       const tile_blend *out)
{
    bool blended = true;
    tile_fragments piece = {.end_block = first_block};
    arena a;
    arena_init(&a, worker->tile_arena.budget);
    while (blended && piece.end_block < TILE_BLOCK_COUNT) {
        arena_reset(&a);
        blended = tile_fragments_build(&worker->tile, pass->shared->kernels->raster, rect, input,
                                       alpha_test_of(pass), piece.end_block, &a, &piece) &&
                  film_blend_piece(&worker->shade, &worker->tile, &piece, stage, rect, &a, out);
        worker->pixels_shaded += piece.count;
    }
    if (!blended)
        worker->tile_arena.failed = a.failed;
    arena_finish(&a);
    return blended;
}

/// Visible samples and fragments -> linear colours, blended. False: no memory, or cancelled.
static bool shade_pixels(const camera_pass *pass, const film_stage *stage, tile_rect rect,
                         render_worker *worker, const tile_input *input,
                         const tile_fragments *fragments, tile_blend *out)
{
    const bool light = pass->behind || pass->target.color || pass->shared->hash_stages;
    const bool blends = fragments->count > 0 || fragments->end_block < TILE_BLOCK_COUNT;
    arena *a = &worker->tile_arena;
    *out = (tile_blend){0};
    worker->pixels_shaded += (int64_t)worker->tile.visible_count + fragments->count;
    const bool shaded =
        shade_tile(&worker->shade, &worker->tile, stage->shade_loops, rect, stage->frame, a) &&
        (!blends ||
         (film_blend_begin(stage, light, a, out) &&
          film_blend_piece(&worker->shade, &worker->tile, fragments, stage, rect, a, out) &&
          blend_rest(pass, stage, rect, worker, input, fragments->end_block, out)));
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
    if (!shade_pixels(pass, &stage, rect, worker, input, fragments, &blend))
        return false;
    if (pass->target.color8.rgba8 && !film_tile(&worker->shade, &worker->tile, &blend, &stage, rect,
                                                &worker->tile_arena, &pass->target.color8))
        return false;
    if (pass->target.color && !film_color(&worker->shade, &worker->tile, &blend, &stage, rect,
                                          &worker->tile_arena, &pass->target))
        return false;
    render_worker_lap(worker, ZT_STAGE_FILM);
    if (pass->shared->hash_stages)
        tile_hashes_set(&pass->hashes, index, rect, input, &worker->tile, &worker->shade, &blend);
    return true;
}

/// Visible samples and their fragments -> level 0 behind glass. False: no memory, or cancelled.
static bool behind_pixels(camera_pass *pass, tile_rect rect, render_worker *worker,
                          const tile_input *input, const tile_fragments *fragments)
{
    const film_stage stage = film_stage_of(pass);
    const behind_level *level = &pass->behind->level[0];
    const size_t first = (size_t)rect.y * (size_t)level->width + (size_t)rect.x;
    tile_blend blend;
    if (!shade_pixels(pass, &stage, rect, worker, input, fragments, &blend))
        return false;
    film_linear(&worker->shade, &worker->tile, &blend, &stage, rect,
                &(behind_level){.color = level->color + first,
                                .unlit = level->unlit ? level->unlit + first : NULL,
                                .nearness = level->nearness + first,
                                .width = level->width});
    render_worker_lap(worker, ZT_STAGE_SHADE);
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
        return behind_pixels(pass, rect, worker, &input, &fragments);
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
