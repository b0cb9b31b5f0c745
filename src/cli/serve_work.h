// SPDX-License-Identifier: MIT
/// A request of `serve` as its worker does it: a command line with its own standard output.
#pragma once

#include "cli/serve_call.h"

/// Among messages of a request: it is done again, and what it has said before does not count.
#define SERVE_AGAIN '\f'

/// A worker of `serve`.
typedef struct serve_worker serve_worker;

/// The line of a request, the bytes of its files (-1: none) and an empty file for its output.
zt_result serve_work_send(int socket, const char *line, size_t size, int files, int output);
/// Before the first request. `serve`: the options of the server, with the share of a worker; `run`:
/// does a command.
serve_worker *serve_worker_begin(const options *serve, int (*run)(options *o));
/// Waits for a request and takes it. False: the server has ended.
bool serve_work_receive(serve_worker *w, int socket);
/// Does it. Returns its exit code.
int serve_work_do(serve_worker *w);
