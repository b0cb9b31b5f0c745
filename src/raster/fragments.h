// SPDX-License-Identifier: MIT
/// What blended triangles show in a tile, in front of what is opaque: every fragment of them,
/// sorted so that they can be blended one after the other. Transparency is exact, whatever the
/// order of the triangles and however they pierce each other, at the price of memory that grows
/// with the number of layers. (An A-buffer of a tile: Carpenter, "The A-buffer, an antialiased
/// hidden surface method", 1984.)
#ifndef ZT_RASTER_FRAGMENTS_H
#define ZT_RASTER_FRAGMENTS_H

#include "raster/tile.h"

typedef struct tile_fragments {
    uint32_t count;
    raster_fragment *fragment; ///< by pixel in block order; in a pixel the farthest first, at the
                               ///< same depth the lowest id
    uint32_t *first;   ///< [TILE_FIRST_COUNT]: those of the p-th pixel, [first[p], first[p + 1])
    shade_items items; ///< one for each, padded; `count` is NULL
} tile_fragments;

/// The fragments of input->blended in the tile `t`, whose opaque triangles have been drawn; in `a`,
/// the memory of the tile. False when it ran out.
bool tile_fragments_find(const tile_buffers *t, const kernel_table *kernels, tile_rect rect,
                         const tile_input *input, arena *a, tile_fragments *out);

#endif
