// SPDX-License-Identifier: MIT
/// The renderer's state: threads, frame memory, and what is remembered between frames. Nothing that
/// is remembered can change a pixel.
#ifndef ZT_RENDER_RENDERER_H
#define ZT_RENDER_RENDERER_H

#include "base/jobs.h"
#include "render/camera.h"
#include "render/job_order.h"
#include "render/view_pass.h"

#include <pthread.h>

/// Sums over all frames. Workers that draw frames of their own add to them at any time.
typedef struct render_totals {
    pthread_mutex_t mutex;
    zt_stats stats;
    int64_t hashed_index; ///< of the frame whose hashes `stats` holds, within a sequence
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

frame_workers renderer_workers(zt_renderer *r);
/// The worker alone. Several may draw at the same time, each on a thread of its own.
frame_workers renderer_single_worker(zt_renderer *r, int32_t worker);
/// Gives the memory of all frames back.
void renderer_release(zt_renderer *r);
/// After frames were spread over workers: gives every worker as much memory as the one with most
/// has, so that the same frames need no more of it, whoever draws them then.
void renderer_even_out(zt_renderer *r);
/// Adds what one frame took. `sequence_index`: of the frame in its sequence; the hashes of the
/// highest are kept. -1: keeps the hashes as they are.
void renderer_add_stats(zt_renderer *r, const zt_stats *frame, int64_t sequence_index);
/// Before a sequence, or a frame by itself, whose index is 0.
void renderer_begin_sequence(zt_renderer *r);

/// Automatic framing, once for a scene. Frames may be drawn only after it.
zt_result renderer_find_framing(zt_renderer *r, const zt_scene *scene, zt_error *err);
/// Draws one frame into the planes that `target` has; adds to `out_stats`.
zt_result frame_draw(zt_renderer *r, const frame_workers *workers, const zt_scene *scene,
                     frame_time time, const picture_planes *target, zt_stats *out_stats,
                     zt_error *err);
/// Frames the scene, draws frame number `frame` with all workers, or with one where memory does not
/// suffice for all, and adds to the renderer's statistics.
zt_result renderer_draw(zt_renderer *r, const zt_scene *scene, int64_t number,
                        const picture_planes *target, zt_error *err);

#endif
