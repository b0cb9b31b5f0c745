// SPDX-License-Identifier: MIT
/// The hot loops of rasterization and their jobs: triangles on the screen -> visible samples.
///
/// Screen: x right, y down, pixel centres at .5, fixed point with 8 fractional bits (fx8), at most
/// 16384 pixels a side. The guard band reaches from -8192 to 24576, so triangles span at most 2^15
/// pixels = 2^23 units: edge products fit int64, reduced to a tile int32 (raster.inl).
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    SUBPIXEL_BITS = 8,
    SUBPIXEL_ONE = 1 << SUBPIXEL_BITS,
    GUARD_MIN_PX = -8192,
    GUARD_MAX_PX = 24576,
    TILE_SIZE = 64,   ///< pixels a side
    TILE_BLOCKS = 16, ///< 4x4-pixel blocks a side
    SAMPLES_MAX = 16,
    SMALL_SIDE = 120 * SUBPIXEL_ONE, ///< maximum extent of a small_triangle along x and y
    VISIBLE_PADDING = 16, ///< arrays of visible_samples end with this many copies of the last entry
    ID_NONE = 0,          ///< in raster_tile.id: no triangle; ids are primitive numbers + 1
};

/// A triangle to draw in tiles. Its area is positive with y down: setup has swapped corners 1, 2.
typedef struct setup_triangle {
    int32_t x[3], y[3]; ///< fx8
    float z0, zx, zy;   ///< depth at the centre of pixel (rx, ry), its steps per pixel
    float z_min, z_max; ///< of the corners: depths are clamped to this range
    int32_t rx, ry;     ///< reference pixel: the first of the bounding box
    uint32_t id;        ///< primitive number + 1
    uint32_t masked;    ///< 1: the material has an alpha test, else 0
    int32_t min_x, min_y, max_x, max_y; ///< pixels of the picture that may be covered, inclusive
} setup_triangle;

/// A triangle of at most SMALL_SIDE along x and y, whose material neither has an alpha test nor
/// blends. Most triangles are small, so they take half the memory: the raster loop computes their
/// depth planes, with the arithmetic of setup, for ZT_W of them at a time.
typedef struct small_triangle {
    int32_t x, y;     ///< corner 0, fx8
    int16_t dx1, dy1; ///< corners 1 and 2 minus corner 0, fx8, in the order of setup_triangle
    int16_t dx2, dy2; //
    float z[3];       ///< depths of the corners
    uint32_t id;      ///< primitive number + 1
} small_triangle;

/// Bits of setup_job.small_tiles: columns and rows of a box's first and last tile, column lowest.
enum {
    SMALL_TILES_FIRST_ROW = 8,
    SMALL_TILES_LAST_COLUMN = 16,
    SMALL_TILES_LAST_ROW = 24,
};

/// Visibility of one tile in block order: 16x16 blocks of 4x4 pixels, and the samples of a pixel
/// one after the other. Those of pixel (x, y) of the tile begin at
/// [y / 4 * 16 + x / 4][y % 4 * 4 + x % 4]. Samples outside the picture have any values, and are
/// not read.
typedef struct raster_tile {
    float *depth; ///< [256][16][samples]; cleared to -1: farther than every triangle
    uint32_t *id; ///< [256][16][samples]; cleared to ID_NONE. NULL, with one sample: only depths
                  ///< are drawn
} raster_tile;

/// Small triangles that are consecutive in memory.
typedef struct small_triangle_run {
    const small_triangle *first;
    uint32_t count;
} small_triangle_run;

/// The alpha test of masked materials. `lanes` are pixels (bit y % 4 * 4 + x % 4) of the 4x4 block
/// at pixel (block_x, block_y). Returns those that pass the test at the sample (sample_dx,
/// sample_dy) / 256 from the pixel centre. `id`: of the triangle.
typedef struct raster_alpha_test {
    unsigned (*survivors)(const void *user, uint32_t id, int32_t block_x, int32_t block_y,
                          int32_t sample_dx, int32_t sample_dy, unsigned lanes);
    const void *user; ///< argument of `survivors`
} raster_alpha_test;

typedef struct raster_job {
    raster_tile tile;
    int32_t tile_x, tile_y; ///< first pixel of the tile, multiples of TILE_SIZE
    int32_t sample_count;
    const int8_t (*sample)[2]; ///< offsets from the pixel centre in 1/256 px, [sample_count]
    const setup_triangle *const *triangles; ///< [count], in any order
    uint32_t count;
    const small_triangle_run *small; ///< [small_runs], in any order
    uint32_t small_runs;
    uint32_t small_behind; ///< of the last of these runs everything else hides most triangles: they
                           ///< are drawn last, and tested first
    raster_alpha_test alpha_test;
} raster_job;

/// The part of a blended triangle in one pixel: samples at which no opaque triangle is nearer.
typedef struct raster_fragment {
    float depth;      ///< at the pixel's centre, not at its samples: so of two parallel planes the
                      ///< same one is in front everywhere, at edges too
    uint32_t id;      ///< primitive number + 1
    uint16_t pixel;   ///< in block order, see raster_tile
    uint16_t samples; ///< bits of the samples that show it, never 0
} raster_fragment;

/// At edges the pixel centre may lie outside the triangle: its depth is limited to the corners'
/// range, extended by this part at both ends, or that of a sliver would be arbitrary.
#define FRAGMENT_BEYOND 0.25f

enum { FRAGMENTS_MIN_CAPACITY = TILE_SIZE * TILE_SIZE }; ///< one triangle may fill a tile

/// Blended triangles -> fragments.
typedef struct fragment_job {
    raster_job raster;     ///< its tile has the opaque triangles and is only read; `small` is empty
    int32_t width, height; ///< pixels of the tile inside the picture; others get no fragments
    int32_t first_block, end_block; ///< nor do those of blocks outside [first, end), row by row,
    const bool *is_covered;         ///< and those of these blocks; NULL: none
    uint32_t next; ///< in, out: the next triangle; `raster.count` when all are done
    raster_fragment *out;
    uint32_t capacity; ///< at least FRAGMENTS_MIN_CAPACITY
} fragment_job;

/// A fragment in the order of blending.
typedef struct sorted_fragment {
    uint64_t key;      ///< sort key, not read by the loops
    uint32_t fragment; ///< its number in the tile
    uint16_t pixel;    ///< in block order, see raster_tile
    uint16_t samples;  ///< bits of the samples that show it
} sorted_fragment;

/// Visible samples: primitives that samples of a pixel show, ending with VISIBLE_PADDING copies.
typedef struct visible_samples {
    uint32_t *id;       ///< primitive number + 1
    uint32_t *position; ///< where in the tile it is shaded, fx8: x | y << 16
    uint8_t *count;     ///< number of samples that show it
} visible_samples;

/// The visible samples of a block of 16 pixels.
typedef enum block_kind {
    BLOCK_EMPTY, ///< none
    BLOCK_PLAIN, ///< one in each pixel, shown by all its samples: most blocks of a picture
    BLOCK_MIXED, ///< any other
} block_kind;

/// Numbers of the visible samples of a 4x4 block: [first[p], first[p + 1]) are in its p-th pixel.
typedef struct block_samples {
    uint32_t first[17];
    uint32_t kind; ///< block_kind
} block_samples;

enum { TILE_FIRST_COUNT = TILE_SIZE * TILE_SIZE + 1, TILE_BLOCK_COUNT = TILE_BLOCKS * TILE_BLOCKS };

/// Visibility -> visible samples, by blocks along a Z-order curve, so that successive ones show few
/// triangles. A pixel has one for each primitive that its samples show, in the order of the first
/// sample. It is shaded at the pixel centre if all samples show it, else at the first that does,
/// inside the triangle. Pixels outside the picture have none.
typedef struct compact_job {
    raster_tile tile;
    int32_t width, height; ///< pixels of the tile inside the picture
    int32_t sample_count;
    const int8_t (*sample)[2]; ///< offsets from the pixel centre, fx8, [sample_count]
    visible_samples visible;   ///< out; capacity for all samples and VISIBLE_PADDING more
    block_samples *blocks;     ///< out; [TILE_BLOCK_COUNT], row by row
} compact_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct raster_loops {
    /// Triangles -> depth and id of one tile.
    void (*draw)(const raster_job *job);
    /// Depth and id of one tile -> visible samples; returns their number.
    uint32_t (*compact)(const compact_job *job);
    /// Blended triangles -> a tile's fragments, their number; at `capacity` stops and sets `next`.
    uint32_t (*fragments)(fragment_job *job);
} raster_loops;
