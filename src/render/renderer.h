// SPDX-License-Identifier: MIT
/// The renderer's state: threads, frame memory, and what is remembered between frames. Nothing that
/// is remembered can change a pixel.
#ifndef ZT_RENDER_RENDERER_H
#define ZT_RENDER_RENDERER_H

#include "base/jobs.h"
#include "geometry/geometry.h"
#include "render/camera.h"
#include "render/job_order.h"
#include "shade/tile_shade.h"

#include <pthread.h>

/// The triangles of a run of meshlets, filed by tile. Which meshlets form a run depends on the
/// number of workers, but not on which worker is quick: a frame drawn again needs no more memory.
typedef struct bin_run {
    arena arena; ///< set-up triangles and tile lists
    bins bins;
    zt_result failed;
} bin_run;

/// One thread's memory and counters.
typedef struct render_worker {
    arena frame_arena; ///< of the frame that this worker draws alone; worker 0: of any frame
    arena tile_arena;  ///< reset for each tile
    arena keep_arena;  ///< tile and shading buffers, kept while their sizes fit
    tile_buffers tile;
    shade_buffers shade;
    int32_t buffers_samples; ///< what keep_arena's buffers were made for
    uint32_t buffers_materials;
    zt_result failed;
    uint64_t stage_ns[ZT_STAGE_COUNT];
    int64_t pixels_shaded;
} render_worker;

/// Who draws a frame: all workers together, or one of them while the others draw other frames.
typedef struct frame_crew {
    job_pool *pool; ///< NULL: one worker, on the calling thread
    render_worker *workers;
    bin_run *runs;
    int32_t worker_count, run_count;
    int32_t frames_beside; ///< other frames that are drawn at the same time
} frame_crew;

/// Sums over all frames. Workers that draw frames of their own add to them at any time.
typedef struct render_totals {
    pthread_mutex_t mutex;
    zt_stats stats;
    int64_t hashed_turn; ///< of the frame whose hashes `stats` holds, within a sequence
} render_totals;

/// How a sequence shares its frames out; see sequence.c. Tests choose.
typedef enum frame_schedule {
    SCHEDULE_AUTO,
    SCHEDULE_SPREAD,  ///< one frame per worker
    SCHEDULE_GATHERED ///< one frame over all workers
} frame_schedule;

enum { RUNS_PER_WORKER = 4 }; ///< so that workers finish at about the same time

struct zt_renderer {
    budget budget;
    job_pool *pool;
    const kernel_table *kernels;
    int32_t worker_count;
    render_worker *workers; ///< [worker_count]
    bin_run *runs;          ///< [worker_count * RUNS_PER_WORKER]
    film_srgb *srgb;
    job_order order;
    frame_schedule schedule;
    bool hash_stages;
    atomic_bool cancelled;

    render_totals *totals;

    /// Framing of the scene rendered last; valid while the scene is the same and unedited.
    const zt_scene *framed_scene;
    uint64_t framed_stamp;
    scene_framing framing;
};

frame_crew renderer_crew(zt_renderer *r);
/// The worker alone. Several may draw at the same time, each on a thread of its own.
frame_crew renderer_lone_worker(zt_renderer *r, int32_t worker);
/// Gives the memory of all frames back.
void renderer_release(zt_renderer *r);
/// After frames were spread over workers: gives every worker as much memory as the one with most
/// has, so that the same frames need no more of it, whoever draws them then.
void renderer_even_out(zt_renderer *r);
/// Adds what one frame took. `turn` is its place in a sequence: of several frames under way the
/// hashes of the last are kept.
void renderer_add_stats(zt_renderer *r, const zt_stats *frame, int64_t turn);
/// Before a sequence, or a frame by itself, which has turn 0.
void renderer_begin_turns(zt_renderer *r);

/// Automatic framing, once for a scene. Frames may be drawn only after it.
zt_result renderer_find_framing(zt_renderer *r, const zt_scene *scene, zt_error *err);
/// Draws one frame; adds to `out_stats`.
zt_result frame_draw(zt_renderer *r, const frame_crew *crew, const zt_scene *scene, int64_t frame,
                     const zt_image *target, zt_stats *out_stats, zt_error *err);

#endif
