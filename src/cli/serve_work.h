// SPDX-License-Identifier: MIT
/// A request of `serve` as its worker does it: a command line with its own standard output.
#pragma once

#include "cli/serve_call.h"

/// Among messages of a request: it is done again, and what it has said before does not count.
#define SERVE_AGAIN '\f'

/// A worker of `serve`.
typedef struct serve_worker serve_worker;

/// Before the first request. `serve`: the options of the server, with the share of a worker; `run`:
/// does a command.
serve_worker *serve_worker_begin(const options *serve, int (*run)(options *o));
/// Does the request of a file (see serve_upload), with an empty one for its output; closes both.
/// Returns its exit code.
int serve_work_do(serve_worker *w, const int files[2]);
