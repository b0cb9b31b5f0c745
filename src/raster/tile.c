// SPDX-License-Identifier: MIT
// Drivers of the raster loops: clear and draw a tile, then find its visible samples.
#include "raster/tile.h"

#include "raster/sample_pattern.h"

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
    t->touched = input->count > 0 || input->small_runs > 0 || input->blended_count > 0;
    if (!t->touched)
        return; // tile_compact will not read the visibility either
    const size_t samples = (size_t)t->sample_count * TILE_PIXELS;
    for (size_t i = 0; i < samples; i++)
        t->visibility.depth[i] = -1.0f;
    memset(t->visibility.id, 0, samples * sizeof *t->visibility.id);
    const raster_job job = {
        .tile = t->visibility,
        .tile_x = rect.x,
        .tile_y = rect.y,
        .sample_count = t->sample_count,
        .sample = tile_sample_pattern(t->sample_count),
        .triangles = input->triangles,
        .count = input->count,
        .small = input->small,
        .small_runs = input->small_runs,
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
                       .sample = tile_sample_pattern(t->sample_count),
                       .visible = t->visible,
                       .blocks = t->blocks};
    t->visible_count = loops->compact(&job);
}

const int8_t (*tile_sample_pattern(int32_t sample_count))[2]
{
    return sample_pattern(sample_count);
}
