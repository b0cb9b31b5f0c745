// SPDX-License-Identifier: MIT
/// Workers for batches of models: they have a renderer of their own, and their share of threads
/// and memory.
#pragma once

#include "cli/options.h"
#include "cli/worker_pool.h"

typedef struct model_workers {
    int32_t count, threads; ///< threads: of each worker
    uint64_t bytes;         ///< that all of them may take
    zt_renderer *renderer;  ///< in a worker that has one; NULL: `begun` says why
    zt_error begun;
} model_workers;

/// Sets the number of workers for `models`, and what they may take apart from `kept` bytes, which
/// this process will take for what they make.
void model_workers_share(model_workers *w, const options *o, size_t models, uint64_t kept);
/// In a worker: closes it in, and gives it its budget. The result is in w->begun, too.
zt_result model_workers_enter(model_workers *w, options *o);
/// The same, and makes its renderer.
void model_workers_begin(model_workers *w, options *o);
/// The failure of a model whose worker did not say one.
zt_result model_workers_failure(const options *o, const char *path, const worker_result *result,
                                char *message, size_t size);
