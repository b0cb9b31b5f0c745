// SPDX-License-Identifier: MIT
/// Workers with a renderer each take runs of shots, those of one scene together wherever they are
/// in the suite: a worker keeps its scene for the next shot that shows the same file in the same
/// way, so that a model is loaded once for its frames and sides. Results are in the suite's order.
#include "suite/suite_run.h"

#include "base/def_fields.h"
#include "base/hash.h"
#include "base/jobs.h"
#include "scene/scene.h"
#include "suite/suite_plan.h"
#include "suite/suite_shot.h"

#include <pthread.h>
#include <string.h>

/// A message about a shot, in the order in which they came.
typedef struct shot_message shot_message;
struct shot_message {
    zt_severity severity;
    const char *text;
    shot_message *next;
};

/// A scene that is kept for the next shot.
typedef struct kept_scene {
    zt_scene *scene;
    const suite_shot *shot; ///< the last one that the scene showed
    uint32_t uses;
} kept_scene;

typedef struct suite_worker {
    struct suite_job *job;
    zt_load_def load;
    zt_renderer *renderer;
    kept_scene own, other; ///< other: of the other checkout
    zt_cancel cancel;      ///< of the work on one shot
    uint64_t deadline_ns;  ///< of it; 0: none
    arena messages;
    comparison_list *texts;     ///< of the results
    shot_message **message_end; ///< where the next one is linked
} suite_worker;

typedef struct suite_job {
    const suite *s;
    const suite_run_def *def;
    suite_results *out;
    suite_plan plan;
    shot_message **messages; ///< [count] of each shot
    bool *again;             ///< [count] did not fit with others
    zt_renderer_def renderer;
    suite_worker *workers;
    int32_t worker_count;
    pthread_mutex_t lock; ///< of `done` and the caller's function
    suite_written written;
    uint32_t done;
} suite_job;

// ---- Messages -----------------------------------------------------------------------------------

static void keep_message(void *user, zt_severity severity, const char *text)
{
    suite_worker *w = user;
    shot_message *message = ARENA_ARRAY(&w->messages, shot_message, 1);
    if (!message || !w->message_end)
        return;
    *message = (shot_message){severity, arena_text(&w->messages, text, strlen(text)), NULL};
    if (!message->text)
        return;
    *w->message_end = message;
    w->message_end = &message->next;
}

/// Each text once: shots of one model have the same messages.
static void pass_messages(const suite_job *job)
{
    const zt_load_def *load = job->def->load;
    size_t total = 0, known = 0;
    hash_table table;
    if (!load->message)
        return;
    for (uint32_t i = 0; i < job->def->count; i++)
        for (const shot_message *m = job->messages[i]; m; m = m->next)
            total++;
    const char **texts = ARENA_ARRAY(&job->out->memory, const char *, total);
    if (!texts || !hash_table_init(&table, &job->out->memory, total))
        return;
    for (uint32_t i = 0; i < job->def->count; i++)
        for (const shot_message *m = job->messages[i]; m; m = m->next) {
            uint32_t *slot = hash_table_text(&table, texts, sizeof *texts, m->text);
            if (*slot != 0)
                continue;
            texts[known++] = m->text;
            *slot = (uint32_t)known;
            load->message(load->message_user, m->severity, m->text);
        }
}

// ---- One shot -----------------------------------------------------------------------------------

/// When the caller asks, or the shot takes too long.
static bool shot_cancelled(void *user)
{
    const suite_worker *w = user;
    return (w->deadline_ns > 0 && job_clock_ns() > w->deadline_ns) ||
           budget_cancelled(&w->job->out->bytes);
}

static void set_deadline(suite_worker *w)
{
    const double timeout_s = w->job->def->shot_timeout_s;
    w->deadline_ns = timeout_s > 0.0 ? job_clock_ns() + (uint64_t)(timeout_s * 1e9) : 0;
}

/// Says that a cancelled shot took too long, unless the caller has asked.
static zt_result name_timeout(const suite_worker *w, const suite_shot *shot, zt_result code,
                              zt_error *err)
{
    if (code != ZT_ERR_CANCELLED || budget_cancelled(&w->job->out->bytes))
        return code;
    return zt_fail(err, ZT_ERR_LIMIT, "%s: %.700s: stopped by --shot-timeout (after %g s)",
                   shot->name, shot->file, w->job->def->shot_timeout_s);
}

static void drop_scene(kept_scene *kept)
{
    zt_scene_destroy(kept->scene);
    *kept = (kept_scene){0};
}

/// `s`: the suite that the shot is in.
static zt_result open_scene(const suite_worker *w, kept_scene *kept, const suite *s,
                            const suite_shot *shot, zt_error *err)
{
    if (kept->scene &&
        (kept->uses >= SUITE_APPLY_LIMIT || !suite_shot_same_scene(kept->shot, shot)))
        drop_scene(kept);
    if (!kept->scene) {
        zt_load_def load = w->load;
        def_overlay(&load_table, &load, &shot->load);
        ZT_TRY(scene_load_below(shot->file, s->root_length, true, &load, &kept->scene, err));
    } else if (suite_shot_same_values(kept->shot, shot)) {
        return ZT_OK;
    }
    kept->shot = shot;
    kept->uses++;
    return zt_scene_apply(kept->scene, &shot->shot, err);
}

static zt_result open_other(void *user, const suite_shot *old, const zt_scene **out, zt_error *err)
{
    suite_worker *w = user;
    set_deadline(w); // each side has the time of a shot
    const zt_result result = open_scene(w, &w->other, w->job->s->other, old, err);
    *out = w->other.scene;
    return result;
}

static zt_result work_on_shot(suite_worker *w, const suite_shot *shot, comparison *result,
                              zt_error *err)
{
    suite_job *job = w->job;
    zt_renderer_def renderer = job->renderer;
    renderer.cancel = &w->cancel;
    if (job->s->other_fault.code != ZT_OK) {
        *err = job->s->other_fault;
        return err->code;
    }
    if (!w->renderer)
        ZT_TRY(zt_renderer_create(&renderer, &w->renderer, err));
    if (!shot->gone)
        ZT_TRY(open_scene(w, &w->own, job->s, shot, err));
    const suite_shot_job work = {.s = job->s,
                                 .written = &job->written,
                                 .renderer = w->renderer,
                                 .scene = w->own.scene,
                                 .budget = job->def->load->budget,
                                 .cancel = &w->cancel,
                                 .texts = w->texts,
                                 .update = job->def->update,
                                 .open_other = open_other,
                                 .open_user = w};
    return suite_shot_work(&work, shot, result, err);
}

/// Returns false when what failed for a lack of memory may fit alone.
static bool work_on(suite_worker *w, uint32_t index)
{
    suite_job *job = w->job;
    const suite_shot *shot = &job->s->shots[job->def->selected[index]];
    comparison *result = &job->out->list.items[index];
    zt_error err = {0};
    const uint64_t start = job_clock_ns();
    job->messages[index] = NULL;
    w->message_end = &job->messages[index];
    suite_shot_begin(job->s, shot, result);
    set_deadline(w);
    const zt_result failed = work_on_shot(w, shot, result, &err);
    const zt_result code = name_timeout(w, shot, failed, &err);
    if (code != ZT_OK) {
        drop_scene(&w->own); // it may be half of what was wanted
        drop_scene(&w->other);
        suite_shot_fail(job->s, &job->written, shot, code, err.message, w->texts, result);
    }
    result->seconds = (double)(job_clock_ns() - start) * 1e-9;
    return failed != ZT_ERR_LIMIT && failed != ZT_ERR_MEMORY;
}

static void tell(suite_job *job, uint32_t index)
{
    pthread_mutex_lock(&job->lock);
    job->done++;
    if (job->def->done)
        job->def->done(job->def->done_user, job->done, &job->out->list.items[index]);
    pthread_mutex_unlock(&job->lock);
}

static void work_on_range(void *user, int64_t index, int32_t worker)
{
    suite_job *job = user;
    const suite_range *range = &job->plan.ranges[index];
    for (uint32_t k = range->first; k < range->first + range->count; k++) {
        const uint32_t i = job->plan.order[k];
        if (budget_cancelled(&job->out->bytes))
            return;
        // What does not fit with other shots is tried alone: then the outcome is always the same.
        job->again[i] = !work_on(&job->workers[worker], i);
        if (!job->again[i])
            tell(job, i);
    }
}

static void close_worker(suite_worker *w)
{
    drop_scene(&w->own);
    drop_scene(&w->other);
    zt_renderer_destroy(w->renderer);
    w->renderer = NULL;
}

static void work_alone(suite_job *job)
{
    for (int32_t i = 0; i < job->worker_count; i++)
        close_worker(&job->workers[i]);
    for (uint32_t i = 0; i < job->def->count && !budget_cancelled(&job->out->bytes); i++) {
        if (!job->again[i])
            continue;
        close_worker(&job->workers[0]);
        (void)work_on(&job->workers[0], i);
        tell(job, i);
    }
}

// ---- The run ------------------------------------------------------------------------------------

/// A worker for each core; what cores are left over help with the pictures.
static void share_threads(suite_job *job)
{
    const int32_t wanted = job->def->renderer->threads;
    const int32_t cores = wanted > 0 ? wanted : job_core_count();
    const int32_t shots = job->def->count < 1024 ? (int32_t)job->def->count : 1024;
    int32_t workers = cores < shots ? cores : shots;
    workers = job_threads_within(&job->out->bytes, workers > 0 ? workers : 1);
    job->worker_count = workers;
    job->renderer = *job->def->renderer;
    job->renderer.threads = cores / workers > 0 ? cores / workers : 1;
}

static zt_result prepare(suite_job *job, zt_error *err)
{
    arena *memory = &job->out->memory;
    const uint32_t count = job->def->count;
    share_threads(job);
    ZT_TRY(ARENA_TAKE(memory, &job->messages, count, "results of a suite", err));
    ZT_TRY(ARENA_TAKE(memory, &job->again, count, "results of a suite", err));
    ZT_TRY(ARENA_TAKE(memory, &job->workers, (size_t)job->worker_count, "results of a suite", err));
    ZT_TRY(suite_results_add_texts(job->out, job->def->load, (uint32_t)job->worker_count, err));
    for (int32_t i = 0; i < job->worker_count; i++) {
        suite_worker *w = &job->workers[i];
        w->job = job;
        w->texts = &job->out->texts[i];
        w->load = *job->def->load;
        w->load.threads = job->renderer.threads;
        w->cancel = (zt_cancel){shot_cancelled, w};
        w->load.cancel = &w->cancel;
        w->load.message = keep_message;
        w->load.message_user = w;
        arena_init(&w->messages, &job->out->bytes);
    }
    return ZT_OK;
}

static zt_result work(suite_job *job, zt_error *err)
{
    job_pool *pool = NULL;
    ZT_TRY(suite_plan_make(job->s, job->def->selected, job->def->count, (uint32_t)job->worker_count,
                           &job->out->memory, &job->plan, err));
    ZT_TRY(job_pool_create(job->worker_count, &pool, err));
    job_pool_run(pool, job->plan.range_count, work_on_range, job);
    job_pool_destroy(pool);
    work_alone(job);
    return budget_cancelled(&job->out->bytes) ? cancel_fail(err) : ZT_OK;
}

zt_result suite_run(const suite *s, const suite_run_def *def, suite_results *out, zt_error *err)
{
    suite_job job = {.s = s, .def = def, .out = out};
    zt_result result = suite_results_begin(out, def->load, def->count, err);
    if (pthread_mutex_init(&job.lock, NULL) != 0)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a suite");
    if (result == ZT_OK)
        result = suite_written_begin(&job.written, s, &out->memory, err);
    if (result == ZT_OK)
        result = prepare(&job, err);
    if (result == ZT_OK)
        result = work(&job, err);
    if (result == ZT_OK)
        pass_messages(&job);
    for (int32_t i = 0; job.workers && i < job.worker_count; i++) {
        close_worker(&job.workers[i]);
        arena_finish(&job.workers[i].messages);
    }
    if (job.written.list && !def->part)
        suite_written_end(&job.written, &out->memory);
    suite_written_finish(&job.written);
    pthread_mutex_destroy(&job.lock);
    return result;
}

zt_result suite_results_begin(suite_results *out, const zt_load_def *load, uint32_t count,
                              zt_error *err)
{
    *out = (suite_results){0};
    comparison_list_init(&out->list, load->budget);
    budget_init_within(&out->bytes, load->budget, 0, NULL);
    cancel_init(&out->bytes.cancel, load->cancel);
    arena_init(&out->memory, &out->bytes);
    for (uint32_t i = 0; i < count; i++)
        if (!comparison_list_add(&out->list))
            return comparison_list_refused(&out->list, err);
    return ZT_OK;
}

zt_result suite_results_add_texts(suite_results *out, const zt_load_def *load, uint32_t count,
                                  zt_error *err)
{
    ZT_TRY(ARENA_TAKE(&out->memory, &out->texts, count, "results of a suite", err));
    for (; out->text_count < count; out->text_count++)
        comparison_list_init(&out->texts[out->text_count], load->budget);
    return ZT_OK;
}

void suite_results_finish(suite_results *results)
{
    for (uint32_t i = 0; i < results->text_count; i++)
        comparison_list_finish(&results->texts[i]);
    comparison_list_finish(&results->list);
    arena_finish(&results->memory);
    *results = (suite_results){0};
}
