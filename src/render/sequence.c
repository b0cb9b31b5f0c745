// SPDX-License-Identifier: MIT
/// A sequence of frames to files: chooses the frames and distributes them over workers.
///
/// Spread: each worker takes the next frame and makes all of it, so that posing, drawing, encoding
/// and writing of frames overlap. Gathered: all workers draw and encode one frame, and a thread
/// writes it meanwhile: for frames too few for every worker, such as the last ones.
///
/// Frames start in order and finish in any order. Each file is whole or absent. In one file of all
/// frames (animation.h) workers append theirs in order. Reports are in order. Memory: each frame in
/// flight has planes, an encoded file and the frame's own memory; there are as many as workers,
/// or two when gathered. Every frame has a record of 16 bytes. When memory does not suffice for all
/// frames in flight, there are fewer; only a frame that does not fit alone fails.
#include "base/file.h"
#include "base/file_temporary.h"
#include "base/handle.h"
#include "render/frame_job.h"

#include <string.h>

typedef enum frame_state { FRAME_TO_DO, FRAME_WRITTEN, FRAME_SKIPPED } frame_state;

typedef struct frame_record {
    uint64_t hash;         ///< valid once `state` says so, as `missing` is
    uint32_t missing;      ///< bits of the files that were not there
    _Atomic int32_t state; ///< frame_state
} frame_record;

/// The job of each worker, and its first failure.
typedef struct sequence_worker {
    frame_job job;
    zt_result result; ///< result of its first frame that failed, at `failed_index`
    int64_t failed_index;
} sequence_worker;

typedef struct sequence {
    zt_renderer *renderer;
    const zt_scene *scene;
    const zt_sequence_def *def;
    zt_error *err;
    frame_files files;
    int64_t total;         ///< frames of this shard; indices count them
    int64_t reported;      ///< frames before this index are done and reported
    frame_record *records; ///< [total]
    animation one_file;    ///< when one_file.writer is set: all frames go into it
    sequence_worker *workers;
    int32_t worker_count;
    int32_t in_flight;   ///< frames made at the same time
    bool tight;          ///< memory did not suffice for more frames in flight
    bool cancelled;      ///< by the caller's progress function
    int64_t first;       ///< index of the first frame of the loop that runs
    _Atomic int64_t end; ///< frames from this index on are not started
} sequence;

zt_sequence_def zt_default_sequence_def(void)
{
    return (zt_sequence_def){.encode = zt_default_encode_def(), .cookie_ = HANDLE_COOKIE};
}

static int64_t frame_at(const sequence *s, int64_t index)
{
    const int64_t step = s->def->shard_count > 1 ? s->def->shard_count : 1;
    const int64_t first = s->def->shard_count > 1 ? s->def->shard_index - 1 : 0;
    return s->scene->selected.frame[first + index * step];
}

static int64_t shard_frame_count(const zt_scene *scene, const zt_sequence_def *def)
{
    const int64_t count = scene->selected.count;
    if (def->shard_count <= 1)
        return count;
    const int64_t after = count - (def->shard_index - 1);
    return after > 0 ? (after + def->shard_count - 1) / def->shard_count : 0;
}

// ---- One frame ----------------------------------------------------------------------------------

/// Lowers `end` to `index`.
static void end_before(sequence *s, int64_t index)
{
    int64_t end = atomic_load_explicit(&s->end, memory_order_relaxed);
    while (index < end && !atomic_compare_exchange_weak_explicit(
                              &s->end, &end, index, memory_order_relaxed, memory_order_relaxed))
        ;
    if (s->one_file.writer)
        animation_end_before(&s->one_file, index);
}

/// Starts frame `index` and finds its name. False when it is not to be drawn.
static bool begin_frame(sequence *s, sequence_worker *w, int64_t index)
{
    w->job.index = index;
    if (index >= atomic_load_explicit(&s->end, memory_order_relaxed) ||
        atomic_load_explicit(&s->records[index].state, memory_order_relaxed) != FRAME_TO_DO)
        return false;
    w->result = frame_job_start(&w->job, frame_at(s, index));
    if (w->result != ZT_OK) {
        w->failed_index = index;
        end_before(s, index);
        return false;
    }
    if (!s->def->resume || !frame_job_is_done(&w->job))
        return true;
    atomic_store_explicit(&s->records[index].state, FRAME_SKIPPED, memory_order_release);
    return false;
}

static void finish_frame(sequence *s, sequence_worker *w, zt_result result)
{
    frame_record *record = &s->records[w->job.index];
    renderer_add_stats(s->renderer, &w->job.stats, w->job.index);
    if (result == ZT_OK) {
        record->hash = w->job.hash;
        record->missing = w->job.missing;
        atomic_store_explicit(&record->state, FRAME_WRITTEN, memory_order_release);
    } else {
        w->result = result;
        w->failed_index = w->job.index;
        end_before(s, w->job.index);
    }
}

// ---- Reports, on the calling thread -------------------------------------------------------------

static bool report_file(sequence *s, int64_t index, int32_t file)
{
    char path[FRAME_PATH_SIZE];
    const int64_t frame = frame_at(s, index);
    const frame_files *files = &s->files;
    const bool written = s->records[index].missing >> file & 1u;
    if (frame_path(s->def->pattern, frame, files->name[file],
                   s->one_file.writer || s->scene->selected.count == 1, path, sizeof path,
                   NULL) != ZT_OK)
        return false; // cannot happen: frame_job_name made the same name
    const zt_frame_report text = {
        .done = index * files->count + file + 1,
        .total = s->total * files->count,
        .frame = frame,
        .path = path,
        .skipped = !written,
        .hash = written && files->asked[file] & 1u << PLANE_COLOR ? s->records[index].hash : 0,
        .plane = files->named ? files->name[file] : NULL};
    return s->def->progress(s->def->progress_user, &text);
}

static bool report(sequence *s, int64_t index)
{
    bool goes_on = true;
    s->renderer->progress.files.done = (index + 1) * s->files.count;
    for (int32_t i = 0; s->def->progress && i < s->files.count && goes_on; i++)
        goes_on = report_file(s, index, i);
    return goes_on;
}

/// Reports all frames that are done up to the first that is not.
static void report_done(sequence *s)
{
    while (s->reported < s->total && !s->cancelled) {
        const frame_state state =
            (frame_state)atomic_load_explicit(&s->records[s->reported].state, memory_order_acquire);
        if (state == FRAME_TO_DO)
            return;
        s->cancelled = !report(s, s->reported++);
    }
    if (s->cancelled)
        end_before(s, 0);
}

// ---- Spread -------------------------------------------------------------------------------------

static void spread_job(void *user, int64_t index, int32_t worker)
{
    sequence *s = user;
    sequence_worker *w = &s->workers[worker];
    if (begin_frame(s, w, s->first + index)) {
        frame_workers workers = renderer_single_worker(s->renderer, worker);
        workers.other_frames = s->in_flight - 1;
        zt_result result = frame_job_draw(&w->job, &workers);
        if (result == ZT_OK)
            result = frame_job_write(&w->job);
        finish_frame(s, w, result);
    }
    if (worker == 0)
        report_done(s);
}

static void spread(sequence *s, int64_t count)
{
    s->first = s->reported;
    job_pool_run_on(s->renderer->pool, s->in_flight, count, spread_job, s);
    renderer_even_out(s->renderer);
}

// ---- Gathered -----------------------------------------------------------------------------------

typedef struct gathered_file {
    sequence_worker *worker; ///< NULL: no file is being written
    zt_result result;
    pthread_t thread;
    bool threaded;
} gathered_file;

static void *write_gathered(void *user)
{
    gathered_file *f = user;
    f->result = frame_job_write(&f->worker->job);
    return NULL;
}

static void end_gathered(sequence *s, gathered_file *f)
{
    if (!f->worker)
        return;
    if (f->threaded)
        pthread_join(f->thread, NULL);
    finish_frame(s, f->worker, f->result);
    f->worker = NULL;
    report_done(s);
}

static void gather(sequence *s, int64_t count)
{
    const frame_workers workers = renderer_workers(s->renderer);
    const int64_t first = s->reported;
    gathered_file file = {0};
    for (int64_t i = 0; i < count; i++) {
        sequence_worker *w = &s->workers[file.worker == &s->workers[0]]; // the one that is idle
        if (!begin_frame(s, w, first + i))
            continue;
        zt_result result = frame_job_draw(&w->job, &workers);
        if (result == ZT_OK)
            result = frame_job_encode_bands(&w->job);
        end_gathered(s, &file);
        if (result != ZT_OK) {
            finish_frame(s, w, result);
            continue;
        }
        file.worker = w;
        file.threaded = job_thread_start(NULL, &file.thread, write_gathered, &file);
        if (!file.threaded)
            write_gathered(&file);
    }
    end_gathered(s, &file);
}

// ---- The sequence -------------------------------------------------------------------------------

/// Frames in flight: one a worker, unless their pictures would take half of the memory.
static int32_t frames_in_flight(const sequence *s)
{
    const uint64_t planes = (uint64_t)s->scene->width * (uint64_t)s->scene->height *
                            picture_planes_pixel_size(s->files.drawn);
    const uint64_t fit =
        budget_left(&s->renderer->budget) / 2 / (3 * planes); // planes, filtered rows, file
    const int32_t workers = s->renderer->worker_count;
    return fit < 1 ? 1 : fit < (uint64_t)workers ? (int32_t)fit : workers;
}

/// The number of the `left` frames to gather. Whole rounds of all workers are spread. A last round
/// that leaves half of the workers idle is gathered, and so are all frames when few fit into
/// memory.
static int64_t frames_gathered(const sequence *s, int64_t left)
{
    const int32_t workers = s->renderer->worker_count;
    const int64_t rest = left % s->in_flight;
    if (s->tight || workers == 1 || s->renderer->schedule == SCHEDULE_SPREAD)
        return 0;
    if (2 * s->in_flight <= workers || s->renderer->schedule == SCHEDULE_GATHERED)
        return left;
    return 2 * rest <= workers ? rest : 0;
}

static void run_some(sequence *s)
{
    const int64_t left = s->total - s->reported, gathered = frames_gathered(s, left);
    atomic_store_explicit(&s->end, s->total, memory_order_relaxed);
    if (s->one_file.writer)
        animation_expect_all(&s->one_file);
    for (int32_t i = 0; i < s->worker_count; i++)
        s->workers[i].failed_index = s->total;
    if (gathered < left)
        spread(s, left - gathered);
    else
        gather(s, left);
    report_done(s);
}

/// The result of the frames so far: the failure of the first that failed.
static zt_result outcome(sequence *s)
{
    const sequence_worker *first = &s->workers[0];
    for (int32_t i = 1; i < s->worker_count; i++)
        if (s->workers[i].failed_index < first->failed_index)
            first = &s->workers[i];
    if (s->cancelled)
        return zt_fail(s->err, ZT_ERR_CANCELLED, "cancelled after frame %lld",
                       (long long)frame_at(s, s->reported - 1));
    if (first->failed_index == s->total)
        return ZT_OK;
    return zt_fail(s->err, first->result, "%s", first->job.error.message);
}

/// False when --resume finds all frames; else skips those before the first missing one.
static bool anything_to_do(sequence *s)
{
    frame_job *job = &s->workers[0].job;
    for (int64_t index = 0; index < s->total; index++) {
        if (!s->def->resume || frame_job_start(job, frame_at(s, index)) != ZT_OK ||
            !frame_job_is_done(job))
            return true;
        atomic_store_explicit(&s->records[index].state, FRAME_SKIPPED, memory_order_release);
    }
    return false;
}

/// Removes what dead runs left in the folders of the frames.
static void sweep_folders(sequence *s)
{
    frame_job *job = &s->workers[0].job;
    char folder[FRAME_PATH_SIZE] = "\n"; // no path
    for (int64_t index = 0; index < s->total; index++) {
        if (frame_job_start(job, frame_at(s, index)) != ZT_OK)
            return;
        const size_t length = path_folder_length(job->path);
        if (strncmp(folder, job->path, length) == 0 && folder[length] == '\0')
            continue;
        memcpy(folder, job->path, length);
        folder[length] = '\0';
        file_temporary_sweep(job->path, 0.0);
    }
}

/// What was reported must be there at the end of a run that resumes, too: it promises all of the
/// frames. Otherwise files belong to whom they were reported, who may have moved them.
static zt_result check_files(sequence *s)
{
    frame_job *job = &s->workers[0].job;
    for (int64_t i = 0; i < s->total * s->files.count; i++)
        if (frame_job_start(job, frame_at(s, i / s->files.count)) == ZT_OK &&
            frame_job_name(job, (int32_t)(i % s->files.count)) == ZT_OK && !file_exists(job->path))
            return zt_fail(s->err, ZT_ERR_OUTPUT,
                           "%s: vanished after it was reported (expected nobody else to remove it)",
                           job->path);
    return ZT_OK;
}

static void release(sequence *s)
{
    for (int32_t i = 0; i < s->worker_count; i++)
        frame_job_finish(&s->workers[i].job);
}

static zt_result run_all(sequence *s)
{
    if (s->def->resume)
        sweep_folders(s);
    if (anything_to_do(s))
        ZT_TRY(renderer_prepare(s->renderer, s->scene, s->err));
    s->in_flight = frames_in_flight(s);
    while (s->reported < s->total) {
        run_some(s);
        const zt_result result = outcome(s);
        const bool alone = s->renderer->worker_count == 1 || (s->tight && s->in_flight == 1);
        if (result == ZT_ERR_LIMIT && !alone) {
            // The frames that fit must not depend on what else is in flight.
            s->in_flight = (s->in_flight + 1) / 2;
            s->tight = true;
            release(s);
            renderer_release(s->renderer);
        } else if (result != ZT_OK) {
            return result;
        }
    }
    return s->def->resume ? check_files(s) : ZT_OK;
}

/// The writer, and whether all frames go into one file.
static zt_result find_writer(const zt_scene *scene, const zt_sequence_def *def,
                             const picture_writer **out, bool *out_one_file, zt_error *err)
{
    const char *pattern = def->pattern ? def->pattern : "";
    const bool has_field = frame_path_has_field(pattern, false);
    *out = picture_writer_of_path(pattern);
    if (def->encode.format)
        ZT_TRY(picture_writer_find(def->encode.format, out, err));
    if (!(*out)->format.suffix)
        return zt_fail(err, ZT_ERR_ARGUMENT, "files of %s (expected a stream, zt_render_stream)",
                       def->encode.format);
    *out_one_file = (*out)->format.stream;
    if (*out_one_file && has_field)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "%s: %s is one file of all frames (expected a name without a frame)",
                       pattern, (*out)->format.title);
    if ((*out)->many && scene->selected.count > 1 && !has_field) {
        *out = (*out)->many;
        *out_one_file = true;
    }
    if (*out_one_file && (def->resume || def->shard_count > 0))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "%s: one file of all frames can be neither resumed nor made in shards "
                       "(expected a name with ####, as frame-####.png)",
                       pattern);
    return ZT_OK;
}

static zt_result check_def(const zt_scene *scene, const zt_sequence_def *def, zt_error *err)
{
    if (!def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_render_sequence: the def does not come from zt_default_sequence_def()");
    ZT_TRY(frames_def_check(&def->encode, err));
    if (def->write)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_render_sequence: a write function (expected one only in "
                       "zt_render_stream)");
    if (def->shard_count < 0 ||
        (def->shard_count > 0 && (def->shard_index < 1 || def->shard_index > def->shard_count)))
        return zt_fail(err, ZT_ERR_ARGUMENT, "shard %d/%d (expected I/N with 1 <= I <= N)",
                       def->shard_index, def->shard_count);
    char first[FRAME_PATH_SIZE], second[FRAME_PATH_SIZE];
    if (scene->selected.count == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "no frames to render");
    ZT_TRY(zt_frame_path(def->pattern, 0, scene->selected.count == 1, first, sizeof first, err));
    ZT_TRY(zt_frame_path(def->pattern, 1, scene->selected.count == 1, second, sizeof second, err));
    return ZT_OK;
}

static zt_result open_one_file(sequence *s, const picture_writer *writer)
{
    char path[FRAME_PATH_SIZE];
    ZT_TRY(zt_frame_path(s->def->pattern, 0, true, path, sizeof path, s->err));
    return animation_open(&s->one_file, writer, path, scene_stream(s->scene, &s->def->encode),
                          &s->renderer->budget, s->err);
}

static zt_result render_sequence(zt_renderer *renderer, const zt_scene *scene,
                                 const zt_sequence_def *def, zt_error *err)
{
    const picture_writer *writer;
    frame_files files;
    bool one_file;
    ZT_TRY(check_def(scene, def, err));
    ZT_TRY(find_writer(scene, def, &writer, &one_file, err));
    ZT_TRY(frame_files_find(scene, def, writer, &files, err));
    ZT_TRY(picture_writer_check_size(writer, scene->width, scene->height, err));
    sequence s = {.renderer = renderer,
                  .scene = scene,
                  .def = def,
                  .err = err,
                  .files = files,
                  .total = shard_frame_count(scene, def),
                  .worker_count = renderer->worker_count > 2 ? renderer->worker_count : 2};
    const size_t workers_size = (size_t)s.worker_count * sizeof *s.workers;
    arena a;
    arena_init(&a, &renderer->budget);
    s.records = ARENA_ARRAY(&a, frame_record, (size_t)s.total);
    s.workers = handle_alloc(renderer->budget.allocator, workers_size);
    zt_result result = ZT_OK;
    if (!s.records)
        result = arena_fail(&a, err, "frames of a sequence");
    else if (!s.workers)
        result = zt_fail(err, ZT_ERR_MEMORY, "no memory for a sequence");
    if (result == ZT_OK && one_file)
        result = open_one_file(&s, writer);
    if (result == ZT_OK) {
        for (int32_t i = 0; i < s.worker_count; i++)
            frame_job_init(&s.workers[i].job, renderer, scene, def, writer, &s.files,
                           one_file ? &s.one_file : NULL);
        renderer_begin_sequence(renderer);
        renderer_progress_of(renderer, def, s.total, files.count);
        result = run_all(&s);
        release(&s);
    }
    if (result == ZT_OK && one_file)
        result = animation_close(&s.one_file, def->encode.fsync, err);
    animation_finish(&s.one_file);
    handle_free(renderer->budget.allocator, s.workers, workers_size);
    arena_finish(&a);
    return result;
}

zt_result zt_render_sequence(zt_renderer *renderer, const zt_scene *scene,
                             const zt_sequence_def *def, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_sequence: no renderer or no scene");
    ZT_TRY(renderer_enter(renderer, err));
    const zt_result result = render_sequence(renderer, scene, def, err);
    renderer_leave(renderer);
    return result;
}
