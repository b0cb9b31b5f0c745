// SPDX-License-Identifier: MIT
/// One tile: from binned triangles to visible samples.
#pragma once

#include "base/arena.h"
#include "raster/raster_loops.h"

/// Visibility and visible samples of one tile. Each worker has one, and uses it for all its tiles.
typedef struct tile_buffers {
    int32_t sample_count;
    bool even; ///< samples of a pixel are in the middles of its equal parts: see even_pattern
    raster_tile visibility;
    visible_samples visible; ///< [sample_count * TILE_SIZE^2 + VISIBLE_PADDING]
    block_samples *blocks;   ///< [TILE_BLOCK_COUNT]
    uint32_t visible_count;
    bool touched; ///< false: the tile has no triangles, and `visibility` is not valid
} tile_buffers;

zt_result tile_buffers_init(tile_buffers *t, arena *a, int32_t sample_count, zt_error *err);

/// The pixels of a tile inside the picture.
typedef struct tile_rect {
    int32_t x, y, width, height; ///< pixels
} tile_rect;

/// The triangles of a tile, in any order; fields as in raster_job.
typedef struct tile_input {
    const setup_triangle *const *triangles;
    uint32_t count;
    const small_triangle_run *small;
    uint32_t small_runs, small_behind;
    const setup_triangle *const *blended; ///< see fragments.h
    uint32_t blended_count;
    const bool *is_covered; ///< [TILE_BLOCK_COUNT] blocks without fragments; NULL: all have theirs
    float farthest;         ///< depth of the far plane, which cuts surfaces off; 0: there is none
} tile_input;

/// True when the tile has something to draw; see tile_buffers.touched.
static inline bool tile_is_touched(const tile_input *input)
{
    return input->count > 0 || input->small_runs > 0 || input->blended_count > 0;
}

/// Gives samples that show nothing the depth `to`, in place of `from`: that of the far plane while
/// the tile is drawn, so that what lies beyond is hidden; -1 for those who read the tile.
void tile_clear_depth(const tile_buffers *t, float from, float to);

/// Clears the tile and draws the triangles that do not blend. `alpha_test` is that of masked
/// materials. False when the work of `a` is cancelled; a->failed then says so.
bool tile_raster(tile_buffers *t, const raster_loops *loops, tile_rect rect,
                 const tile_input *input, raster_alpha_test alpha_test, arena *a);

/// Fills the visible samples of the tile by the rules of compact_job.
void tile_compact(tile_buffers *t, const raster_loops *loops, tile_rect rect);

/// Sample positions in a pixel: offsets (x, y) from its centre in 1/256 pixel, x right and y down,
/// [sample_count]; NULL unless it is 1, 2, 4, 8 or 16. They are the standard multisample patterns
/// of Direct3D 11 (D3D11_STANDARD_MULTISAMPLE_PATTERN), whose documentation gives them in 1/16
/// pixel.
const int8_t (*sample_pattern(int32_t sample_count))[2];
/// The same of a grid of columns and rows, in whose cells sub-frames move samples: so that all
/// together they fill the pixel.
const int8_t (*even_pattern(int32_t sample_count, int32_t out_columns_rows[2]))[2];
const int8_t (*tile_pattern(const tile_buffers *t))[2];
