// SPDX-License-Identifier: MIT
/// What blended triangles show in a tile, in front of what is opaque: every fragment of them,
/// sorted so that they can be blended one after the other. Transparency is exact, whatever the
/// order of the triangles and however they pierce each other, at the price of memory that grows
/// with the number of fragments. (An A-buffer of a tile: Carpenter, "The A-buffer, an antialiased
/// hidden surface method", 1984.)
#ifndef ZT_RASTER_FRAGMENTS_H
#define ZT_RASTER_FRAGMENTS_H

#include "raster/tile.h"

/// A run of fragments in memory, in the order in which they were found.
typedef struct fragment_chunk {
    struct fragment_chunk *next;
    raster_fragment *fragment;
    uint32_t count;
    uint32_t first; ///< number of its first fragment
} fragment_chunk;

typedef struct tile_fragments {
    uint32_t count;
    fragment_chunk *chunks; ///< fragments are numbered through them
    /// [count]: the fragments by pixel in block order; in a pixel the farthest first, at the same
    /// depth the lowest id first.
    const sorted_fragment *sorted;
    /// [TILE_FIRST_COUNT]: those of the p-th pixel are sorted[first[p]] to sorted[first[p + 1] -
    /// 1].
    const uint32_t *first;
} tile_fragments;

/// The fragments of input->blended in the tile `t`, whose opaque triangles have been drawn; in `a`,
/// the memory of the tile. False when it ran out.
bool tile_fragments_build(const tile_buffers *t, const raster_loops *loops, tile_rect rect,
                          const tile_input *input, arena *a, tile_fragments *out);

/// Fragments `begin` to `end` of a chunk as visible samples to shade, into `out`, which is padded;
/// there are no counts.
void tile_fragments_visible(const tile_buffers *t, const fragment_chunk *chunk, uint32_t begin,
                            uint32_t end, const visible_samples *out);

#endif
