// SPDX-License-Identifier: MIT
// Drivers of the raster loops: clear and draw a tile, then find its visible samples.
#include "raster/tile.h"

#include <string.h>

enum {
    TILE_PIXELS = TILE_SIZE * TILE_SIZE,
    // Drawn at once: triangles times samples of a pixel, since each triangle may cover the tile.
    PIECE_SAMPLES = 2048,          ///< of those that may test the alpha of all these samples
    PIECE_SMALL_SAMPLES = 1 << 15, ///< of small ones, at most 1 us for each sample of a pixel
    RUN_TRIANGLES = 64,            ///< about as many are in a run
};

zt_result tile_buffers_init(tile_buffers *t, arena *a, int32_t sample_count, zt_error *err)
{
    const size_t samples = (size_t)sample_count * TILE_PIXELS;
    t->sample_count = sample_count;
    ZT_TRY(ARENA_TAKE_RAW(a, &t->visibility.depth, samples, "tile buffers", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &t->visibility.id, samples, "tile buffers", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &t->visible.id, samples + VISIBLE_PADDING, "tile buffers", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &t->visible.position, samples + VISIBLE_PADDING, "tile buffers", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &t->visible.count, samples + VISIBLE_PADDING, "tile buffers", err));
    ZT_TRY(ARENA_TAKE_RAW(a, &t->blocks, TILE_BLOCK_COUNT, "tile buffers", err));
    return ZT_OK;
}

static uint32_t piece_triangles(const raster_job *job)
{
    return PIECE_SAMPLES / (uint32_t)job->sample_count;
}

static uint32_t piece_runs(const raster_job *job)
{
    return PIECE_SMALL_SAMPLES / RUN_TRIANGLES / (uint32_t)job->sample_count;
}

/// Draws triangles and small runs of `job` in pieces, since any number may lie in a tile; samples
/// do not depend on the order of triangles, so not on pieces. False: the work is cancelled.
static bool draw_pieces(const raster_loops *loops, const raster_job *all, arena *a)
{
    raster_job job = *all;
    const uint32_t ahead = all->small_runs - all->small_behind;
    const uint32_t piece = piece_triangles(all), runs = piece_runs(all);
    job.small_runs = job.small_behind = 0;
    for (uint32_t first = 0; first < all->count; first += piece) {
        const uint32_t left = all->count - first;
        job.triangles = all->triangles + first;
        job.count = left < piece ? left : piece;
        if (first > 0 && arena_cancelled(a))
            return false;
        loops->draw(&job);
    }
    job.count = 0;
    for (uint32_t first = 0; first < all->small_runs; first += runs) {
        const uint32_t left = all->small_runs - first;
        job.small = all->small + first;
        job.small_runs = left < runs ? left : runs;
        const uint32_t end = first + job.small_runs;
        const uint32_t behind = first > ahead ? first : ahead;
        job.small_behind = end > behind ? end - behind : 0;
        if (first > 0 && arena_cancelled(a))
            return false;
        loops->draw(&job);
    }
    return true;
}

void tile_clear_depth(const tile_buffers *t, float from, float to)
{
    const size_t samples = (size_t)t->sample_count * TILE_PIXELS;
    for (size_t i = 0; i < samples; i++)
        if (t->visibility.depth[i] == from)
            t->visibility.depth[i] = to;
}

bool tile_raster(tile_buffers *t, const raster_loops *loops, tile_rect rect,
                 const tile_input *input, raster_alpha_test alpha_test, arena *a)
{
    t->touched = tile_is_touched(input);
    if (!t->touched)
        return true; // nothing reads the visibility of an untouched tile
    const size_t samples = (size_t)t->sample_count * TILE_PIXELS;
    for (size_t i = 0; i < samples; i++)
        t->visibility.depth[i] = input->farthest > 0.0f ? input->farthest : -1.0f;
    if (t->visibility.id)
        memset(t->visibility.id, 0, samples * sizeof *t->visibility.id);
    const raster_job job = {
        .tile = t->visibility,
        .tile_x = rect.x,
        .tile_y = rect.y,
        .sample_count = t->sample_count,
        .sample = tile_pattern(t),
        .triangles = input->triangles,
        .count = input->count,
        .small = input->small,
        .small_runs = input->small_runs,
        .small_behind = input->small_behind,
        .alpha_test = alpha_test,
    };
    bool drawn = true;
    if (input->count > piece_triangles(&job) || input->small_runs > piece_runs(&job))
        drawn = draw_pieces(loops, &job, a);
    else
        loops->draw(&job);
    if (input->farthest > 0.0f)
        tile_clear_depth(t, input->farthest, -1.0f);
    return drawn;
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
                       .sample = tile_pattern(t),
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
    case 1: return one;
    case 2: return two;
    case 4: return four;
    case 8: return eight;
    case 16: return sixteen;
    default: return NULL;
    }
}

const int8_t (*even_pattern(int32_t sample_count, int32_t out_columns_rows[2]))[2]
{
    // clang-format off
    static const int8_t two[2][2] = {{-64, 0}, {64, 0}};
    static const int8_t four[4][2] = {{-64, -64}, {64, -64}, {-64, 64}, {64, 64}};
    static const int8_t eight[8][2] = {{-64, -96}, {64, -96}, {-64, -32}, {64, -32},
                                       {-64, 32}, {64, 32}, {-64, 96}, {64, 96}};
    static const int8_t sixteen[16][2] = {{-96, -96}, {-32, -96}, {32, -96}, {96, -96},
                                          {-96, -32}, {-32, -32}, {32, -32}, {96, -32},
                                          {-96, 32}, {-32, 32}, {32, 32}, {96, 32},
                                          {-96, 96}, {-32, 96}, {32, 96}, {96, 96}};
    // clang-format on
    out_columns_rows[0] = sample_count == 1 ? 1 : sample_count == 16 ? 4 : 2;
    out_columns_rows[1] = sample_count / out_columns_rows[0];
    switch (sample_count) {
    case 2: return two;
    case 4: return four;
    case 8: return eight;
    case 16: return sixteen;
    default: return sample_pattern(sample_count);
    }
}

const int8_t (*tile_pattern(const tile_buffers *t))[2]
{
    int32_t grid[2];
    return t->even ? even_pattern(t->sample_count, grid) : sample_pattern(t->sample_count);
}
