// SPDX-License-Identifier: MIT
/// Hashes of the products of each stage: when machines differ, they name the first stage that does.
/// Of values, not memory, whatever threads and the order of jobs.
#pragma once

#include "film/film.h"
#include "geometry/geometry.h"
#include "image/picture_planes.h"

/// The products in the order of zt_product_name.
typedef enum frame_product {
    PRODUCT_PALETTE,  ///< matrices of joints and nodes
    PRODUCT_VERTICES, ///< posed vertices
    PRODUCT_SETUP,    ///< triangles set up for the tiles
    PRODUCT_DEPTH,    ///< at every sample
    PRODUCT_ID,       ///< the triangle visible at every sample
    PRODUCT_COLOR,    ///< linear
    PRODUCT_PIXELS,   ///< 8-bit
    PRODUCT_FILE      ///< PNG bytes
} frame_product;

/// Products that are made tile by tile: a hash of each for each tile.
typedef struct tile_hashes {
    size_t tile_count;
    uint64_t *hash[ZT_PRODUCT_COUNT]; ///< [tile_count], or NULL
} tile_hashes;

zt_result tile_hashes_init(tile_hashes *h, arena *a, size_t tile_count, zt_error *err);
/// Sets the hashes of tile `index`, which is done.
void tile_hashes_set(tile_hashes *h, int64_t index, tile_rect rect, const tile_input *input,
                     const tile_buffers *tile, const shade_buffers *shade, const tile_blend *blend);
/// The hashes of all products of a frame, except the file.
void frame_hashes(const tile_hashes *h, const geometry_frame *geometry,
                  const picture_planes *target, uint64_t out[ZT_PRODUCT_COUNT]);

uint64_t product_hash_bytes(const void *bytes, size_t size);
