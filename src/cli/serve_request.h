// SPDX-License-Identifier: MIT
/// The state of `serve`: its clients and their requests.
#pragma once

#include "cli/serve_client.h"
#include "cli/serve_work.h"
#include "cli/worker_pool.h"

enum { CLIENTS_MAX = 256, CANCELLED = 128 + 15 }; ///< CANCELLED: as by SIGTERM

typedef enum request_state {
    REQUEST_NONE,
    REQUEST_COMING, ///< some of its bytes
    REQUEST_WAITING,
    REQUEST_WORKING,
    REQUEST_ANSWERED ///< the client has not taken all of it
} request_state;

typedef struct request {
    request_state state;
    int client; ///< -1: it has left
    char id[SERVE_ID_SIZE];
    char *line; ///< [line_size] malloc
    size_t line_size;
    char *path;        ///< of its output; NULL: its bytes are the answer; malloc
    int files, output; ///< in memory; -1: none
    uint64_t bytes;    ///< of `files`
    bool progress, untrusted, cancelled;
    double timeout_s;
    uint64_t turn; ///< the smallest is next
    size_t heard;  ///< bytes of its messages that have been looked at
} request;

typedef struct server {
    const options *o;
    int (*run)(options *o);
    worker_pool *pool;
    serve_worker *worker; ///< in a worker
    budget calls;
    serve_client clients[CLIENTS_MAX];
    request *requests; ///< [request_count]
    int request_count;
    zt_result fault; ///< of standard output
    double accept_s; ///< when clients are accepted again
    uint64_t turn;
    uint64_t bytes, bytes_max; ///< of the files of all requests
    struct pollfd polled[2 * WORKERS_MAX + 1 + 2 * CLIENTS_MAX];
} server;

void request_free(server *s, request *r);
/// The same, of an answer that its client has taken or never will.
void request_taken(void *user, int64_t item);
/// The client's request of this id that is not answered; NULL: none.
request *request_find(server *s, int client, const char *id);
/// Ends a request, which is answered if its client is there.
void request_cancel(server *s, request *r);
/// A free slot, unless this client of many has its share of them or the files do not fit.
request *request_slot(server *s, int client, uint64_t bytes);
/// Makes room for what the request brings and for its answer; `path`: of its output, or NULL.
/// False: no memory.
bool request_begin(server *s, request *r, int client, const serve_call *call, const char *path,
                   const char *line, size_t size);
