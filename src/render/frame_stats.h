// SPDX-License-Identifier: MIT
/// Hashes of what each stage hands on: a mismatch between two machines names the first stage that
/// differs. They cover what things mean, not how they lie in memory, and are independent of threads
/// and of the order of jobs.
#ifndef ZT_RENDER_FRAME_STATS_H
#define ZT_RENDER_FRAME_STATS_H

#include "geometry/geometry.h"
#include "shade/tile_shade.h"

/// Products that are made tile by tile, each with a hash per tile.
typedef struct tile_hashes {
    size_t tile_count;
    uint64_t *hash[ZT_PRODUCT_COUNT]; ///< [tile_count], or NULL
} tile_hashes;

zt_result tile_hashes_init(tile_hashes *h, arena *a, size_t tile_count, zt_error *err);
/// Tile `index` of the frame is done.
void tile_hashes_set(tile_hashes *h, int64_t index, tile_rect rect, const tile_input *input,
                     const tile_buffers *tile, const shade_buffers *shade, const tile_blend *blend);
/// All products of a frame into `out`, but for the file.
void frame_hashes(const tile_hashes *h, const geometry_frame *geometry, const zt_image *target,
                  uint64_t out[ZT_PRODUCT_COUNT]);

uint64_t product_hash_bytes(const void *bytes, size_t size);

#endif
