// SPDX-License-Identifier: MIT
// Posed vertices -> triangles by tile, and the depth of a tile.
#include "view/view_pass.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    SAVED_TILES_MAX = 1024, ///< 32 MiB; larger pictures draw tiles twice
};

/// The table by meshlet that geometry fills for visible meshlets.
static zt_result init_geometry(view_pass *pass, zt_error *err)
{
    arena *a = pass->shared->arena;
    const geometry_frame *geometry = pass->shared->geometry;
    pass->geometry = (geometry_view){
        .view = &pass->view,
        .width = pass->width,
        .height = pass->height,
        .sample_count = pass->sample_count,
        .depth_only = pass->depth_only,
        .widths = point_line_widths_of(&pass->view, pass->width, pass->height, geometry->cloud),
        .surface_flags = pass->shared->surface_flags,
        .homogeneous = ARENA_ARRAY_RAW(a, homogeneous_vertices, geometry->meshlet_count),
    };
    if (!pass->geometry.homogeneous)
        return arena_fail(a, err, "meshlets of a frame");
    return ZT_OK;
}

zt_result view_pass_init(view_pass *pass, const view_camera *camera, int32_t run_count,
                         zt_error *err)
{
    arena *a = pass->shared->arena;
    view_build(camera, pass->width, pass->height, &pass->view);
    pass->tile_columns = (pass->width + TILE_SIZE - 1) / TILE_SIZE;
    pass->tile_rows = (pass->height + TILE_SIZE - 1) / TILE_SIZE;
    pass->run_count = run_count;
    if (pass->same_view) {
        pass->bins = pass->same_view->bins;
        pass->geometry = pass->same_view->geometry;
    } else {
        ZT_TRY(init_geometry(pass, err));
        pass->bins = ARENA_ARRAY(a, bins, (size_t)run_count);
    }
    return pass->bins ? ZT_OK : arena_fail(a, err, "tile lists");
}

bool view_pass_bin(view_pass *pass, int32_t index, arena *a)
{
    const geometry_frame *geometry = pass->shared->geometry;
    const int64_t batches = geometry_batch_count(geometry);
    const int64_t first = batches * index / pass->run_count;
    const int64_t end = batches * (index + 1) / pass->run_count;
    if (bins_init(&pass->bins[index], a, pass->width, pass->height, NULL) != ZT_OK)
        return false;
    for (int64_t batch = first; batch < end; batch++)
        if (!geometry_draw_batch(geometry, &pass->geometry, pass->shared->geometry_loops, batch,
                                 &pass->bins[index]))
            return false;
    return true;
}

/// The triangles of one list of a tile, of all runs; NULL: none. False: no memory. The newest chunk
/// is the first of a run: from behind, ids grow, so that copies follow the one that is drawn.
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
    for (int32_t i = pass->run_count; all && i-- > 0;)
        for (const bin_chunk *c = pass->bins[i].head[list][tile]; c; c = c->next) {
            count -= c->count;
            memcpy(all + count, c->triangle, c->count * sizeof *all);
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
    if (!run)
        return false;
    run += out->small_runs;
    for (int list = BIN_SMALL_LISTS; list-- > 0;)
        for (int32_t i = pass->run_count; i-- > 0;)
            for (const bin_small_chunk *c = pass->bins[i].small[list][tile]; c; c = c->next)
                *--run = (small_triangle_run){c->triangle, c->count};
    return true;
}

bool view_pass_gather(const view_pass *pass, int64_t tile, bool layers, arena *a, tile_input *out)
{
    *out = (tile_input){.farthest = pass->view.farthest};
    return gather_list(pass, BIN_OPAQUE, tile, a, &out->triangles, &out->count) &&
           (!layers ||
            gather_list(pass, BIN_BLENDED, tile, a, &out->blended, &out->blended_count)) &&
           gather_small(pass, tile, a, out);
}

tile_rect view_pass_rect(const view_pass *pass, int64_t tile)
{
    const int32_t x = (int32_t)(tile % pass->tile_columns) * TILE_SIZE;
    const int32_t y = (int32_t)(tile / pass->tile_columns) * TILE_SIZE;
    const int32_t columns = pass->width - x, rows = pass->height - y;
    return (tile_rect){x, y, columns < TILE_SIZE ? columns : TILE_SIZE,
                       rows < TILE_SIZE ? rows : TILE_SIZE};
}

zt_result view_pass_save_tiles(view_pass *pass, bool depth, arena *a, zt_error *err)
{
    const int64_t count = view_pass_tile_count(pass);
    if (pass->sample_count != 1 || count > SAVED_TILES_MAX)
        return ZT_OK;
    pass->saved.id = ARENA_ARRAY_RAW(a, uint32_t, (size_t)count * TILE_PIXELS);
    if (depth)
        pass->saved.depth = ARENA_ARRAY_RAW(a, float, (size_t)count *TILE_PIXELS);
    if (!pass->saved.id || (depth && !pass->saved.depth))
        return arena_fail(a, err, "tiles of a frame");
    return ZT_OK;
}

raster_tile view_pass_visibility(const view_pass *pass, int64_t index, raster_tile own)
{
    if (pass->saved.id)
        own.id = pass->saved.id + index * TILE_PIXELS;
    if (pass->saved.depth)
        own.depth = pass->saved.depth + index * TILE_PIXELS;
    return own;
}

bool view_pass_depth(const view_pass *pass, int64_t index, raster_alpha_test alpha_test,
                     tile_buffers *tile, arena *a, tile_rect *out_rect)
{
    tile_input input;
    tile->sample_count = 1;
    tile->visibility = view_pass_visibility(pass, index, tile->visibility);
    *out_rect = view_pass_rect(pass, index);
    if (!view_pass_gather(pass, index, true, a, &input))
        return false;
    if (!pass->saved.id) {
        input.blended_count = 0; // they draw nothing; in a saved tile they are drawn later
        if (!pass->depth_ids)
            tile->visibility.id = NULL;
    }
    return tile_raster(tile, pass->shared->raster_loops, *out_rect, &input, alpha_test, a);
}
