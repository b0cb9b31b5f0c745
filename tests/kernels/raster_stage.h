// SPDX-License-Identifier: MIT
/// Random triangles through the setup kernel into tiles, for tests of the raster kernels.
#pragma once

#include "kernels/kernels.h"
#include "random_inputs.h"

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE };

typedef struct corner_fx8 {
    int32_t x, y;
    float z;
} corner_fx8;

typedef struct tile_memory {
    _Alignas(64) float depth[SAMPLES_MAX * TILE_PIXELS];
    _Alignas(64) uint32_t id[SAMPLES_MAX * TILE_PIXELS];
} tile_memory;

/// Index of a pixel in a tile.
static inline size_t block_linear(int32_t x, int32_t y)
{
    return (size_t)((y / 4 * TILE_BLOCKS + x / 4) * 16 + y % 4 * 4 + x % 4);
}

void tile_clear(tile_memory *t, int32_t samples);
/// One triangle through the setup kernel, in a picture of 16384 x 16384. Returns how many it keeps.
uint32_t set_up(const kernel_table *k, const corner_fx8 c[3], setup_cull cull, int32_t samples,
                uint32_t id, setup_triangle *out);
/// Triangles into the tile whose first pixel is (tile_x, tile_y).
void draw(const kernel_table *k, tile_memory *t, int32_t tile_x, int32_t tile_y, int32_t samples,
          const setup_triangle *const *list, uint32_t count);
int32_t clamp_guard(int32_t v);
/// Triangles by fx8 point (cx, cy): small, tile-sized, slivers, giants, corners on samples.
void random_triangle(random_state *r, int32_t cx, int32_t cy, corner_fx8 c[3]);
void shuffle(random_state *r, const setup_triangle **list, uint32_t count);
