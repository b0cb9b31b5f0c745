// SPDX-License-Identifier: MIT
/// The hot loops of rasterization, and their jobs: triangles on the screen -> visible samples.
///
/// Screen: x right, y down, pixel centres at .5, fixed point with 8 fractional bits (fx8). The
/// viewport is at most 16384 pixels a side; the guard band reaches from -8192 to 24576 pixels, so a
/// triangle spans at most 2^15 pixels = 2^23 units and its edge products fit int64, the per-tile
/// reduction fits int32 (see raster.inl).
#ifndef ZT_RASTER_RASTER_LOOPS_H
#define ZT_RASTER_RASTER_LOOPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SUBPIXEL_BITS = 8,
    SUBPIXEL_ONE = 1 << SUBPIXEL_BITS,
    GUARD_MIN_PX = -8192,
    GUARD_MAX_PX = 24576,
    TILE_SIZE = 64,   ///< pixels a side
    TILE_BLOCKS = 16, ///< 4x4-pixel blocks a side
    SAMPLES_MAX = 16,
    SMALL_SIDE = 120 * SUBPIXEL_ONE, ///< longest side of a small_triangle along x and y
    ID_NONE = 0, ///< in raster_tile.id: nothing there; ids are primitive numbers + 1
};

/// A triangle ready for the tiles. Counter-clockwise in world is normalised to a positive area on
/// the y-down screen by swapping corners 1 and 2.
typedef struct setup_triangle {
    int32_t x[3], y[3]; ///< fx8
    float z0, zx, zy;   ///< depth at the centre of pixel (rx, ry), and its steps per pixel
    float z_min, z_max; ///< of the corners: depth is clamped to them
    int32_t rx, ry;     ///< reference pixel: the first of the bounding box
    uint32_t id;        ///< primitive number + 1
    uint32_t masked;    ///< 1: of a material with alpha test, else 0
    int32_t min_x, min_y, max_x, max_y; ///< pixels that may be covered, inclusive, in the picture
} setup_triangle;

/// A triangle no longer than SMALL_SIDE along x and y, of a material without alpha test: most of
/// them, kept as small as they can be. The raster finds the depth plane, with the arithmetic of
/// setup, as it draws ZT_W of them at a time.
typedef struct small_triangle {
    int32_t x, y;     ///< corner 0, fx8
    int16_t dx1, dy1; ///< corners 1 and 2 from corner 0, fx8, in the order of setup_triangle
    int16_t dx2, dy2; //
    float z[3];       ///< depths of the corners
    uint32_t id;      ///< primitive number + 1
} small_triangle;

/// small_tiles: columns and rows of the first and the last tile that a bounding box touches.
enum {
    SMALL_TILES_FIRST_ROW = 8,
    SMALL_TILES_LAST_COLUMN = 16,
    SMALL_TILES_LAST_ROW = 24,
};

/// Visibility of one tile, block-linear: 16x16 blocks of 4x4 pixels, and the samples of a pixel
/// side by side; those of pixel (x, y) of the tile begin at [y / 4 * 16 + x / 4][y % 4 * 4 + x %
/// 4]. Blocks that straddle the picture's edge may hold something beyond it: nobody looks there.
typedef struct raster_tile {
    float *depth; ///< [256][16][samples]; cleared to -1 (nothing: farther than everything)
    uint32_t *id; ///< [256][16][samples]; cleared to ID_NONE
} raster_tile;

/// A run of small triangles in memory.
typedef struct raster_run {
    const small_triangle *first;
    uint32_t count;
} raster_run;

/// The alpha test of masked materials. Of the pixels `lanes` (bit y % 4 * 4 + x % 4) of the 4x4
/// block at pixel (block_x, block_y), returns those whose sample at (sample_dx, sample_dy) / 256
/// from the pixel centre survives. `id`: of the triangle.
typedef struct raster_alpha_test {
    unsigned (*survivors)(const void *materials, uint32_t id, int32_t block_x, int32_t block_y,
                          int32_t sample_dx, int32_t sample_dy, unsigned lanes);
    const void *materials; ///< what `survivors` reads
} raster_alpha_test;

typedef struct raster_job {
    raster_tile tile;
    int32_t tile_x, tile_y; ///< pixel of the tile's top left corner, a multiple of TILE_SIZE
    int32_t sample_count;
    const int8_t (*sample)[2]; ///< offsets from the pixel centre in 1/256 px, [sample_count]
    const setup_triangle *const *triangles; ///< [count], any order: the result is the same
    uint32_t count;
    const raster_run *small; ///< [small_runs], as well, in any order
    uint32_t small_runs;
    raster_alpha_test alpha_test;
} raster_job;

/// What a blended triangle shows in one pixel, of which nothing is hidden by what is opaque: that
/// is, nothing opaque is nearer.
typedef struct raster_fragment {
    float depth;      ///< at the pixel's centre, wherever its samples are: of two parallel planes
                      ///< the same one is in front at edges and elsewhere, however steep they are
    uint32_t id;      ///< primitive number + 1
    uint16_t pixel;   ///< in block order, see raster_tile
    uint16_t samples; ///< bits of those that it shows in, never 0
} raster_fragment;

/// At edges the centre may lie outside of the triangle: its depth there exceeds those of the
/// corners by no more than this part of their range, which keeps slivers that are seen edge-on in
/// place.
#define FRAGMENT_BEYOND 0.25f

enum { FRAGMENTS_MIN_CAPACITY = TILE_SIZE * TILE_SIZE }; ///< one triangle may fill a tile

/// Blended triangles -> fragments, in any order.
typedef struct fragment_job {
    raster_job raster;     ///< its tile holds what is opaque and is only read; no small triangles
    int32_t width, height; ///< pixels of the tile inside the picture: fragments lie there
    uint32_t next;         ///< triangle to go on with; `raster.count` when all are done
    raster_fragment *out;
    uint32_t capacity; ///< at least FRAGMENTS_MIN_CAPACITY
} fragment_job;

/// A fragment in its place among the others of its pixel.
typedef struct sorted_fragment {
    uint64_t key;      ///< they are sorted by; the kernel does not look at it
    uint32_t fragment; ///< its number
    uint16_t pixel;    ///< in block order, see raster_tile
    uint16_t samples;  ///< bits of those that it shows in
} sorted_fragment;

/// Things to shade: primitives seen in the pixels of a tile. Arrays, padded to a multiple of 16 by
/// repeating the last entry.
typedef struct visible_samples {
    uint32_t *id;       ///< primitive number + 1
    uint32_t *position; ///< fx8 position in the tile at which it is shaded: x | y << 16
    uint8_t *count;     ///< samples that show it
} visible_samples;

/// What a block of 16 pixels shows.
typedef enum block_kind {
    BLOCK_EMPTY, ///< no visible sample
    BLOCK_PLAIN, ///< one visible sample with all samples in each pixel: most of a picture
    BLOCK_MIXED,
} block_kind;

/// Visible samples of a block of 4x4 pixels: [first[p], first[p + 1]) are those of its p-th pixel.
typedef struct block_samples {
    uint32_t first[17];
    uint32_t kind; ///< block_kind
} block_samples;

enum { TILE_FIRST_COUNT = TILE_SIZE * TILE_SIZE + 1, TILE_BLOCK_COUNT = TILE_BLOCKS * TILE_BLOCKS };

/// Visibility -> visible samples, block by block along a Z-order curve, so that neighbours in the
/// list show the same few triangles: per pixel one visible sample for each primitive seen by a
/// sample, in the order of the first sample that sees it; shaded at the pixel's centre when it
/// covers every sample, else at its first one. Pixels outside the picture have none.
typedef struct compact_job {
    raster_tile tile;
    int32_t width, height; ///< pixels of the tile inside the picture
    int32_t sample_count;
    const int8_t (*sample)[2]; ///< offsets from the centre, fx8
    visible_samples visible;   ///< room for all samples and 16 more
    block_samples *blocks;     ///< [TILE_BLOCK_COUNT], in rows
} compact_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct raster_loops {
    /// Set-up triangles -> depth and id of one tile.
    void (*draw)(const raster_job *job);
    /// Visibility of one tile -> samples to shade; returns their number.
    uint32_t (*compact)(const compact_job *job);
    /// Blended triangles -> what they show in one tile; returns the number of fragments.
    uint32_t (*fragments)(fragment_job *job);
} raster_loops;

#endif
