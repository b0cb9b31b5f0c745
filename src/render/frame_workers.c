// SPDX-License-Identifier: MIT
// Buffers, arenas and counters of the workers that draw a frame.
#include "render/frame_workers.h"

static zt_result prepare_worker(render_worker *worker, int32_t samples, uint32_t materials,
                                zt_error *err)
{
    worker->result = ZT_OK;
    if (worker->buffers_samples == samples && worker->buffers_materials == materials)
        return ZT_OK;
    arena_reset(&worker->keep_arena);
    worker->buffers_samples = 0;
    ZT_TRY(tile_buffers_init(&worker->tile, &worker->keep_arena, samples, err));
    ZT_TRY(shade_buffers_init(&worker->shade, &worker->keep_arena, samples, materials, err));
    worker->buffers_samples = samples;
    worker->buffers_materials = materials;
    return ZT_OK;
}

zt_result frame_workers_begin(frame_workers *w, int32_t samples, uint32_t materials, zt_error *err)
{
    for (int32_t i = 0; i < w->run_count; i++)
        w->runs[i].result = ZT_OK;
    for (int32_t i = 0; i < w->worker_count; i++)
        ZT_TRY(prepare_worker(&w->workers[i], samples, materials, err));
    return ZT_OK;
}

void frame_workers_begin_loop(frame_workers *w)
{
    for (int32_t i = 0; i < w->worker_count; i++)
        w->workers[i].lap_ns = 0;
}

zt_result frame_workers_result(const frame_workers *w, zt_error *err)
{
    zt_result result = ZT_OK;
    for (int32_t i = 0; i < w->run_count; i++)
        result = result != ZT_OK ? result : w->runs[i].result;
    for (int32_t i = 0; i < w->worker_count; i++)
        result = result != ZT_OK ? result : w->workers[i].result;
    if (result == ZT_ERR_CANCELLED)
        return cancel_fail(err);
    if (result != ZT_OK)
        return zt_fail(err, result, "a frame does not fit in memory (%s)", zt_result_name(result));
    return ZT_OK;
}

void frame_workers_take_stats(frame_workers *w, frame_stats *stats)
{
    uint64_t memory = w->workers[0].frame_arena.used + w->workers[0].blur_arena.used;
    for (int32_t i = 0; i < w->run_count; i++)
        memory += w->runs[i].arena.used;
    for (int32_t i = 0; i < w->worker_count; i++) {
        render_worker *worker = &w->workers[i];
        stats->sums.pixels_shaded += worker->pixels_shaded;
        stats->sums.model_pixels += worker->shade.model_samples;
        worker->pixels_shaded = worker->shade.model_samples = 0;
        memory += worker->tile_arena.used + worker->keep_arena.used;
        for (int s = 0; s < STAGE_COUNT; s++) {
            stats->stage_ns[s] += worker->stage_ns[s];
            worker->stage_ns[s] = 0;
        }
    }
    stats->sums.frame_memory = memory * (1u + (uint64_t)w->other_frames);
}

void frame_workers_reset(frame_workers *w)
{
    size_t capacity = 0;
    arena_reset(&w->workers[0].frame_arena);
    for (int32_t i = 0; i < w->run_count; i++)
        arena_reset(&w->runs[i].arena);
    for (int32_t i = 0; i < w->worker_count; i++) {
        arena *a = &w->workers[i].tile_arena;
        arena_reset(a);
        capacity = arena_capacity(a) > capacity ? arena_capacity(a) : capacity;
    }
    // Which worker meets the tile with the most triangles is chance: all get capacity for it.
    for (int32_t i = 0; i < w->worker_count; i++)
        arena_reserve(&w->workers[i].tile_arena, capacity);
}
