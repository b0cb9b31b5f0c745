// SPDX-License-Identifier: MIT
/// Jobs of the kernels that turn world positions into visible samples.
///
/// Screen: x right, y down, pixel centres at .5, fixed point with 8 fractional bits (fx8). The
/// viewport is at most 16384 pixels a side; the guard band reaches from -8192 to 24576 pixels, so a
/// triangle spans at most 2^15 pixels = 2^23 units and its edge products fit int64, the per-tile
/// reduction fits int32 (see raster.inl).
#ifndef ZT_RASTER_RASTER_TYPES_H
#define ZT_RASTER_RASTER_TYPES_H

#include "mesh/vertex.h"

#include <stdbool.h>
#include <stddef.h>

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

/// Screen-space vertex, structure of arrays over the (at most 64, padded to 16) vertices of a
/// meshlet. Clip space of a pixel grid: X = x_px * w, Y = y_px * w, so that a pixel position is
/// X / w; the depth is 1 / w in perspective (nearer is larger), linear from 1 (near) to 0 (far) in
/// orthographic views (w = 1).
typedef struct screen_vertices {
    float x[64], y[64], w[64]; ///< X, Y, w: homogeneous pixels
    float depth[64];
    int32_t sx[64], sy[64]; ///< snapped, valid when outcode is 0
    uint32_t outcode[64];   ///< OUTCODE_* bits; 0 = inside near and guard band
} screen_vertices;

enum {
    OUTCODE_NEAR = 1,  ///< nearer than the near plane: must be clipped
    OUTCODE_GUARD = 2, ///< outside the guard band (or behind): must be clipped
    OUTCODE_LEFT = 4,  ///< beyond this side of the picture: rejects whole triangles
    OUTCODE_RIGHT = 8,
    OUTCODE_TOP = 16,
    OUTCODE_BOTTOM = 32,
    OUTCODE_FAR = 64,      ///< orthographic views only
    OUTCODE_INVALID = 128, ///< not finite, or absurdly far: any triangle that has it is dropped
    OUTCODE_CLIP = OUTCODE_NEAR | OUTCODE_GUARD,
};

/// pixel_from_world: rows for X, Y, w, and depth numerator. See geometry/view.h.
typedef struct view_transform {
    float row_x[4], row_y[4], row_w[4];
    float row_d[4];      ///< orthographic depth; unused in perspective
    float near_w;        ///< perspective: clip where w < near_w; orthographic: where depth > 1
    float width, height; ///< pixels
    bool orthographic;
} view_transform;

typedef struct transform_job {
    const view_transform *view;
    const vertex_position *position; ///< world space, whole mesh
    const uint32_t *vertex;          ///< meshlet-local -> mesh vertex, [count]
    uint32_t count;                  ///< 1..64
    screen_vertices *out;            ///< filled to pad16(count), the rest repeats the last vertex
    float (*out_homogeneous)[4];     ///< the same X, Y, w and depth a vertex, [count], for shading
} transform_job;

/// A triangle ready for the tiles. Counter-clockwise in world is normalised to a positive area on
/// the y-down screen by swapping corners 1 and 2.
typedef struct setup_triangle {
    int32_t x[3], y[3]; ///< fx8
    float z0, zx, zy;   ///< depth at the centre of pixel (rx, ry), and its steps per pixel
    float z_min, z_max; ///< of the corners: depth is clamped to them
    int32_t rx, ry;     ///< reference pixel: the first of the bounding box
    uint32_t id;        ///< primitive number + 1
    uint32_t material;  ///< index into the frame's materials (masked ones need it)
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

/// Which faces to draw.
typedef enum setup_cull { SETUP_CULL_BACK, SETUP_CULL_FRONT, SETUP_CULL_NONE } setup_cull;

typedef struct setup_job {
    const screen_vertices *vertices;
    const uint8_t *corner[3]; ///< [pad16(count)]
    uint32_t count;           ///< triangles, 1..128
    setup_cull cull;
    int32_t width, height; ///< picture
    uint32_t first_id;     ///< id of triangle 0
    uint32_t material;
    int32_t sample_count; ///< > 1: the bounding box covers samples, not only pixel centres
    setup_triangle *out;  ///< room for `count`
    uint32_t *out_count;
    small_triangle *small; ///< room for pad16(count), or NULL: even small ones go to `out`
    uint32_t *small_tiles; ///< [pad16(count)] beside `small`: see small_tiles_* below
    uint32_t *small_count;
    uint8_t *clip_list; ///< room for `count`: triangles that must be clipped by the caller
    uint32_t *clip_count;
} setup_job;

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

/// Alpha test of masked materials, evaluated per sample; see shade_types.h.
struct shade_frame;

typedef struct raster_job {
    raster_tile tile;
    int32_t tile_x, tile_y; ///< pixel of the tile's top left corner, a multiple of TILE_SIZE
    int32_t sample_count;
    const int8_t (*sample)[2]; ///< offsets from the pixel centre in 1/256 px, [sample_count]
    const setup_triangle *const *triangles; ///< [count], any order: the result is the same
    uint32_t count;
    const raster_run *small; ///< [small_runs], as well, in any order
    uint32_t small_runs;
    const struct shade_frame *frame; ///< for masked materials
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

enum { FRAGMENTS_LEAST_ROOM = TILE_SIZE * TILE_SIZE }; ///< one triangle may fill a tile

/// Blended triangles -> fragments, in any order.
typedef struct fragment_job {
    raster_job raster;     ///< its tile holds what is opaque and is only read; no small triangles
    int32_t width, height; ///< pixels of the tile inside the picture: fragments lie there
    uint32_t next;         ///< triangle to go on with; `raster.count` when all are done
    raster_fragment *out;
    uint32_t room; ///< at least FRAGMENTS_LEAST_ROOM
} fragment_job;

#endif
