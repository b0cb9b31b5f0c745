// SPDX-License-Identifier: MIT
/// The stages of a frame: the time that they take, and hashes of their products. When machines
/// differ, the hashes name the first stage that does. They are of values, not of memory, whatever
/// the threads and the order of jobs.
#pragma once

#include "film/film.h"
#include "geometry/geometry.h"
#include "image/picture_planes.h"

/// In the order of zt_renderer_stage.
typedef enum frame_stage {
    STAGE_FRAMING, ///< automatic framing: once per scene, over its whole shot
    STAGE_LIGHT,   ///< making an environment: once per picture of light
    STAGE_POSE,
    STAGE_SKIN,
    STAGE_GEOMETRY,
    STAGE_RASTER,
    STAGE_SHADE,
    STAGE_FILM,
    STAGE_ENCODE,
    STAGE_WRITE,
    STAGE_COUNT
} frame_stage;

const char *frame_stage_name(frame_stage stage);

/// The products in the order of zt_renderer_product.
typedef enum frame_product {
    PRODUCT_PALETTE,  ///< matrices of joints and nodes
    PRODUCT_VERTICES, ///< posed vertices
    PRODUCT_SETUP,    ///< triangles set up for the tiles
    PRODUCT_DEPTH,    ///< at every sample
    PRODUCT_ID,       ///< the triangle visible at every sample
    PRODUCT_COLOR,    ///< linear
    PRODUCT_PIXELS,   ///< 8-bit
    PRODUCT_FILE,     ///< PNG bytes
    PRODUCT_COUNT
} frame_product;

const char *frame_product_name(frame_product product);

/// Times and results of a frame, or of all frames so far.
typedef struct frame_stats {
    zt_stats sums;
    uint64_t stage_ns[STAGE_COUNT];
    uint64_t hash[PRODUCT_COUNT]; ///< hashes of a frame, or of the last one; 0: not asked for
} frame_stats;

/// Products that are made tile by tile: a hash of each for each tile.
typedef struct tile_hashes {
    size_t tile_count;
    uint64_t *hash[PRODUCT_COUNT]; ///< [tile_count], or NULL
} tile_hashes;

zt_result tile_hashes_init(tile_hashes *h, arena *a, size_t tile_count, zt_error *err);
/// Sets the hashes of tile `index`, which is done.
void tile_hashes_set(tile_hashes *h, int64_t index, tile_rect rect, const tile_input *input,
                     const tile_buffers *tile, const shade_buffers *shade, const tile_blend *blend);
/// The hashes of all products of a frame, except the file.
void frame_hashes(const tile_hashes *h, const geometry_frame *geometry,
                  const picture_planes *target, uint64_t out[PRODUCT_COUNT]);

uint64_t product_hash_bytes(const void *bytes, size_t size);
