// SPDX-License-Identifier: MIT
#include "cli/test_workers.h"

#include "base/jobs.h"
#include "cli/interrupt.h"
#include "cli/model_workers.h"
#include "report/comparison_pack.h"
#include "suite/suite_plan.h"
#include "suite/suite_shot.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// For a shot to end by itself after --shot-timeout.
#define GRACE_S 2.0

typedef struct test_batch {
    options o; ///< in a worker: with its budget
    const suite *s;
    const suite_run_def *def;
    model_workers workers;
    suite_results *out;
    suite_written written;
    suite_plan plan;
    const uint32_t *alone; ///< [alone_count] shots that are tried again; NULL: the first time
    uint32_t alone_count;
    bool *again; ///< [def->count] not done yet, or did not fit with others
    uint32_t done;
    const char **printed; ///< [printed_count] lines of messages; [printed_room]
    size_t printed_count, printed_room;
} test_batch;

/// The shots of an item: indices into def->selected.
static const uint32_t *item_shots(const test_batch *b, int64_t item, uint32_t *out_count)
{
    const suite_range *range = &b->plan.ranges[item];
    *out_count = b->alone ? 1 : range->count;
    return b->alone ? &b->alone[item] : b->plan.order + range->first;
}

// ---- In a worker --------------------------------------------------------------------------------

static void begin(void *user)
{
    test_batch *b = user;
    (void)model_workers_enter(&b->workers, &b->o);
}

static void work(void *user, int64_t item, FILE *out)
{
    test_batch *b = user;
    zt_error err = b->workers.begun;
    uint32_t count;
    const uint32_t *shots = item_shots(b, item, &count);
    uint32_t *selected = calloc(count, sizeof *selected);
    for (uint32_t i = 0; i < count && selected; i++)
        selected[i] = b->def->selected[shots[i]];
    suite_run_def def = *b->def;
    def.load = &b->o.load;
    def.renderer = &b->o.renderer;
    def.selected = selected;
    def.count = count;
    def.part = true;
    def.done = NULL;
    suite_results results = {0};
    if (!selected || err.code != ZT_OK || suite_run(b->s, &def, &results, &err) != ZT_OK)
        _exit(interrupt_raised() ? 0 : (int)ZT_ERR_MEMORY);
    for (uint32_t i = 0; i < count; i++)
        comparison_pack(&results.list.items[i], out);
    suite_results_finish(&results);
    free(selected);
}

// ---- In this process ----------------------------------------------------------------------------

/// Each line once: shots of one model have the same messages.
static void print_line(test_batch *b, const char *line, size_t length)
{
    for (size_t i = 0; i < b->printed_count; i++)
        if (strncmp(b->printed[i], line, length) == 0 && b->printed[i][length] == 0)
            return;
    if (b->printed_count == b->printed_room) {
        const size_t room = 2 * b->printed_room + 16;
        const char **larger = ARENA_ARRAY(&b->out->memory, const char *, room);
        if (larger && b->printed_count > 0)
            memcpy(larger, b->printed, b->printed_count * sizeof *larger);
        b->printed = larger ? larger : b->printed;
        b->printed_room = larger ? room : b->printed_room;
    }
    const char *copy = arena_text(&b->out->memory, line, length);
    if (copy && b->printed_count < b->printed_room)
        b->printed[b->printed_count++] = copy;
    fprintf(stderr, "%.*s\n", (int)length, line);
}

static void print_messages(test_batch *b, const worker_result *result)
{
    const char *at = result->messages;
    if (result->message_size == 0) // there may be no bytes
        return;
    for (const char *end = at + result->message_size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        print_line(b, at, (size_t)(stop - at));
        at = stop + 1;
    }
}

static void tell(test_batch *b, uint32_t shot)
{
    b->again[shot] = false;
    b->done++;
    if (b->def->done)
        b->def->done(b->def->done_user, b->done, &b->out->list.items[shot]);
}

/// A shot that was alone and has no outcome.
static void fail_shot(test_batch *b, uint32_t index, const worker_result *result)
{
    const suite_shot *shot = &b->s->shots[b->def->selected[index]];
    comparison *item = &b->out->list.items[index];
    char why[1024], message[1200];
    const zt_result code = model_workers_failure(&b->o, shot->file, result, why, sizeof why);
    if (result->end == WORKER_TIMED_OUT)
        snprintf(why, sizeof why, "%.700s: stopped by --shot-timeout (after %g s)", shot->file,
                 b->def->shot_timeout_s);
    snprintf(message, sizeof message, "%.100s: %s", shot->name, why);
    suite_shot_begin(b->s, shot, item);
    item->seconds = result->seconds;
    suite_shot_fail(b->s, &b->written, shot, code, message, b->out->texts, item);
}

/// True when all outcomes of an item have come.
static bool take_outcomes(test_batch *b, const uint32_t *shots, uint32_t count,
                          const worker_result *result)
{
    const char *bytes = result->bytes;
    size_t size = result->size;
    if (result->end != WORKER_DONE)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!comparison_unpack(&bytes, &size, b->out->texts, &b->out->list.items[shots[i]]))
            return false;
    return size == 0;
}

static void done(void *user, int64_t item, const worker_result *result)
{
    test_batch *b = user;
    uint32_t count;
    const uint32_t *shots = item_shots(b, item, &count);
    if (interrupt_raised())
        return;
    const bool whole = take_outcomes(b, shots, count, result);
    if (!whole && !b->alone)
        return; // the next time
    print_messages(b, result);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t code = b->out->list.items[shots[i]].code;
        if (!whole)
            fail_shot(b, shots[i], result);
        else if (!b->alone && b->workers.count > 1 &&
                 (code == (int32_t)ZT_ERR_LIMIT || code == (int32_t)ZT_ERR_MEMORY))
            continue; // with all of the memory
        tell(b, shots[i]);
    }
}

/// Runs `count` items, each of at most `shots` shots.
static zt_result run_items(test_batch *b, uint32_t count, uint32_t shots, zt_error *err)
{
    const double timeout_s = b->def->shot_timeout_s;
    const worker_pool_def pool = {
        .workers = b->workers.count,
        .count = count,
        .item_timeout_s =
            timeout_s > 0.0 ? timeout_s * shots * (b->s->other ? 2 : 1) + GRACE_S : 0.0,
        .single = b->o.untrusted,
        .begin = begin,
        .work = work,
        .done = done,
        .user = b};
    const zt_result result = worker_pool_run(&pool, err);
    if (result != ZT_OK || !interrupt_raised())
        return result;
    return zt_fail(err, ZT_ERR_CANCELLED, "%s", interrupt_message());
}

/// Shots without an outcome, one by one.
static zt_result run_alone(test_batch *b, zt_error *err)
{
    uint32_t *alone;
    ZT_TRY(ARENA_TAKE(&b->out->memory, &alone, b->def->count, "results of a suite", err));
    for (uint32_t i = 0; i < b->def->count; i++)
        if (b->again[i])
            alone[b->alone_count++] = i;
    b->alone = alone;
    b->workers.count = 1;
    const int32_t threads = b->o.renderer.threads;
    b->workers.threads = threads > 0 ? threads : job_core_count();
    return b->alone_count > 0 ? run_items(b, b->alone_count, 1, err) : ZT_OK;
}

static zt_result prepare(test_batch *b, zt_error *err)
{
    const uint32_t count = b->def->count;
    ZT_TRY(suite_results_begin(b->out, &b->o.load, count, err));
    ZT_TRY(suite_results_add_texts(b->out, &b->o.load, 1, err));
    ZT_TRY(suite_written_begin(&b->written, b->s, &b->out->memory, err));
    ZT_TRY(ARENA_TAKE(&b->out->memory, &b->again, count, "results of a suite", err));
    for (uint32_t i = 0; i < count; i++)
        b->again[i] = true;
    model_workers_share(&b->workers, &b->o, count, 0);
    return suite_plan_make(b->s, b->def->selected, count, (uint32_t)b->workers.count,
                           &b->out->memory, &b->plan, err);
}

zt_result test_workers_run(const options *o, const suite *s, const suite_run_def *def,
                           suite_results *out, zt_error *err)
{
    test_batch b = {.o = *o, .s = s, .def = def, .out = out};
    uint32_t capacity = 1;
    zt_result result = prepare(&b, err);
    for (uint32_t i = 0; i < b.plan.range_count; i++)
        capacity = b.plan.ranges[i].count > capacity ? b.plan.ranges[i].count : capacity;
    if (result == ZT_OK)
        result = run_items(&b, b.plan.range_count, capacity, err);
    if (result == ZT_OK)
        result = run_alone(&b, err);
    if (b.written.list)
        suite_written_end(&b.written, &out->memory);
    suite_written_finish(&b.written);
    return result;
}
