// SPDX-License-Identifier: MIT
/// Hashes of what each stage hands on: a mismatch between two machines names the first stage that
/// differs. All are independent of threads and of the order of jobs.
#ifndef ZT_RENDER_FRAME_STATS_H
#define ZT_RENDER_FRAME_STATS_H

#include "geometry/geometry.h"
#include "raster/tile.h"

/// FNV-1a 64.
uint64_t stage_hash_bytes(const void *bytes, size_t size);
uint64_t stage_hash_palettes(const geometry_frame *frame);
uint64_t stage_hash_vertices(const geometry_frame *frame);
/// Homogeneous vertices of every meshlet.
uint64_t stage_hash_geometry(const geometry_frame *frame, const shade_meshlet *meshlets);
/// Depth and id of every sample of a tile.
uint64_t stage_hash_visibility(const tile_buffers *tile);

#endif
