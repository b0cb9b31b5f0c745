// SPDX-License-Identifier: MIT
/// One tile from binned triangles to the list of things to shade.
#ifndef ZT_RASTER_TILE_H
#define ZT_RASTER_TILE_H

#include "base/arena.h"
#include "raster/raster_loops.h"

/// Visibility and visible samples of one tile; one per worker, used again for every tile.
typedef struct tile_buffers {
    int32_t sample_count;
    raster_tile visibility;
    visible_samples visible; ///< [sample_count * TILE_SIZE^2 + 16], see compact_job
    block_samples *blocks;   ///< where they are, [TILE_BLOCK_COUNT]
    uint32_t visible_count;
    bool touched; ///< false: no triangle, and the visibility is not even cleared
} tile_buffers;

zt_result tile_buffers_init(tile_buffers *t, arena *a, int32_t sample_count, zt_error *err);

/// Part of the picture that a tile shows.
typedef struct tile_rect {
    int32_t x, y, width, height; ///< pixels
} tile_rect;

/// What is to be drawn in a tile, in any order: raster_job's fields of these names.
typedef struct tile_input {
    const setup_triangle *const *triangles;
    uint32_t count;
    const raster_run *small;
    uint32_t small_runs;
    const setup_triangle *const *blended; ///< see fragments.h
    uint32_t blended_count;
} tile_input;

/// Clears the tile and draws the triangles that do not blend. `alpha_test`: of masked materials.
void tile_raster(tile_buffers *t, const raster_loops *loops, tile_rect rect,
                 const tile_input *input, raster_alpha_test alpha_test);

/// Lists what is visible: per pixel one visible sample for each primitive seen by a sample, in the
/// order of the first sample that sees it. A primitive that covers every sample is shaded at the
/// pixel's centre, another at its first sample (inside the primitive by construction). Pixels of
/// the tile that lie outside the picture have none.
void tile_compact(tile_buffers *t, const raster_loops *loops, tile_rect rect);

/// Sample offsets for a sample count, in 1/256 pixel from the centre.
const int8_t (*tile_sample_pattern(int32_t sample_count))[2];

#endif
