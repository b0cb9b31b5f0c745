// SPDX-License-Identifier: MIT
#include "cli/model_workers.h"

#include "base/file_inputs.h"
#include "base/machine.h"
#include "cli/sandbox.h"

#include <unistd.h>

/// Memory that a model may need: fewer workers share less of it.
#define WORKER_BYTES ((uint64_t)256 << 20)

void model_workers_share(model_workers *w, const options *o, size_t models, uint64_t kept)
{
    const int32_t threads = o->renderer.threads > 0 ? o->renderer.threads : machine_read("").cores;
    const uint64_t half = o->max_memory / 2;
    w->bytes = o->max_memory - (kept < half ? kept : half);
    const uint64_t fit = w->bytes / WORKER_BYTES;
    int32_t jobs = o->jobs > 0 ? o->jobs : threads;
    if (o->jobs == 0 && (uint64_t)jobs > fit)
        jobs = fit > 1 ? (int32_t)fit : 1;
    jobs = jobs < WORKERS_MAX ? jobs : WORKERS_MAX;
    w->count = (size_t)jobs < models ? jobs : (int32_t)models;
    w->threads = threads > w->count ? threads / w->count : 1;
}

zt_result model_workers_enter(model_workers *w, options *o)
{
    zt_budget *whole = NULL;
    if (!sandbox_worker(o))
        _exit((int)ZT_ERR_UNSUPPORTED);
#ifdef ZT_SANDBOX_HOLE
    const int open_ways = sandbox_hole_try();
    fflush(stdout);
    _exit(open_ways);
#endif
    zt_result result = zt_budget_create(w->bytes / (uint64_t)w->count, NULL, &whole, &w->begun);
    if (result == ZT_OK)
        result = zt_budget_set_limits(whole, &o->limits, &w->begun);
    if (result == ZT_OK && o->encode.metadata == ZT_METADATA_FULL)
        result = file_inputs_record(whole, &w->begun);
    o->load.budget = o->renderer.budget = whole;
    o->load.threads = o->renderer.threads = w->threads;
    return w->begun.code = result;
}

void model_workers_begin(model_workers *w, options *o)
{
    w->renderer = NULL;
    if (model_workers_enter(w, o) == ZT_OK)
        w->begun.code = zt_renderer_create(&o->renderer, &w->renderer, &w->begun);
}

zt_result model_workers_failure(const options *o, const char *path, const worker_result *result,
                                char *message, size_t size)
{
    snprintf(message, size, "%.700s: its process ended (expected a picture)", path);
    if (result->end == WORKER_TIMED_OUT) {
        snprintf(message, size, "%.700s: stopped by --model-timeout (after %g s)", path,
                 o->model_timeout_s);
        return ZT_ERR_LIMIT;
    }
    if (result->end == WORKER_STOPPED || result->end == WORKER_NOT_BEGUN)
        return ZT_ERR_CANCELLED;
    if (result->end == WORKER_DIED && result->exit_code == (int)ZT_ERR_MEMORY) {
        snprintf(message, size, "%.700s: no memory for its outcome", path);
        return ZT_ERR_MEMORY;
    }
    if (result->end == WORKER_DIED && result->signal > 0)
        snprintf(message, size, "%.700s: its process was ended by signal %d%s", path,
                 result->signal,
                 result->signal == 9 ? " (often for a lack of memory: see --jobs)"
                                     : " (expected none: a fault of the program)");
    return ZT_ERR_INTERNAL;
}
