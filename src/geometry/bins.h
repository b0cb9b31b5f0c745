// SPDX-License-Identifier: MIT
/// Lists of set-up triangles per tile. Each worker has its own; a tile reads them all, in any
/// order, since the raster's result does not depend on it.
#ifndef ZT_GEOMETRY_BINS_H
#define ZT_GEOMETRY_BINS_H

#include "base/arena.h"
#include "raster/raster_loops.h"

enum {
    BIN_CHUNK = 126,      ///< a chunk of pointers is 1 KiB
    BIN_SMALL_CHUNK = 64, ///< a multiple of the widest vector
};

typedef struct bin_chunk {
    struct bin_chunk *next;
    uint32_t count;
    const setup_triangle *triangle[BIN_CHUNK];
} bin_chunk;

/// Small triangles are filed themselves: the raster reads them one after the other.
typedef struct bin_small_chunk {
    struct bin_small_chunk *next;
    uint32_t count;
    small_triangle triangle[BIN_SMALL_CHUNK];
} bin_small_chunk;

/// Blended triangles are listed apart: tiles draw them when they know what is opaque.
typedef enum bin_list { BIN_SOLID, BIN_BLENDED, BIN_LISTS } bin_list;

typedef struct bins {
    arena *arena;
    int32_t columns, rows;       ///< tiles
    bin_chunk **head[BIN_LISTS]; ///< [columns * rows], newest chunk first
    bin_small_chunk **small;     ///< the same of small triangles
    uint64_t triangle_count;
} bins;

/// Empty lists for a picture, in `a`, which is the worker's own.
zt_result bins_init(bins *b, arena *a, int32_t width, int32_t height, zt_error *err);
/// Files copies of `count` triangles under every tile they may touch. False when memory ran out.
bool bins_add(bins *b, bin_list list, const setup_triangle *triangles, uint32_t count);
/// The same for small ones; `tiles` is setup_job.small_tiles.
bool bins_add_small(bins *b, const small_triangle *triangles, const uint32_t *tiles,
                    uint32_t count);

#endif
