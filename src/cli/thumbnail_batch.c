// SPDX-License-Identifier: MIT
#include "base/file.h"
#include "base/file_temporary.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/model_workers.h"
#include "cli/thumbnail_picture.h"
#include "thumbnail/desktop_cache.h"

#include <stdlib.h>

typedef struct batch {
    thumbnail_work work;
    options *o;
    const thumbnail_item *items;
    model_workers workers;
    int code; ///< the highest
} batch;

static void make_item(batch *b, const thumbnail_item *item, thumbnail_outcome *out)
{
    thumbnail_report *report = b->work.report;
    const zt_error *begun = &b->workers.begun;
    zt_error why = {0};
    if (item->fault || begun->code != ZT_OK)
        (void)zt_fail(&why, item->fault ? ZT_ERR_INPUT : begun->code, "%.500s: %.500s", item->path,
                      item->fault ? item->fault : begun->message);
    else
        (void)file_check_pipe(item->path, &why);
    if (why.code == ZT_OK) {
        thumbnail_picture(&b->work, item->path, item->name, out);
        return;
    }
    *out = (thumbnail_outcome){.input = item->path};
    thumbnail_report_model(report);
    thumbnail_report_failure(report, why.code, why.message, out);
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
    b->work.report->progress.width = 0; // the bar is this program's, not the worker's
    model_workers_begin(&b->workers, b->o);
    b->work.renderer = b->workers.renderer;
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
        file_temporary_sweep(item->name, 0.0);
    if (!b->work.cache)
        return;
    snprintf(path, sizeof path, "%s/%s/x.png", b->work.cache, desktop_size_name(b->o->shot.width));
    file_temporary_sweep(path, 0.0);
}

/// The failure of a model that has no outcome of its own.
static void fail_item(const batch *b, const thumbnail_item *item, const worker_result *result,
                      thumbnail_outcome *out)
{
    char message[1024];
    const zt_result code = model_workers_failure(b->o, item->path, result, message, sizeof message);
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

int thumbnail_batch(const thumbnail_work *w, options *o, const thumbnail_item *items, size_t count)
{
    batch b = {.work = *w, .o = o, .items = items};
    zt_error err = {0};
    if (w->renderer || count == 0)
        return make_here(&b, count);
    model_workers_share(&b.workers, o, count, 0);
    const worker_pool_def def = {.workers = b.workers.count,
                                 .count = (int64_t)count,
                                 .item_timeout_s = o->model_timeout_s,
                                 .single = o->untrusted,
                                 .unordered = o->unordered,
                                 .begin = begin,
                                 .work = work,
                                 .done = done,
                                 .user = &b};
    const zt_result result = worker_pool_run(&def, &err);
    return result == ZT_OK ? b.code : console_fail(result, err.message);
}
