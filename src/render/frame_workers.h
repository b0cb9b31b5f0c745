// SPDX-License-Identifier: MIT
/// The workers that draw a frame: their memory, buffers and counters.
#pragma once

#include "base/jobs.h"
#include "raster/tile.h"
#include "render/frame_stats.h"
#include "render/still_draws.h"
#include "shade/tile_shade.h"

/// One thread's memory and counters.
typedef struct render_worker {
    arena frame_arena; ///< memory of the frame that this worker draws alone; worker 0: of any frame
    arena blur_arena;  ///< sums of the sub-frames of that frame
    arena tile_arena;  ///< reset for each tile
    arena keep_arena;  ///< tile and shading buffers, kept while their sizes fit
    still_draws still; ///< results kept between the frames that frame_arena is for
    tile_buffers tile;
    shade_buffers shade;
    int32_t buffers_samples; ///< samples and materials that the buffers were made for
    uint32_t buffers_materials;
    zt_result result; ///< ZT_OK, or why memory ran out
    uint64_t stage_ns[STAGE_COUNT];
    trace_log *trace; ///< NULL: nobody records
    uint64_t lap_ns;  ///< when this worker's current work began; 0: not in this parallel loop
    int64_t pixels_shaded;
} render_worker;

/// Begins to time the work of a parallel loop, unless the worker has done some already.
static inline void render_worker_begin(render_worker *w)
{
    if (w->lap_ns == 0)
        w->lap_ns = job_clock_ns();
}

/// Counts the time since the last lap for a stage: one reading of the clock per piece of work.
static inline void render_worker_lap(render_worker *w, frame_stage stage)
{
    const uint64_t now = job_clock_ns();
    w->stage_ns[stage] += now - w->lap_ns;
    trace_add(w->trace, frame_stage_name(stage), w->lap_ns, now);
    w->lap_ns = now;
}

/// Memory of a run of meshlets: its set-up triangles and tile lists. The meshlets of a run depend
/// on the number of workers, not on the speed of a worker: a frame drawn again needs no more
/// memory.
typedef struct bin_run {
    arena arena;
    zt_result result; ///< ZT_OK, or why memory ran out
} bin_run;

/// The workers of one frame: all of a renderer, or one while the others draw other frames.
typedef struct frame_workers {
    job_pool *pool; ///< NULL: one worker, on the calling thread
    render_worker *workers;
    bin_run *runs;
    int32_t worker_count, run_count;
    int32_t other_frames; ///< drawn at the same time by other workers
} frame_workers;

/// Prepares for a frame of `samples` samples a pixel and `materials` materials. Tile and shading
/// buffers are made anew only when these change. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result frame_workers_begin(frame_workers *w, int32_t samples, uint32_t materials, zt_error *err);
/// Before each parallel loop: all workers begin to time their work anew.
void frame_workers_begin_loop(frame_workers *w);
/// The first failure of a worker or run, as an error.
zt_result frame_workers_result(const frame_workers *w, zt_error *err);
/// Adds all workers' counters and the frame's memory to `stats`, and clears the counters.
void frame_workers_take_stats(frame_workers *w, frame_stats *stats);
/// Empties the arenas of the frame before, drawn or failed: what they grew by becomes one block.
/// Not at the end of that frame: most programs for thumbnails draw no other.
void frame_workers_reset(frame_workers *w);
