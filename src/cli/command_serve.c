// SPDX-License-Identifier: MIT
/// serve: requests of other programs, done by workers that stay (docs/serve.md). This process reads
/// lines and moves bytes; it never reads a model.
#define _GNU_SOURCE // accept4, memfd_create
#include "base/file_find.h"
#include "base/file_temporary.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/serve_client.h"
#include "cli/serve_work.h"
#include "cli/worker_pool.h"
#include "json/json_parse.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    CLIENTS_MAX = (WORKER_FEED_FILES - 1) / 2,
    CANCELLED = 128 + SIGTERM,
    MESSAGE_SIZE = 128,
    ANSWERS_MAX = 64, ///< frames that a client has not taken; then nothing more is read of it
    CALL_BYTES = SERVE_LINE_MAX * 256, ///< memory for one line
    READS = 4,                         ///< of a client, before others have their turn
    DESCRIPTORS = 64,                  ///< that are neither of clients, workers nor requests
};
/// A client of a socket that owes bytes, or takes none, for so long is let go.
#define STALLED_S 30.0

typedef enum request_state {
    REQUEST_NONE,
    REQUEST_COMING, ///< some of its bytes
    REQUEST_WAITING,
    REQUEST_WORKING,
    REQUEST_ANSWERED ///< the client has not taken all of it
} request_state;

typedef struct request {
    request_state state;
    serve_client *client; ///< NULL: it has left
    char id[SERVE_ID_SIZE];
    char path[FILE_PATH_SIZE]; ///< of its output; empty: its bytes are the answer
    int input, output;         ///< in memory; -1: closed. input: as serve_upload has it
    uint64_t bytes;            ///< of its files
    bool progress, untrusted, cancelled;
    double timeout_s;
    uint64_t turn; ///< the smallest is next
    size_t heard;  ///< bytes of its messages that have been looked at
} request;

typedef struct server {
    const options *o;
    worker_pool *pool;
    serve_worker worker; ///< in a worker
    budget calls;
    serve_client clients[CLIENTS_MAX];
    request *requests; ///< [request_count]
    int request_count;
    zt_result fault; ///< of standard output
    double accept_s; ///< when clients are accepted again
    uint64_t turn;
    uint64_t bytes, bytes_max; ///< of the files of all requests
} server;

/// Nothing of a line stays in memory that is free: a worker that begins later has a copy of it.
static void *take_block(void *user, size_t size, size_t align)
{
    (void)user;
    return aligned_alloc(align, (size + align - 1) / align * align);
}

static void wipe_block(void *user, void *block, size_t size)
{
    (void)user;
    explicit_bzero(block, size);
    free(block);
}

static const zt_allocator wiping = {.alloc = take_block, .free = wipe_block};

// ---- Requests -----------------------------------------------------------------------------------

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static void free_request(void *user, int64_t item)
{
    server *s = user;
    request *r = &s->requests[item];
    close_file(&r->input);
    close_file(&r->output);
    s->bytes -= r->bytes;
    if (r->client)
        r->client->items--;
    *r = (request){.state = REQUEST_NONE};
}

/// The client's request of this id that is not answered; NULL: none.
static request *find_request(server *s, const serve_client *c, const char *id)
{
    for (int i = 0; i < s->request_count; i++) {
        request *r = &s->requests[i];
        if (r->state != REQUEST_NONE && r->state != REQUEST_ANSWERED && r->client == c &&
            strcmp(r->id, id) == 0)
            return r;
    }
    return NULL;
}

/// Ends a request, which is answered if its client is there.
static void cancel_request(server *s, request *r)
{
    if (r->state == REQUEST_WORKING) {
        r->cancelled = true;
        worker_pool_cancel(s->pool, r - s->requests);
        return;
    }
    if (r->client)
        serve_refuse(r->client, r->id, CANCELLED, "cancelled", false);
    free_request(s, r - s->requests);
}

/// A free slot, unless this client of many has its share of them or the files do not fit.
static request *free_slot(server *s, const serve_client *c, uint64_t bytes)
{
    const int share =
        s->o->serve.stdio ? s->request_count : s->o->jobs + (s->o->serve.queue + 1) / 2;
    if (bytes > s->bytes_max - s->bytes || c->items >= share)
        return NULL;
    for (int i = 0; i < s->request_count; i++)
        if (s->requests[i].state == REQUEST_NONE)
            return &s->requests[i];
    return NULL;
}

/// Begins the request of a line, with its end, in a free slot. *out_busy: there is none.
static zt_result begin_request(server *s, serve_client *c, const serve_call *call, const char *line,
                               size_t size, bool *out_busy, zt_error *err)
{
    const uint64_t most = s->o->serve.max_request;
    options o;
    ZT_TRY(serve_call_options(call, &o, err));
    if (find_request(s, c, call->id))
        return zt_fail(err, ZT_ERR_ARGUMENT, "request: id %s is in use (expected another)",
                       call->id);
    if (call->bytes > most)
        return zt_fail(err, ZT_ERR_LIMIT,
                       "request: %" PRIu64 " bytes (expected at most %" PRIu64
                       ", see --max-request)",
                       call->bytes, most);
    request *r = free_slot(s, c, call->bytes);
    *out_busy = r == NULL;
    if (!r)
        return zt_fail(err, ZT_ERR_LIMIT, "too many requests wait (expected fewer, see --queue)");
    *r = (request){.state = call->bytes > 0 ? REQUEST_COMING : REQUEST_WAITING,
                   .client = c,
                   .input = memfd_create("zoetrope-input", MFD_CLOEXEC),
                   .output = memfd_create("zoetrope-output", MFD_CLOEXEC),
                   .bytes = call->bytes,
                   .progress = call->progress,
                   .untrusted = o.untrusted,
                   .timeout_s = o.timeout_s,
                   .turn = s->turn++};
    snprintf(r->id, sizeof r->id, "%s", call->id);
    if (o.output && strcmp(o.output, "-") != 0)
        snprintf(r->path, sizeof r->path, "%s", o.output);
    s->bytes += r->bytes;
    c->items++;
    if (r->output < 0 || write(r->input, line, size) != (ssize_t)size ||
        ftruncate(r->input, SERVE_LINE_MAX + (off_t)r->bytes) != 0) {
        free_request(s, r - s->requests);
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a request");
    }
    c->item = r->bytes > 0 ? r - s->requests : -1;
    return ZT_OK;
}

// ---- Clients ------------------------------------------------------------------------------------

static void drop_client(server *s, serve_client *c)
{
    for (int i = 0; i < s->request_count; i++) {
        request *r = &s->requests[i];
        if (r->state == REQUEST_NONE || r->client != c)
            continue;
        r->client = NULL;
        if (r->state == REQUEST_ANSWERED)
            free_request(s, i);
        else
            cancel_request(s, r);
    }
    serve_client_finish(c);
}

static void greet(const server *s, serve_client *c)
{
    serve_frame f;
    if (!serve_frame_begin(c, &f, NULL))
        return;
    JSON_STREAM_INTEGERS(&f.json, {"protocol", SERVE_PROTOCOL});
    json_stream_text(&f.json, "version", zt_version());
    JSON_STREAM_INTEGERS(&f.json, {"workers", s->o->jobs}, {"queue", s->o->serve.queue},
                         {"max_request", (int64_t)s->o->serve.max_request});
    (void)serve_frame_send(c, &f, -1, 0, -1);
}

static void accept_clients(server *s)
{
    static const char full[] =
        "{\"id\":null,\"code\":5,\"messages\":[],\"message\":\"too many clients (expected at "
        "most 256)\",\"busy\":true,\"bytes\":0}\n";
    int file;
    while ((file = accept4(s->o->serve.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        int i = 0;
        while (i < CLIENTS_MAX && s->clients[i].bytes)
            i++;
        if (i < CLIENTS_MAX && serve_client_begin(&s->clients[i], file, file)) {
            greet(s, &s->clients[i]);
            continue;
        }
        if (write(file, full, sizeof full - 1) < 0)
            errno = 0; // it is turned away all the same
        close(file);
    }
    if (errno != EAGAIN) // no descriptor is free
        s->accept_s = console_clock() + 0.1;
}

/// Bytes of the request that the client is sending.
static void take_bytes(server *s, serve_client *c)
{
    const size_t size = c->left < c->size ? (size_t)c->left : c->size;
    request *r = c->item >= 0 ? &s->requests[c->item] : NULL;
    const off_t at = r ? SERVE_LINE_MAX + (off_t)(r->bytes - c->left) : 0;
    if (r && pwrite(r->input, c->bytes + c->at, size, at) != (ssize_t)size) {
        serve_refuse(c, r->id, (int)ZT_ERR_MEMORY, "no memory for a request", false);
        free_request(s, c->item);
        c->item = -1;
    }
    c->at += size;
    c->size -= size;
    c->left -= size;
    if (c->left == 0 && c->item >= 0) {
        s->requests[c->item].state = REQUEST_WAITING;
        c->item = -1;
    }
}

/// Nobody knows where the next frame begins: nothing more is read.
static void end_frames(serve_client *c, const char *message)
{
    serve_refuse(c, "null", (int)ZT_ERR_ARGUMENT, message, false);
    c->ended = true;
    c->size = 0;
}

static void take_line(server *s, serve_client *c, const char *line, size_t size)
{
    serve_call call;
    zt_error err = {0};
    zt_result result = serve_call_parse(line, size - 1, &s->calls, &call, &err);
    bool busy = false;
    c->left = call.bytes_known ? call.bytes : 0;
    c->item = -1;
    request *r = find_request(s, c, call.id);
    if (!call.bytes_known)
        end_frames(c, err.message);
    else if (result == ZT_OK && call.cancels && r)
        cancel_request(s, r);
    else if (result == ZT_OK && !call.cancels)
        result = begin_request(s, c, &call, line, size, &busy, &err);
    if (call.bytes_known && result != ZT_OK)
        serve_refuse(c, call.cancels || r ? "null" : call.id, (int)result, err.message, busy);
    arena_finish(&call.memory);
}

static void take_frames(server *s, serve_client *c)
{
    const char *line;
    size_t size;
    while (c->size > 0 && c->answers < ANSWERS_MAX) {
        if (c->left > 0)
            take_bytes(s, c);
        else if ((line = serve_client_line(c, &size)) != NULL)
            take_line(s, c, line, size);
        else if (c->size == SERVE_LINE_MAX)
            end_frames(c, "request: a line of more than 65536 bytes (expected fewer)");
        else
            return;
    }
}

/// True for one that takes no answer, or sends no more of a frame, while it waits for nothing else.
static bool is_stalled(const serve_client *c)
{
    const double now_s = console_clock();
    const bool owes = c->left > 0 || (c->size > 0 && c->items == 0);
    return (c->first && now_s - c->took_s > STALLED_S) || (owes && now_s - c->read_s > STALLED_S);
}

/// `events`: of poll(2), of its two files.
static void client_turn(server *s, serve_client *c, const struct pollfd events[2])
{
    const int reads = events[0].revents == 0 ? 0 : c->waits ? 1 : READS;
    take_frames(s, c); // of those that were not read for too many answers
    for (int i = 0; i < reads && !c->ended && c->answers < ANSWERS_MAX && serve_client_read(c); i++)
        take_frames(s, c);
    serve_client_write(c, free_request, s);
    const bool socket = c->input == c->output;
    if (c->ended && c->item >= 0) { // half a request
        free_request(s, c->item);
        c->item = -1;
    }
    const bool hung_up = (events[1].revents & (POLLHUP | POLLERR)) != 0;
    if (hung_up && (c->items > 0 || c->first))
        c->fault = ZT_ERR_OUTPUT;
    const bool left = socket && c->ended && c->items == 0;
    const bool stalled = socket && is_stalled(c);
    if ((left && !c->first) || c->fault != ZT_OK || stalled || hung_up) {
        s->fault = socket ? ZT_OK : c->fault;
        drop_client(s, c);
    }
}

// ---- The pool -----------------------------------------------------------------------------------

static bool next(void *user, worker_item *out)
{
    server *s = user;
    request *first = NULL;
    for (int i = 0; i < s->request_count; i++)
        if (s->requests[i].state == REQUEST_WAITING &&
            (!first || s->requests[i].turn < first->turn))
            first = &s->requests[i];
    if (!first)
        return false;
    first->state = REQUEST_WORKING;
    *out = (worker_item){.number = first - s->requests,
                         .files = {first->input, first->output},
                         .single = first->untrusted,
                         .timeout_s = first->timeout_s};
    return true;
}

/// True for a line that is an object and nothing else: a worker may be in the hands of its model.
static bool is_object(server *s, const char *line, size_t size)
{
    json_problem problem;
    arena a;
    arena_init(&a, &s->calls);
    json_builder builder = {.a = &a};
    const bool is = json_is(json_parse(&builder, line, size, 4, NULL, &problem), JSON_KIND_OBJECT);
    arena_finish(&a);
    return is;
}

static void tell_progress(server *s, const request *r, const char *line, size_t size)
{
    serve_frame f;
    serve_client *c = r->client;
    if (!c || !r->progress || c->answers >= ANSWERS_MAX || !is_object(s, line, size) ||
        !serve_frame_begin(c, &f, r->id))
        return;
    json_stream_print(&f.json, "progress", "%.*s", (int)size, line);
    (void)serve_frame_send(c, &f, -1, 0, -1);
}

/// Takes lines of progress out of the messages.
static size_t heard(void *user, int64_t item, char *messages, size_t size)
{
    server *s = user;
    request *r = &s->requests[item];
    char *end;
    while (r->heard < size && (end = memchr(messages + r->heard, '\n', size - r->heard)) != NULL) {
        char *line = messages + r->heard;
        const size_t length = (size_t)(end - line);
        if (line[0] != '{') {
            r->heard += length + 1;
            continue;
        }
        tell_progress(s, r, line, length);
        size -= length + 1;
        memmove(line, end + 1, size - r->heard);
    }
    return size;
}

/// The code of an outcome; `message`: why, or empty where the worker has said it.
static int code_of(const request *r, const worker_result *result, char message[MESSAGE_SIZE])
{
    message[0] = '\0';
    if (r->cancelled || result->end == WORKER_STOPPED || interrupt_raised()) {
        snprintf(message, MESSAGE_SIZE, "cancelled");
        return CANCELLED;
    }
    if (result->end == WORKER_TIMED_OUT) {
        snprintf(message, MESSAGE_SIZE, "stopped by --timeout (after %g s)", r->timeout_s);
        return (int)ZT_ERR_LIMIT;
    }
    if (result->end == WORKER_DONE && result->size == 1) {
        const int code = (unsigned char)result->bytes[0];
        return code < CANCELLED + SIGTERM ? code : (int)ZT_ERR_INTERNAL;
    }
    if (result->signal == 0) {
        snprintf(message, MESSAGE_SIZE, "the worker ended (expected an answer)");
        return result->exit_code == (int)ZT_ERR_MEMORY ? (int)ZT_ERR_MEMORY : (int)ZT_ERR_INTERNAL;
    }
    snprintf(message, MESSAGE_SIZE, "the worker was ended by signal %d%s", result->signal,
             result->signal == SIGKILL ? " (often for a lack of memory)"
                                       : " (expected none: a fault of the program)");
    return (int)ZT_ERR_INTERNAL;
}

static void done(void *user, int64_t item, const worker_result *result)
{
    server *s = user;
    request *r = &s->requests[item];
    serve_client *c = r->client;
    char message[MESSAGE_SIZE];
    char *text =
        result->message_size > 0 ? strndup(result->messages, result->message_size) : calloc(1, 1);
    struct stat status;
    serve_frame f;
    const int code = code_of(r, result, message);
    const bool failed = code > (int)ZT_ERR_DIFFERENT;
    if (result->end != WORKER_DONE && r->path[0]) // what it was writing
        file_temporary_sweep(r->path, 0.0);
    if (c && !text)
        c->fault = ZT_ERR_MEMORY;
    if (!c || !text || !serve_frame_begin(c, &f, r->id)) {
        free(text);
        free_request(s, item);
        return;
    }
    JSON_STREAM_INTEGERS(&f.json, {"code", code});
    serve_frame_messages(&f, text, failed, message);
    free(text);
    if (failed || fstat(r->output, &status) != 0)
        status.st_size = 0;
    JSON_STREAM_INTEGERS(&f.json, {"bytes", (int64_t)status.st_size});
    const int output = r->output;
    close_file(&r->input);
    r->output = -1;
    r->state = REQUEST_ANSWERED;
    if (!serve_frame_send(c, &f, output, (uint64_t)status.st_size, item))
        free_request(s, item);
}

static bool wait_for_all(void *user, worker_pool *pool, struct pollfd *p, nfds_t count, int wait_ms)
{
    server *s = user;
    s->pool = pool;
    const struct pollfd *of_client = p + count;
    for (int i = 0; i < CLIENTS_MAX; i++) {
        const serve_client *c = &s->clients[i];
        const bool reads = !c->ended && c->answers < ANSWERS_MAX;
        if (!c->bytes)
            continue;
        p[count++] = (struct pollfd){.fd = reads ? c->input : -1, .events = POLLIN};
        p[count++] = (struct pollfd){.fd = c->output, .events = c->first ? POLLOUT : 0};
    }
    const nfds_t listener = count++;
    const bool accepts = console_clock() >= s->accept_s;
    p[listener] = (struct pollfd){.fd = accepts ? s->o->serve.listener : -1, .events = POLLIN};
    if (poll(p, count, wait_ms) < 0)
        for (nfds_t i = 0; i < count; i++)
            p[i].revents = 0;
    bool any = s->o->serve.listener >= 0;
    for (int i = 0; i < CLIENTS_MAX; i++) {
        serve_client *c = &s->clients[i];
        if (!c->bytes)
            continue;
        client_turn(s, c, of_client);
        of_client += 2;
        any |= c->bytes && (!c->ended || c->items > 0 || c->first);
    }
    if (p[listener].revents)
        accept_clients(s);
    return any && !interrupt_raised();
}

// ---- In a worker --------------------------------------------------------------------------------

static void begin(void *user)
{
    server *s = user;
    for (int i = 0; i < CLIENTS_MAX; i++)
        if (s->clients[i].bytes)
            serve_client_forget(&s->clients[i]);
    for (int i = 0; i < s->request_count; i++)
        if (s->requests[i].state != REQUEST_NONE)
            memset(&s->requests[i], 0, sizeof s->requests[i]);
    serve_worker_begin(&s->worker);
}

static void work(void *user, const int files[2], FILE *out)
{
    (void)fputc(serve_work_do(&((server *)user)->worker, files), out);
}

// ---- The command --------------------------------------------------------------------------------

static zt_result serve(server *s, options *o, zt_error *err)
{
    const worker_feed feed = {next, work, heard, wait_for_all};
    const worker_pool_def def = {
        .workers = o->jobs, .feed = &feed, .begin = begin, .done = done, .user = s};
    s->bytes_max = zt_budget_limit(o->load.budget) / 4;
    if (o->serve.max_request > s->bytes_max)
        o->serve.max_request = s->bytes_max;
    const int wanted = o->serve.queue + o->jobs;
    const int clients = o->serve.stdio ? 1 : CLIENTS_MAX;
    const int fit = (o->serve.descriptors - DESCRIPTORS - clients - 3 * o->jobs) / 2;
    if (fit <= o->jobs)
        return zt_fail(err, ZT_ERR_LIMIT, "too few descriptors for %d workers (see ulimit -n)",
                       (int)o->jobs);
    s->request_count = wanted < fit ? wanted : fit;
    budget_init(&s->calls, CALL_BYTES, &wiping);
    s->requests = calloc((size_t)s->request_count, sizeof *s->requests);
    if (!s->requests)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for requests");
    if (o->serve.stdio) {
        if (!serve_client_begin(&s->clients[0], STDIN_FILENO, STDOUT_FILENO))
            return zt_fail(err, ZT_ERR_MEMORY, "no memory for a client");
        greet(s, &s->clients[0]);
    }
    const zt_result result = worker_pool_run(&def, err);
    if (result == ZT_OK && s->fault != ZT_OK)
        return zt_fail(err, s->fault, "standard output: %s (expected a reader of all answers)",
                       s->fault == ZT_ERR_MEMORY ? "no memory for an answer" : "it was closed");
    return result == ZT_OK && interrupt_raised() ? ZT_ERR_CANCELLED : result;
}

int command_serve(options *o, int (*run)(options *o))
{
    zt_error err = {0};
    server s = {.o = o, .worker = {.serve = o, .run = run}};
    const zt_result result = serve(&s, o, &err);
    for (int i = 0; i < s.request_count && s.requests; i++) {
        request *r = &s.requests[i];
        if (r->state == REQUEST_WAITING || r->state == REQUEST_COMING)
            cancel_request(&s, r);
    }
    for (int i = 0; i < CLIENTS_MAX; i++) {
        if (!s.clients[i].bytes)
            continue;
        serve_client_write(&s.clients[i], free_request, &s);
        drop_client(&s, &s.clients[i]);
    }
    if (o->serve.socket)
        (void)unlink(o->serve.socket_path);
    free(s.requests);
    return result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
}
