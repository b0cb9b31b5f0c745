// SPDX-License-Identifier: MIT
/// serve: requests of other programs, done by workers that stay (docs/serve.md). This process reads
/// lines and moves bytes; it never reads a model.
#define _GNU_SOURCE // accept4
#include "base/file_temporary.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/serve_frame.h"
#include "cli/serve_request.h"
#include "json/json_parse.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ANSWERS_MAX = 64, ///< frames that a client has not taken; then nothing more is read of it
    CALL_BYTES = SERVE_LINE_MAX * 256, ///< memory for one line
    READS = 4,                         ///< of a client, before others have their turn
    DESCRIPTORS = 64,                  ///< that are neither of clients, workers nor requests
};
/// A client of a socket that owes bytes, or takes none, for so long is let go.
#define STALLED_S 30.0

// ---- Clients ------------------------------------------------------------------------------------

/// A request whose line is sound; otherwise its bytes are dropped.
static void accept_request(server *s, int client, const serve_call *call, const char *line,
                           size_t size)
{
    serve_client *c = &s->clients[client];
    zt_error err = {0};
    options o = {.output = NULL};
    request *r = NULL;
    zt_result result = serve_call_options(call, &o, &err);
    bool busy = false;
    const char *path = o.output && strcmp(o.output, "-") != 0 ? o.output : NULL;
    const bool taken = request_find(s, client, call->id) != NULL;
    if (result == ZT_OK && taken)
        result =
            zt_fail(&err, ZT_ERR_ARGUMENT, "request: id %s is in use (expected another)", call->id);
    if (result == ZT_OK && call->bytes > s->o->serve.max_request)
        result =
            zt_fail(&err, ZT_ERR_LIMIT,
                    "request: %" PRIu64 " bytes (expected at most %" PRIu64 ", see --max-request)",
                    call->bytes, s->o->serve.max_request);
    if (result == ZT_OK && (r = request_slot(s, client, call->bytes)) == NULL) {
        busy = true;
        result =
            zt_fail(&err, ZT_ERR_LIMIT, "too many requests wait (expected fewer, see --queue)");
    }
    if (result == ZT_OK && !request_begin(s, r, client, call, path, line, size))
        result = zt_fail(&err, ZT_ERR_MEMORY, "no memory for a request");
    c->left = call->bytes;
    c->item = -1;
    if (result != ZT_OK) {
        serve_refuse(c, taken ? "null" : call->id, (int)result, err.message, busy);
        return;
    }
    r->untrusted = o.untrusted;
    r->timeout_s = o.timeout_s;
    r->state = call->bytes > 0 ? REQUEST_COMING : REQUEST_WAITING;
    c->item = call->bytes > 0 ? r - s->requests : -1;
}

static void drop_client(server *s, int client)
{
    serve_client *c = &s->clients[client];
    for (int i = 0; i < s->request_count; i++) {
        request *r = &s->requests[i];
        if (r->state == REQUEST_NONE || r->client != client)
            continue;
        r->client = -1;
        if (r->state == REQUEST_ANSWERED)
            request_free(s, r);
        else
            request_cancel(s, r);
    }
    serve_client_finish(c);
}

static void greet(server *s, int client)
{
    serve_frame f;
    if (!serve_frame_begin(&f, NULL)) {
        s->clients[client].fault = ZT_ERR_MEMORY;
        return;
    }
    JSON_STREAM_INTEGERS(&f.json, {"protocol", SERVE_PROTOCOL});
    json_stream_text(&f.json, "version", zt_version());
    JSON_STREAM_INTEGERS(&f.json, {"workers", s->o->jobs}, {"queue", s->o->serve.queue},
                         {"max_request", (int64_t)s->o->serve.max_request});
    (void)serve_frame_send(&s->clients[client], &f, -1, 0, -1);
}

static void accept_clients(server *s)
{
    static const char full[] =
        "{\"id\":null,\"code\":5,\"messages\":[],\"message\":\"too many clients (expected at "
        "most 256)\",\"busy\":true,\"bytes\":0}\n";
    int file;
    while ((file = accept4(s->o->serve.listener, NULL, NULL, SOCK_CLOEXEC)) >= 0) {
        int free_slot = 0;
        while (free_slot < CLIENTS_MAX && s->clients[free_slot].input >= 0)
            free_slot++;
        if (free_slot < CLIENTS_MAX && serve_client_begin(&s->clients[free_slot], file, file)) {
            greet(s, free_slot);
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
    size_t size = c->left < c->size ? (size_t)c->left : c->size, done = 0;
    request *r = c->item >= 0 ? &s->requests[c->item] : NULL;
    while (r && done < size) {
        const ssize_t written = write(r->files, c->bytes + c->at + done, size - done);
        if (written < 0 && errno != EINTR) {
            serve_refuse(&s->clients[r->client], r->id, (int)ZT_ERR_MEMORY,
                         "no memory for a request", false);
            request_free(s, r);
            c->item = -1;
            break;
        }
        done += written > 0 ? (size_t)written : 0;
    }
    serve_client_skip(c, size);
    c->left -= size;
    if (c->left == 0 && c->item >= 0) {
        s->requests[c->item].state = REQUEST_WAITING;
        c->item = -1;
    }
}

/// Nobody knows where the next frame begins: nothing more is read.
static void end_frames(server *s, int client, const char *message)
{
    serve_refuse(&s->clients[client], "null", (int)ZT_ERR_ARGUMENT, message, false);
    s->clients[client].ended = true;
    s->clients[client].size = 0;
}

static void take_line(server *s, int client, const char *line, size_t size)
{
    serve_client *c = &s->clients[client];
    serve_call call;
    zt_error err = {0};
    const zt_result result = serve_call_parse(line, size, &s->calls, &call, &err);
    if (!call.bytes_known) {
        end_frames(s, client, err.message);
    } else if (result != ZT_OK) {
        serve_refuse(c, call.cancels ? "null" : call.id, (int)result, err.message, false);
        c->left = call.bytes;
        c->item = -1;
    } else if (call.cancels) {
        request *r = request_find(s, client, call.id);
        c->left = call.bytes;
        c->item = -1;
        if (r)
            request_cancel(s, r);
    } else {
        accept_request(s, client, &call, line, size);
    }
    if (c->size > 0)
        serve_client_skip(c, size + 1);
    serve_call_finish(&call);
}

static void take_frames(server *s, int client)
{
    serve_client *c = &s->clients[client];
    const char *line;
    size_t size;
    while (c->size > 0 && c->answers < ANSWERS_MAX) {
        if (c->left > 0)
            take_bytes(s, c);
        else if ((line = serve_client_line(c, &size)) != NULL)
            take_line(s, client, line, size);
        else if (c->size == SERVE_LINE_MAX)
            end_frames(s, client, "request: a line of more than 65536 bytes (expected fewer)");
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
static void client_turn(server *s, int client, const struct pollfd events[2])
{
    serve_client *c = &s->clients[client];
    const bool readable = events[0].revents != 0;
    take_frames(s, client); // of those that were not read for too many answers
    for (int i = 0; i < (c->waits ? 1 : READS) && readable && !c->ended &&
                    c->answers < ANSWERS_MAX && serve_client_read(c);
         i++)
        take_frames(s, client);
    serve_client_write(c, request_taken, s);
    const bool socket = c->input == c->output;
    if (c->ended && c->item >= 0) { // half a request
        request_taken(s, c->item);
        c->item = -1;
    }
    const bool hung_up = (events[1].revents & (POLLHUP | POLLERR)) != 0;
    if (hung_up && (c->items > 0 || c->first))
        c->fault = ZT_ERR_OUTPUT;
    const bool left = socket && c->ended && c->items == 0;
    const bool stalled = socket && is_stalled(c);
    if ((left && !c->first) || c->fault != ZT_OK || stalled || hung_up) {
        s->fault = socket ? ZT_OK : c->fault;
        drop_client(s, client);
    }
}

// ---- The pool -----------------------------------------------------------------------------------

static bool next(void *user, int64_t *out_item)
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
    *out_item = first - s->requests;
    return true;
}

static bool is_single(void *user, int64_t item)
{
    return ((server *)user)->requests[item].untrusted;
}

static double timeout_s(void *user, int64_t item)
{
    return ((server *)user)->requests[item].timeout_s;
}

static bool send_request(void *user, int64_t item, int socket)
{
    server *s = user;
    request *r = &s->requests[item];
    const zt_result sent = serve_work_send(socket, r->line, r->line_size, r->files, r->output);
    if (r->files >= 0)
        close(r->files); // the worker has its own
    r->files = -1;
    free(r->line);
    r->line = NULL;
    return sent == ZT_OK;
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
    serve_client *c = r->client >= 0 ? &s->clients[r->client] : NULL;
    if (!c || !r->progress || c->answers >= ANSWERS_MAX || !is_object(s, line, size) ||
        !serve_frame_begin(&f, r->id))
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

/// The code of an outcome; *out_message: why, where the worker has not said it.
static int code_of(const request *r, const worker_result *result, char *message, size_t size,
                   const char **out_message)
{
    *out_message = message;
    if (r->cancelled || result->end == WORKER_STOPPED || interrupt_raised()) {
        snprintf(message, size, "cancelled");
        return CANCELLED;
    }
    if (result->end == WORKER_TIMED_OUT) {
        snprintf(message, size, "stopped by --timeout (after %g s)", r->timeout_s);
        return (int)ZT_ERR_LIMIT;
    }
    if (result->end == WORKER_DONE && result->size == sizeof(int32_t)) {
        int32_t code;
        memcpy(&code, result->bytes, sizeof code);
        *out_message = NULL;
        return code >= 0 && code < CANCELLED + SIGTERM ? code : (int)ZT_ERR_INTERNAL;
    }
    if (result->signal == 0) {
        snprintf(message, size, "the worker ended (expected an answer)");
        return result->exit_code == (int)ZT_ERR_MEMORY ? (int)ZT_ERR_MEMORY : (int)ZT_ERR_INTERNAL;
    }
    snprintf(message, size, "the worker was ended by signal %d%s", result->signal,
             result->signal == SIGKILL ? " (often for a lack of memory)"
                                       : " (expected none: a fault of the program)");
    return (int)ZT_ERR_INTERNAL;
}

static void done(void *user, int64_t item, const worker_result *result)
{
    server *s = user;
    request *r = &s->requests[item];
    char message[128], *text = malloc(result->message_size + 1);
    const char *why = NULL;
    struct stat status = {.st_size = 0};
    serve_frame f;
    const int code = code_of(r, result, message, sizeof message, &why);
    const bool failed = code > (int)ZT_ERR_DIFFERENT;
    if (result->end != WORKER_DONE && r->path) // what it was writing
        file_temporary_sweep(r->path, 0.0);
    if (r->client < 0 || !text || !serve_frame_begin(&f, r->id)) {
        if (r->client >= 0)
            s->clients[r->client].fault = ZT_ERR_MEMORY;
        free(text);
        request_free(s, r);
        return;
    }
    if (result->message_size > 0)
        memcpy(text, result->messages, result->message_size);
    text[result->message_size] = '\0';
    JSON_STREAM_INTEGERS(&f.json, {"code", code});
    serve_frame_messages(&f, text, failed, why);
    free(text);
    if (!failed && fstat(r->output, &status) != 0)
        status.st_size = 0;
    JSON_STREAM_INTEGERS(&f.json, {"bytes", (int64_t)status.st_size});
    const int file = status.st_size > 0 ? r->output : -1;
    r->output = file >= 0 ? -1 : r->output;
    r->state = REQUEST_ANSWERED;
    if (!serve_frame_send(&s->clients[r->client], &f, file, (uint64_t)status.st_size, item))
        request_free(s, r);
}

static bool wait_for_all(void *user, worker_pool *pool, struct pollfd *files, nfds_t count,
                         int wait_ms)
{
    server *s = user;
    s->pool = pool;
    struct pollfd *p = s->polled;
    nfds_t polled = count;
    int of_client[CLIENTS_MAX];
    memcpy(p, files, count * sizeof *p);
    for (int i = 0; i < CLIENTS_MAX; i++) {
        const serve_client *c = &s->clients[i];
        const bool reads = !c->ended && c->answers < ANSWERS_MAX;
        of_client[i] = (int)polled;
        if (c->input < 0)
            continue;
        p[polled++] = (struct pollfd){.fd = reads ? c->input : -1, .events = POLLIN};
        p[polled++] = (struct pollfd){.fd = c->output, .events = c->first ? POLLOUT : 0};
    }
    const nfds_t listener = polled++;
    const bool accepts = console_clock() >= s->accept_s;
    p[listener] = (struct pollfd){.fd = accepts ? s->o->serve.listener : -1, .events = POLLIN};
    if (poll(p, polled, wait_ms) < 0)
        for (nfds_t i = 0; i < polled; i++)
            p[i].revents = 0;
    bool any = s->o->serve.listener >= 0;
    for (int i = 0; i < CLIENTS_MAX; i++) {
        if (s->clients[i].input >= 0)
            client_turn(s, i, &p[of_client[i]]);
        const serve_client *c = &s->clients[i];
        any |= c->input >= 0 && (!c->ended || c->items > 0 || c->first);
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
        serve_client_forget(&s->clients[i]);
    for (int i = 0; i < s->request_count; i++)
        if (s->requests[i].line)
            memset(s->requests[i].line, 0, s->requests[i].line_size);
    s->worker = serve_worker_begin(s->o, s->run);
}

static bool receive(void *user, int socket)
{
    return serve_work_receive(((server *)user)->worker, socket);
}

static void work(void *user, int64_t item, FILE *out)
{
    const int32_t code = serve_work_do(((server *)user)->worker);
    (void)item;
    (void)fwrite(&code, sizeof code, 1, out);
}

// ---- The command --------------------------------------------------------------------------------

static zt_result serve(server *s, options *o, zt_error *err)
{
    const worker_feed feed = {.input = o->serve.nothing,
                              .next = next,
                              .is_single = is_single,
                              .timeout_s = timeout_s,
                              .send = send_request,
                              .receive = receive,
                              .heard = heard,
                              .wait = wait_for_all};
    const worker_pool_def def = {
        .workers = o->jobs, .feed = &feed, .begin = begin, .work = work, .done = done, .user = s};
    s->o = o;
    s->bytes_max = o->max_memory / 4;
    o->max_memory = serve_share(o);
    if (o->serve.max_request > s->bytes_max)
        o->serve.max_request = s->bytes_max;
    s->request_count = o->serve.queue + o->jobs;
    const int fit = (serve_descriptors() - DESCRIPTORS - CLIENTS_MAX - 3 * o->jobs) / 2;
    if (fit <= o->jobs)
        return zt_fail(err, ZT_ERR_LIMIT, "too few descriptors for %d workers (see ulimit -n)",
                       (int)o->jobs);
    s->request_count = s->request_count < fit ? s->request_count : fit;
    budget_init(&s->calls, CALL_BYTES, NULL);
    s->requests = calloc((size_t)s->request_count, sizeof *s->requests);
    if (!s->requests)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for requests");
    for (int i = 0; i < s->request_count; i++)
        s->requests[i] = (request){.client = -1, .files = -1, .output = -1};
    for (int i = 0; i < CLIENTS_MAX; i++)
        s->clients[i] = (serve_client){.input = -1, .output = -1, .item = -1};
    if (o->serve.stdio) {
        if (!serve_client_begin(&s->clients[0], STDIN_FILENO, STDOUT_FILENO))
            return zt_fail(err, ZT_ERR_MEMORY, "no memory for a client");
        greet(s, 0);
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
    server *s = calloc(1, sizeof *s);
    if (s)
        s->run = run;
    zt_result result = s ? serve(s, o, &err) : zt_fail(&err, ZT_ERR_MEMORY, "no memory to serve");
    for (int i = 0; s && i < CLIENTS_MAX; i++)
        if (s->clients[i].input >= 0) {
            for (int k = 0; k < s->request_count; k++)
                if (s->requests[k].client == i && (s->requests[k].state == REQUEST_WAITING ||
                                                   s->requests[k].state == REQUEST_COMING))
                    request_cancel(s, &s->requests[k]);
            serve_client_write(&s->clients[i], request_taken, s);
            drop_client(s, i);
        }
    if (o->serve.socket)
        (void)unlink(o->serve.socket_path);
    if (s)
        free(s->requests);
    free(s);
    return result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
}
