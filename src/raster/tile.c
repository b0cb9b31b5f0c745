// SPDX-License-Identifier: MIT
// Drivers of the raster loops: clear and draw a tile, then find its visible samples.
#include "raster/tile.h"

#include <string.h>

enum { TILE_PIXELS = TILE_SIZE * TILE_SIZE };

zt_result tile_buffers_init(tile_buffers *t, arena *a, int32_t sample_count, zt_error *err)
{
    const size_t samples = (size_t)sample_count * TILE_PIXELS;
    t->sample_count = sample_count;
    t->visibility.depth = ARENA_ARRAY_RAW(a, float, samples);
    t->visibility.id = ARENA_ARRAY_RAW(a, uint32_t, samples);
    t->visible.id = ARENA_ARRAY_RAW(a, uint32_t, samples + VISIBLE_PADDING);
    t->visible.position = ARENA_ARRAY_RAW(a, uint32_t, samples + VISIBLE_PADDING);
    t->visible.count = ARENA_ARRAY_RAW(a, uint8_t, samples + VISIBLE_PADDING);
    t->blocks = ARENA_ARRAY_RAW(a, block_samples, TILE_BLOCK_COUNT);
    if (!t->visibility.depth || !t->visibility.id || !t->visible.id || !t->visible.position ||
        !t->visible.count || !t->blocks)
        return arena_fail(a, err, "tile buffers");
    return ZT_OK;
}

void tile_raster(tile_buffers *t, const raster_loops *loops, tile_rect rect,
                 const tile_input *input, raster_alpha_test alpha_test)
{
    t->touched = tile_is_touched(input);
    if (!t->touched)
        return; // nothing reads the visibility of an untouched tile
    const size_t samples = (size_t)t->sample_count * TILE_PIXELS;
    for (size_t i = 0; i < samples; i++)
        t->visibility.depth[i] = -1.0f;
    if (t->visibility.id)
        memset(t->visibility.id, 0, samples * sizeof *t->visibility.id);
    const raster_job job = {
        .tile = t->visibility,
        .tile_x = rect.x,
        .tile_y = rect.y,
        .sample_count = t->sample_count,
        .sample = sample_pattern(t->sample_count),
        .triangles = input->triangles,
        .count = input->count,
        .small = input->small,
        .small_runs = input->small_runs,
        .small_behind = input->small_behind,
        .alpha_test = alpha_test,
    };
    loops->draw(&job);
}

void tile_compact(tile_buffers *t, const raster_loops *loops, tile_rect rect)
{
    t->visible_count = 0;
    if (!t->touched)
        return;
    compact_job job = {.tile = t->visibility,
                       .width = rect.width,
                       .height = rect.height,
                       .sample_count = t->sample_count,
                       .sample = sample_pattern(t->sample_count),
                       .visible = t->visible,
                       .blocks = t->blocks};
    t->visible_count = loops->compact(&job);
}

const int8_t (*sample_pattern(int32_t sample_count))[2]
{
    // clang-format off
    static const int8_t one[1][2] = {{0, 0}};
    static const int8_t two[2][2] = {{64, 64}, {-64, -64}};
    static const int8_t four[4][2] = {{-32, -96}, {96, -32}, {-96, 32}, {32, 96}};
    static const int8_t eight[8][2] = {{16, -48}, {-16, 48}, {80, 16}, {-48, -80},
                                       {-80, 80}, {-112, -16}, {48, 112}, {112, -112}};
    static const int8_t sixteen[16][2] = {{16, 16}, {-16, -48}, {-48, 32}, {64, -16},
                                          {-80, -32}, {32, 80}, {80, 48}, {48, -80},
                                          {-32, 96}, {0, -112}, {-64, -96}, {-96, 64},
                                          {-128, 0}, {112, -64}, {96, 112}, {-112, -128}};
    // clang-format on
    switch (sample_count) {
    case 1:
        return one;
    case 2:
        return two;
    case 4:
        return four;
    case 8:
        return eight;
    case 16:
        return sixteen;
    default:
        return NULL;
    }
}
