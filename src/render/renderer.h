// SPDX-License-Identifier: MIT
/// A renderer's state: threads, memory, and what is kept between frames, which changes no pixel.
#pragma once

#include "base/jobs.h"
#include "environment/radiance_map.h"
#include "image/picture_planes.h"
#include "render/camera.h"
#include "render/frame_workers.h"
#include "render/job_order.h"
#include "render/subframes.h"
#include "scene/spring_trail.h"
#include "trace/trace_collect.h"

#include <pthread.h>

/// Sums over all frames. Workers that draw different frames add to them at any time.
typedef struct render_totals {
    pthread_mutex_t mutex;
    frame_stats stats;
    int64_t hashed_index; ///< index in its sequence of the frame whose hashes `stats` has
} render_totals;

/// The way in which a sequence distributes its frames; see sequence.c. Only tests choose.
typedef enum frame_schedule {
    SCHEDULE_AUTO,
    SCHEDULE_SPREAD,  ///< one frame per worker
    SCHEDULE_GATHERED ///< one frame over all workers
} frame_schedule;

/// The environment of the last scene that had one: what it was made from, and the result.
typedef struct kept_environment {
    arena arena;
    scene_environment_kind kind; ///< SCENE_ENVIRONMENT_AMBIENT: there is none yet
    uint64_t hash;               ///< hash of the file
    environment made;
    radiance_keep radiance; ///< its picture, for rays: renderer_radiance_map
} kept_environment;

/// The frame of the last rays, until something is drawn: calls of few rays in a row share its tree.
typedef struct kept_rays {
    arena arena;
    const zt_scene *scene; ///< NULL: there is none
    uint64_t stamp;        ///< of the scene
    int64_t number;        ///< of the frame
    geometry_frame geometry;
    trace_posed posed;
} kept_rays;

/// The progress of a frame that is drawn alone: rows of rays, and tiles of the camera's passes.
typedef struct frame_progress {
    void (*report)(void *user, double share); ///< NULL: none
    void *user;
    bool on; ///< not while frames of a sequence are drawn
    int32_t pass, pass_count;
    int64_t tiles;
    _Atomic int64_t done; ///< tiles that are done
    double shown;         ///< the last share: a frame that one worker draws again shows more only
    const zt_sequence_def *sequence; ///< that hears of samples; NULL: none
    zt_frame_report files;           ///< of it: done, total, and the share of one frame
    _Atomic int64_t parts;           ///< of its frames, traced: 2^32 in a frame
} frame_progress;

enum { RUNS_PER_WORKER = 4 }; ///< so that workers finish at about the same time

struct zt_renderer {
    budget budget;
    job_pool *pool;
    const kernel_table *kernels; ///< &kernel_mix.table
    kernel_mix kernel_mix;
    int32_t worker_count;
    render_worker *workers; ///< [worker_count]
    bin_run *runs;          ///< [worker_count * RUNS_PER_WORKER]
    film_srgb *srgb;
    job_order order;
    frame_schedule schedule;
    bool hash_stages;
    atomic_bool busy; ///< a call draws with it
    frame_progress progress;

    render_totals *totals;

    /// Automatic framing of the last scene; valid while the scene is the same and unedited.
    const zt_scene *framed_scene;
    uint64_t framed_stamp;
    scene_framing framing;
    spring_trail trail; ///< spring states of the same scene
    arena trail_arena;

    kept_environment environment;
    kept_rays rays;
    char *cache_folder; ///< folder that keeps environments; NULL: none
};

/// Begins a public call that draws. ZT_ERR_ARGUMENT: another one has not ended, on any thread.
zt_result renderer_enter(zt_renderer *r, zt_error *err);
void renderer_leave(zt_renderer *r);
frame_workers renderer_workers(zt_renderer *r);
/// One worker alone. Several may draw at the same time, each on its own thread.
frame_workers renderer_single_worker(zt_renderer *r, int32_t worker);
void renderer_forget_rays(zt_renderer *r);
/// Frees the memory of all frames, with rays.
void renderer_release(zt_renderer *r);
/// After frames were spread over workers: gives every worker as much memory as the largest has, so
/// that the same frames need no more, whichever worker draws them.
void renderer_even_out(zt_renderer *r);
/// Adds the statistics of one frame. `sequence_index`: of the frame in its sequence; the hashes of
/// the highest index are kept. -1: keeps the hashes as they are.
void renderer_add_stats(zt_renderer *r, const frame_stats *frame, int64_t sequence_index);
/// Starts the indices of a sequence. A single frame has index 0.
void renderer_begin_sequence(zt_renderer *r);

/// Finds spring states and framing, once a scene: what poses need.
zt_result renderer_prepare_framing(zt_renderer *r, const zt_scene *scene, zt_error *err);
/// Finds these and the environment. frame_draw requires it.
zt_result renderer_prepare(zt_renderer *r, const zt_scene *scene, zt_error *err);
/// Makes a scene's environment, unless kept (frame_environment.c). *out_ns: the time it took.
zt_result renderer_prepare_environment(zt_renderer *r, const zt_scene *scene, uint64_t *out_ns,
                                       zt_error *err);
/// The picture of the environment that was prepared for `scene`, with its distribution: made on the
/// first call, from any thread, and valid until another environment is. Black without one.
zt_result renderer_radiance_map(zt_renderer *r, const zt_scene *scene, radiance_map *out,
                                zt_error *err);
/// Pass number `pass` of `pass_count` begins to draw its tiles. `sub`: NULL, or it is one of those.
void renderer_progress_begin(zt_renderer *r, const subframe *sub, int32_t pass, int32_t pass_count,
                             int64_t tiles);
/// `worker` has drawn a tile.
void renderer_progress_tile(zt_renderer *r, const render_worker *worker);
/// A sequence begins. It counts the files that are done in progress.files.
void renderer_progress_of(zt_renderer *r, const zt_sequence_def *def, int64_t frames,
                          int64_t files);
/// Draws one frame into the planes that `target` has; adds to `out_stats`.
zt_result frame_draw(zt_renderer *r, const frame_workers *workers, const zt_scene *scene,
                     frame_time time, const picture_planes *target, frame_stats *out_stats,
                     zt_error *err);
/// Finds the framing and draws frame `number` on all workers, or on one if memory is short.
zt_result renderer_draw(zt_renderer *r, const zt_scene *scene, int64_t number,
                        const picture_planes *target, zt_error *err);
