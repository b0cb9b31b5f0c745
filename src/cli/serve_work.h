// SPDX-License-Identifier: MIT
/// A request of `serve` as its worker does it: a command line with its own standard output.
#pragma once

#include "cli/serve_call.h"

/// A worker of `serve`.
typedef struct serve_worker {
    const options *serve;   ///< of the server, with the share of a worker
    int (*run)(options *o); ///< does a command
    options o;              ///< of the request: what is kept of it points here
    struct warm_store *warm;
    bool closed; ///< it is in its sandbox
    budget calls;
} serve_worker;

/// Before the first request.
void serve_worker_begin(serve_worker *w);
/// Does the request of a file (see serve_upload), with an empty one for its output; closes both.
/// Returns its exit code.
int serve_work_do(serve_worker *w, const int files[2]);
