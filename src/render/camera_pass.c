// SPDX-License-Identifier: MIT
// The tiles of a camera: triangles -> samples and fragments -> planes.
#include "render/camera_pass.h"

#include <string.h>

zt_result camera_pass_init(camera_pass *pass, const view_camera *camera, int32_t run_count,
                           zt_error *err)
{
    ZT_TRY(view_pass_init(&pass->view, camera, run_count, err));
    pass->shade.view = pass->view.view;
    const geometry_frame *geometry = pass->view.shared->geometry;
    pass->shade.surfaces = (surface_view){geometry->meshlets, pass->view.geometry.homogeneous};
    pass->shade.draws = geometry->meshlet_draw;
    if (!pass->shared->hash_stages)
        return ZT_OK;
    return tile_hashes_init(&pass->hashes, pass->view.shared->arena,
                            (size_t)view_pass_tile_count(&pass->view), err);
}

static raster_alpha_test alpha_test_of(const camera_pass *pass)
{
    return (raster_alpha_test){pass->shared->kernels->shade->alpha_test, &pass->shade};
}

/// A tile after raster_pixels.
typedef struct tile_layers {
    tile_input input;
    tile_cover ground;        ///< where nothing else blends
    tile_fragments fragments; ///< the first piece
} tile_layers;

/// The alpha up to which the ground shows nothing where it is alone: that of the code 0, if the
/// picture is transparent.
static float clear_alpha(const camera_pass *pass)
{
    if (!pass->film.transparent || pass->shared->hash_stages || pass->target.sums ||
        picture_planes_present(&pass->target) & (PICTURE_PLANES_MEAN | 1u << PLANE_DISPLAY))
        return 0.0f;
    return pass->ground->shade.display_alpha ? 0.0042f : 0.0019f; // of half a code
}

/// Leaves the ground out of a tile to which no shadow reaches. `alone`: the tile has nothing else.
/// False: no memory.
static bool drop_clear_ground(const camera_pass *pass, tile_rect rect, bool alone, arena *a,
                              tile_input *input)
{
    if (pass->shade.shadow_count > 0 || pass->shade.shares ||
        !tile_is_inside(rect, input, pass->ground_id) ||
        !ground_is_clear(pass->ground, &pass->view.view, rect, alone ? clear_alpha(pass) : 0.0f))
        return true;
    const setup_triangle **others =
        ARENA_ARRAY_RAW(a, const setup_triangle *, input->blended_count);
    uint32_t count = 0;
    if (!others)
        return false;
    for (uint32_t i = 0; i < input->blended_count; i++)
        if (input->blended[i]->id < pass->ground_id)
            others[count++] = input->blended[i];
    input->blended = others;
    input->blended_count = count;
    return true;
}

/// Where only the ground shows: those blocks get no fragments. `alone`: the tile has nothing else;
/// then false where it does not cover the whole tile.
static bool find_ground(const camera_pass *pass, tile_rect rect, bool alone, render_worker *worker,
                        tile_layers *out)
{
    tile_cover_find(alone ? NULL : worker->tile.blocks, rect, &out->input, pass->ground_id,
                    &out->ground);
    if (alone && !tile_cover_is_whole(&out->ground, rect))
        return false;
    out->input.is_covered = out->ground.is_covered;
    if (pass->shade.shadow_count == 0 && !pass->shade.shares)
        ground_cover_limit(pass->ground, &pass->view.view, rect, clear_alpha(pass), &out->ground);
    return true;
}

/// True when a tile has no triangles but those of the ground.
static bool is_bare(const camera_pass *pass, const tile_input *input)
{
    for (uint32_t i = 0; i < input->blended_count; i++)
        if (input->blended[i]->id < pass->ground_id)
            return false;
    return input->count == 0 && input->small_runs == 0 && input->blended_count > 0;
}

/// Triangles of the tile -> visible samples and fragments. False: no memory, or cancelled.
static bool raster_pixels(const camera_pass *pass, tile_rect rect, render_worker *worker,
                          tile_layers *out)
{
    tile_input *input = &out->input;
    const raster_loops *loops = pass->shared->kernels->raster;
    const raster_alpha_test alpha_test = alpha_test_of(pass);
    const bool ground = pass->ground && !(input->farthest > 0.0f);
    const bool bare = ground && is_bare(pass, input);
    out->fragments = (tile_fragments){.end_block = TILE_BLOCK_COUNT};
    out->ground.count = 0;
    if (ground && !drop_clear_ground(pass, rect, bare, &worker->tile_arena, input))
        return false;
    if (bare && input->blended_count > 0 && find_ground(pass, rect, true, worker, out)) {
        worker->tile.touched = false;
        worker->tile.visible_count = 0;
        return true;
    }
    if (pass->view.saved.id)
        worker->tile.touched = tile_is_touched(input);
    else if (!tile_raster(&worker->tile, loops, rect, input, alpha_test, &worker->tile_arena))
        return false;
    tile_compact(&worker->tile, loops, rect);
    if (ground && input->blended_count > 0)
        find_ground(pass, rect, false, worker, out);
    return tile_fragments_build(&worker->tile, loops, rect, input, alpha_test, 0,
                                &worker->tile_arena, &out->fragments);
}

static bool shows_display(const camera_pass *pass)
{
    return picture_planes_present(&pass->target) & (PICTURE_PLANE_COLOR8 | 1u << PLANE_DISPLAY);
}

static film_stage film_stage_of(const camera_pass *pass)
{
    const kernel_table *kernels = pass->shared->kernels;
    return (film_stage){kernels->shade,
                        kernels->film,
                        &pass->shade,
                        &pass->film,
                        shows_display(pass) ? pass->shared->srgb : NULL,
                        &pass->target,
                        picture_planes_present(&pass->target) & PICTURE_PLANES_CRYPTO};
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

/// The planes that shading fills for visible samples: those of the look, and of the target.
static uint32_t sample_planes(const camera_pass *pass)
{
    uint32_t set = film_look_planes(pass->film.look.kind);
    const uint32_t present = picture_planes_present(&pass->target);
    for (int p = 0; p < PLANE_COUNT; p++)
        if (picture_plane_table[p].kind.nearest && picture_plane_table[p].shaded)
            set |= present & 1u << p;
    if (present & 1u << PLANE_ALBEDO)
        set |= 1u << PLANE_BASE; // see part_pixels
    return set | (present & PICTURE_PLANES_CRYPTO);
}

/// Visible samples and fragments -> linear colours, blended. False: no memory, or cancelled.
static bool shade_pixels(const camera_pass *pass, const film_stage *stage, tile_rect rect,
                         render_worker *worker, const tile_layers *layers, tile_blend *out)
{
    const tile_fragments *fragments = &layers->fragments;
    const bool light = pass->behind || pass->shared->hash_stages || pass->target.sums ||
                       picture_planes_present(&pass->target) & PICTURE_PLANES_MEAN;
    const shade_part part = worker->shade.part;
    const uint32_t planes =
        part == SHADE_WHOLE ? sample_planes(pass) : film_look_planes(pass->film.look.kind);
    const bool blends = fragments->count > 0 || fragments->end_block < TILE_BLOCK_COUNT;
    const bool covered = layers->ground.count > 0 && part == SHADE_WHOLE; // else by nothing: black
    arena *a = &worker->tile_arena;
    *out = (tile_blend){0};
    worker->pixels_shaded +=
        (int64_t)worker->tile.visible_count + fragments->count + 16 * (int64_t)layers->ground.count;
    if (part != SHADE_ALBEDO && // which has its samples already
        !(shade_planes_init(planes, worker->tile.visible_count + VISIBLE_PADDING, a,
                            &worker->shade.color.planes) &&
          shade_tile(&worker->shade, &worker->tile, stage->shade_loops, rect, stage->frame, a)))
        return false;
    film_look_samples(stage, part, &worker->shade.color, worker->tile.visible_count);
    if ((blends || covered) && !film_blend_begin(stage, light, a, out))
        return false;
    if (blends &&
        !(film_blend_piece(&worker->shade, &worker->tile, fragments, stage, rect, a, out) &&
          blend_rest(pass, stage, rect, worker, &layers->input, fragments->end_block, out)))
        return false;
    if (covered && !film_blend_cover(&worker->shade, &layers->ground, stage, rect, a, out))
        return false;
    render_worker_lap(worker, STAGE_SHADE);
    return true;
}

/// Shades one part of the light anew, for a plane of it: the lobes of a colour are not kept apart
/// while it is made, so that pictures without such planes cost nothing more. The albedo of samples
/// is among their data. False: no memory, or cancelled.
static bool part_pixels(const camera_pass *pass, picture_plane plane, shade_part part,
                        tile_rect rect, render_worker *worker, const tile_layers *layers)
{
    const size_t count = (worker->tile.visible_count + VISIBLE_PADDING + 15u) & ~(size_t)15u;
    const shade_buffers saved = worker->shade;
    arena *a = &worker->tile_arena;
    film_stage stage = film_stage_of(pass);
    tile_blend blend;
    float *own = part == SHADE_ALBEDO ? saved.color.planes->channel[PLANE_BASE]
                                      : ARENA_ARRAY_RAW(a, float, 3 * count);
    if (!own)
        return false;
    stage.srgb = NULL;
    stage.crypto_set = 0;
    worker->shade.color = (shade_colors){
        .r = own, .g = own + count, .b = own + 2 * count, .unlit = saved.color.unlit};
    worker->shade.part = part;
    bool drawn = shade_pixels(pass, &stage, rect, worker, layers, &blend);
    if (drawn && part == SHADE_BEHIND) // pixels without fragments have no glass
        memset(own, 0, 3 * count * sizeof *own);
    drawn = drawn && film_color(&worker->shade, &worker->tile, &blend, &stage, rect, a, plane,
                                &pass->target);
    worker->shade = saved;
    return drawn;
}

/// The colour of the tile's pixels. False when memory ran out or the work is cancelled.
static bool color_pixels(camera_pass *pass, int64_t index, tile_rect rect, render_worker *worker,
                         const tile_layers *layers)
{
    const film_stage stage = film_stage_of(pass);
    tile_blend blend;
    if (!shade_pixels(pass, &stage, rect, worker, layers, &blend))
        return false;
    if (shows_display(pass) && !film_tile(&worker->shade, &worker->tile, &blend, &stage, rect,
                                          &worker->tile_arena, &pass->target))
        return false;
    static const picture_plane whole[2] = {PLANE_COLOR, PLANE_COVERAGE};
    for (int i = 0; i < 2; i++)
        if (pass->target.plane[whole[i]].data &&
            !film_color(&worker->shade, &worker->tile, &blend, &stage, rect, &worker->tile_arena,
                        whole[i], &pass->target))
            return false;
    if (stage.crypto_set)
        film_crypto(&worker->shade, &worker->tile, NULL, NULL, &blend, &stage, rect);
    render_worker_lap(worker, STAGE_FILM);
    if (pass->shared->hash_stages)
        tile_hashes_set(&pass->hashes, index, rect, &layers->input, &worker->tile, &worker->shade,
                        &blend);
    static const picture_plane plane_of[] = {
        [SHADE_ALBEDO] = PLANE_ALBEDO,           [SHADE_EMISSION] = PLANE_EMISSION,
        [SHADE_DIFFUSE] = PLANE_DIFFUSE,         [SHADE_SPECULAR] = PLANE_SPECULAR,
        [SHADE_TRANSMITTED] = PLANE_TRANSMITTED, [SHADE_BEHIND] = PLANE_TRANSMITTED};
    bool drawn = true;
    for (int part = SHADE_ALBEDO; part <= SHADE_BEHIND && drawn; part++) {
        const picture_plane plane = plane_of[part];
        if (pass->target.plane[plane].data && (part != SHADE_BEHIND || pass->shade.transmits))
            drawn = part_pixels(pass, plane, (shade_part)part, rect, worker, layers);
    }
    return drawn;
}

/// Visible samples and their fragments -> level 0 behind glass. False: no memory, or cancelled.
static bool behind_pixels(camera_pass *pass, tile_rect rect, render_worker *worker,
                          const tile_layers *layers)
{
    const film_stage stage = film_stage_of(pass);
    const behind_level *level = &pass->behind->level[0];
    const size_t first = (size_t)rect.y * (size_t)level->width + (size_t)rect.x;
    tile_blend blend;
    if (!shade_pixels(pass, &stage, rect, worker, layers, &blend))
        return false;
    film_linear(&worker->shade, &worker->tile, &blend, &stage, rect,
                &(behind_level){.color = level->color + first,
                                .unlit = level->unlit ? level->unlit + first : NULL,
                                .nearness = level->nearness + first,
                                .width = level->width});
    render_worker_lap(worker, STAGE_SHADE);
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
    tile_layers tile;
    arena_reset(&worker->tile_arena);
    worker->shade.color.planes = NULL;
    worker->tile.sample_count = pass->view.sample_count;
    worker->tile.even = pass->shared->even_samples;
    if (!view_pass_gather(&pass->view, index, layers, &worker->tile_arena, &tile.input) ||
        !raster_pixels(pass, rect, worker, &tile))
        return false;
    render_worker_lap(worker, STAGE_RASTER);
    if (pass->behind)
        return behind_pixels(pass, rect, worker, &tile);
    const uint32_t set = picture_planes_present(&pass->target);
    if (!picture_planes_any_shaded(set))
        worker->shade.model_samples += worker->tile.visible_count;
    else if (!color_pixels(pass, index, rect, worker, &tile))
        return false;
    if (picture_planes_any_nearest(set)) {
        film_planes(worker->shade.color.planes, &worker->tile, rect, &pass->shade,
                    pass->in_camera ? pass->space_rows[0] : NULL, &pass->target);
        render_worker_lap(worker, STAGE_FILM);
    }
    return true;
}

bool camera_pass_tile(camera_pass *pass, int64_t index, render_worker *worker)
{
    const raster_tile own = worker->tile.visibility;
    worker->tile.visibility = view_pass_visibility(&pass->view, index, own);
    const bool drawn = draw_tile(pass, index, worker);
    worker->tile.visibility = own;
    return drawn;
}
