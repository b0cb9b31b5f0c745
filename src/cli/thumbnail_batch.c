// SPDX-License-Identifier: MIT
/// See thumbnail_batch.h. A worker has a renderer of its own, and its share of threads and memory.
#include "cli/thumbnail_batch.h"

#include "base/machine.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/sandbox.h"
#include "cli/worker_pool.h"
#include "report/report.h"
#include "thumbnail/desktop_cache.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef ZT_SANDBOX_HOLE
/// As in main.c.
int sandbox_hole_try(void);
#endif

/// Memory that a model may need: fewer workers share less of it.
#define WORKER_BYTES ((uint64_t)256 << 20)

typedef struct batch {
    thumbnail_work work;
    options *o;
    const thumbnail_item *items;
    int32_t workers, threads; ///< threads: of each worker
    zt_error begun;           ///< in a worker: why it has no renderer
    int code;                 ///< the highest
} batch;

static void make_item(batch *b, const thumbnail_item *item, thumbnail_outcome *out)
{
    thumbnail_report *report = b->work.report;
    char message[1024];
    if (!item->fault && b->work.renderer) {
        thumbnail_picture(&b->work, item->path, item->name, out);
        return;
    }
    *out = (thumbnail_outcome){.input = item->path};
    snprintf(message, sizeof message, "%.500s: %.500s", item->path,
             item->fault ? item->fault : b->begun.message);
    thumbnail_report_model(report);
    thumbnail_report_failure(report, item->fault ? ZT_ERR_INPUT : b->begun.code, message, out);
    thumbnail_report_outcome(report, out);
}

/// A model that the stop has reached first.
static void skip_item(batch *b, const thumbnail_item *item, thumbnail_outcome *out)
{
    *out = (thumbnail_outcome){.input = item->path};
    thumbnail_report_model(b->work.report);
    thumbnail_report_failure(b->work.report, ZT_ERR_CANCELLED, "", out);
    snprintf(out->message, sizeof out->message, "not begun: %s", interrupt_message());
    thumbnail_report_outcome(b->work.report, out);
}

static void add_code(batch *b, int code) { b->code = code > b->code ? code : b->code; }

static int make_here(batch *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        thumbnail_outcome one;
        if (interrupt_raised())
            skip_item(b, &b->items[i], &one);
        else
            make_item(b, &b->items[i], &one);
        add_code(b, one.code);
    }
    return b->code;
}

// ---- In a worker --------------------------------------------------------------------------------

static void begin(void *user)
{
    batch *b = user;
    options *o = b->o;
    thumbnail_report *report = b->work.report;
    zt_renderer *renderer = NULL;
    zt_budget *budget = NULL;
    if (!sandbox_worker(o))
        _exit((int)ZT_ERR_UNSUPPORTED);
#ifdef ZT_SANDBOX_HOLE
    const int open_ways = sandbox_hole_try();
    fflush(stdout);
    _exit(open_ways);
#endif
    report->progress.width = 0; // the bar is this program's, not the worker's
    zt_result result =
        zt_budget_create(o->max_memory / (uint64_t)b->workers, NULL, &budget, &b->begun);
    if (result == ZT_OK)
        result = zt_budget_set_limits(budget, &o->limits, &b->begun);
    o->load.budget = o->renderer.budget = budget;
    o->renderer.threads = b->threads;
    if (result == ZT_OK)
        result = zt_renderer_create(&o->renderer, &renderer, &b->begun);
    b->work.renderer = result == ZT_OK ? renderer : NULL;
    b->begun.code = result;
}

static void work(void *user, int64_t index, FILE *out)
{
    batch *b = user;
    thumbnail_outcome one;
    b->work.report->pack = out;
    make_item(b, &b->items[index], &one);
}

// ---- In this process ----------------------------------------------------------------------------

/// Removes the file that a worker was writing when it was ended.
static void sweep(const batch *b, const thumbnail_item *item)
{
    char path[DESKTOP_PATH_SIZE + 128];
    if (item->name)
        report_sweep_folder(item->name);
    if (!b->work.cache)
        return;
    snprintf(path, sizeof path, "%s/%s/x.png", b->work.cache, desktop_size_name(b->o->shot.width));
    report_sweep_folder(path);
}

/// The failure of a model that has no outcome of its own.
static void fail_item(const batch *b, const thumbnail_item *item, const worker_result *result,
                      thumbnail_outcome *out)
{
    char message[1024];
    zt_result code = ZT_ERR_INTERNAL;
    snprintf(message, sizeof message, "%.700s: its process ended (expected a picture)", item->path);
    if (result->end == WORKER_TIMED_OUT) {
        code = ZT_ERR_LIMIT;
        snprintf(message, sizeof message, "%.700s: stopped by --model-timeout (after %g s)",
                 item->path, b->o->model_timeout_s);
    } else if (result->end == WORKER_STOPPED) {
        code = ZT_ERR_CANCELLED;
    } else if (result->end == WORKER_DIED && result->exit_code == (int)ZT_ERR_MEMORY) {
        code = ZT_ERR_MEMORY;
        snprintf(message, sizeof message, "%.700s: no memory for its outcome", item->path);
    } else if (result->end == WORKER_DIED && result->signal > 0) {
        snprintf(message, sizeof message, "%.700s: its process was ended by signal %d%s",
                 item->path, result->signal,
                 result->signal == 9 ? " (often for a lack of memory: see --jobs)"
                                     : " (expected none: a fault of the program)");
    }
    *out = (thumbnail_outcome){
        .input = item->path, .file = item->name, .seconds = result->seconds, .timed = true};
    thumbnail_report_failure(b->work.report, code, message, out);
    sweep(b, item);
}

static void done(void *user, int64_t index, const worker_result *result)
{
    batch *b = user;
    const thumbnail_item *item = &b->items[index];
    thumbnail_report *report = b->work.report;
    const bool stopped = interrupt_raised();
    thumbnail_outcome one;
    char *room = NULL;
    if (result->end == WORKER_NOT_BEGUN) {
        skip_item(b, item, &one);
        add_code(b, one.code);
        return;
    }
    thumbnail_report_model(report);
    if (result->message_size > 0 && !stopped) {
        progress_clear(&report->progress);
        fwrite(result->messages, 1, result->message_size, stderr);
    }
    worker_result end = *result;
    if (end.end == WORKER_DONE) {
        const zt_result unpacked =
            thumbnail_report_unpack(report, end.bytes, end.size, &room, &one);
        if (unpacked != ZT_OK)
            end = (worker_result){
                .end = WORKER_DIED, .exit_code = (int)unpacked, .seconds = end.seconds};
    }
    if (end.end != WORKER_DONE)
        fail_item(b, item, &end, &one);
    else if (stopped && one.code >= 128) // by the signal that has told it
        fail_item(b, item, &(worker_result){.end = WORKER_STOPPED, .seconds = end.seconds}, &one);
    else if (one.code > 0 && result->message_size == 0) // lost for a lack of memory
        (void)console_fail((zt_result)one.code, one.message);
    one.input = item->path;
    thumbnail_report_outcome(report, &one);
    add_code(b, one.code);
    free(room);
}

static void share_machine(batch *b, size_t models)
{
    const options *o = b->o;
    const int32_t threads = o->renderer.threads > 0 ? o->renderer.threads : machine_read("").cores;
    const uint64_t fit = o->max_memory / WORKER_BYTES;
    int32_t jobs = o->jobs > 0 ? o->jobs : threads;
    if (o->jobs == 0 && (uint64_t)jobs > fit)
        jobs = fit > 1 ? (int32_t)fit : 1;
    jobs = jobs < WORKERS_MAX ? jobs : WORKERS_MAX;
    b->workers = (size_t)jobs < models ? jobs : (int32_t)models;
    b->threads = threads > b->workers ? threads / b->workers : 1;
}

int thumbnail_batch(const thumbnail_work *w, options *o, const thumbnail_item *items, size_t count)
{
    batch b = {.work = *w, .o = o, .items = items};
    zt_error err = {0};
    if (w->renderer || count == 0)
        return make_here(&b, count);
    share_machine(&b, count);
    const worker_pool_def def = {.workers = b.workers,
                                 .count = (int64_t)count,
                                 .item_timeout_s = o->model_timeout_s,
                                 .unordered = o->unordered,
                                 .begin = begin,
                                 .work = work,
                                 .done = done,
                                 .user = &b};
    const zt_result result = worker_pool_run(&def, &err);
    return result == ZT_OK ? b.code : console_fail(result, err.message);
}
