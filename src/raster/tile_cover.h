// SPDX-License-Identifier: MIT
/// Blocks of a tile that show one blended triangle and nothing else, in all samples of all pixels.
/// They need neither fragments nor an order.
#pragma once

#include "raster/tile.h"

typedef struct tile_cover {
    uint32_t count;
    uint16_t block[TILE_BLOCK_COUNT];
    uint32_t id[TILE_BLOCK_COUNT]; ///< of the triangle
    bool is_covered[TILE_BLOCK_COUNT];
} tile_cover;

/// Those that triangles with ids of `first_id` or more cover, which have no alpha test. `blocks`:
/// of the compacted tile; NULL: it has no opaque triangles.
void tile_cover_find(const block_samples *blocks, tile_rect rect, const tile_input *input,
                     uint32_t first_id, tile_cover *out);

/// True when triangles with ids of `first_id` or more, which together are convex, cover the tile.
bool tile_is_inside(tile_rect rect, const tile_input *input, uint32_t first_id);

/// True when the blocks of a cover are the whole tile.
bool tile_cover_is_whole(const tile_cover *cover, tile_rect rect);
