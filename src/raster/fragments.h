// SPDX-License-Identifier: MIT
/// All fragments of blended triangles in a tile, sorted by depth. Transparency is exact for
/// triangles in any order, even intersecting; memory grows with fragments. (An A-buffer of a tile:
/// Carpenter, "The A-buffer, an antialiased hidden surface method", 1984.)
#pragma once

#include "raster/tile.h"

/// An array of fragments in the order of triangles.
typedef struct fragment_chunk {
    struct fragment_chunk *next;
    raster_fragment *fragment;
    uint32_t count;
    uint32_t first; ///< number of its first fragment in the tile
} fragment_chunk;

/// Of the blocks [first_block, end_block) of a tile, row by row.
typedef struct tile_fragments {
    int32_t first_block, end_block;
    uint32_t count;
    fragment_chunk *chunks; ///< a list; fragments are numbered through it
    /// [count]: by pixel in block order, then the farthest first, then the lowest id first.
    const sorted_fragment *sorted;
    /// [TILE_FIRST_COUNT]: fragments of pixel p are sorted[first[p]] .. sorted[first[p + 1] - 1].
    const uint32_t *first;
} tile_fragments;

/// The fragments of input->blended in the tile `t`, whose opaque triangles are drawn, allocated in
/// `a`. `alpha_test` is that of masked ones, sample by sample. Those of a tile of many layers come
/// in pieces, so that memory is bounded by the layers of a block: from `first_block` on, 0 and then
/// the end_block of the piece before, until that is TILE_BLOCK_COUNT. False when the memory ran out
/// or the work is cancelled; a->failed holds the reason.
bool tile_fragments_build(const tile_buffers *t, const raster_loops *loops, tile_rect rect,
                          const tile_input *input, raster_alpha_test alpha_test,
                          int32_t first_block, arena *a, tile_fragments *out);

/// Fragments [begin, end) of a chunk as visible samples, padded; does not write out->count.
void tile_fragments_visible(const tile_buffers *t, const fragment_chunk *chunk, uint32_t begin,
                            uint32_t end, const visible_samples *out);
