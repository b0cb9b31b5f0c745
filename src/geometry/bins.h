// SPDX-License-Identifier: MIT
/// Lists of set-up triangles per tile. Each worker has its own bins. A tile reads those of all
/// workers in any order: the result of rasterization does not depend on it.
#pragma once

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

/// Small triangles are stored by value: the raster loop reads them as an array.
typedef struct bin_small_chunk {
    struct bin_small_chunk *next;
    uint32_t count;
    small_triangle triangle[BIN_SMALL_CHUNK];
} bin_small_chunk;

/// Blended triangles have lists, drawn after opaque ones; masked ones are opaque by alpha test.
typedef enum bin_list { BIN_OPAQUE, BIN_BLENDED, BIN_LISTS } bin_list;

/// Small, opaque triangles. Those in the second list are drawn after the first, which hide most of
/// them: the faces seen from behind, where both faces of surfaces are drawn.
typedef enum bin_small_list { BIN_SMALL_FIRST, BIN_SMALL_BEHIND, BIN_SMALL_LISTS } bin_small_list;

typedef struct bins {
    arena *arena;
    int32_t columns, rows;                    ///< tiles
    bin_chunk **head[BIN_LISTS];              ///< [columns * rows], newest chunk first
    bin_small_chunk **small[BIN_SMALL_LISTS]; ///< the same for small triangles
    uint64_t triangle_count;
    uint64_t
        fragment_count; ///< at most so many pixels are below triangles that blend or are masked
} bins;

/// Empty lists for a picture of width x height pixels, in `a`, which only this worker uses.
zt_result bins_init(bins *b, arena *a, int32_t width, int32_t height, zt_error *err);
/// Copies `count` triangles and lists them in each tile that they may touch. False: no memory.
bool bins_add(bins *b, bin_list list, const setup_triangle *triangles, uint32_t count);
/// The same for small triangles; `tiles` is setup_job.small_tiles.
bool bins_add_small(bins *b, bin_small_list list, const small_triangle *triangles,
                    const uint32_t *tiles, uint32_t count);
