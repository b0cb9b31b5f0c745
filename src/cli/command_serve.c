// SPDX-License-Identifier: MIT
/// serve: requests of other programs, done by workers that stay (docs/serve.md). This process reads
/// lines and moves bytes; it never reads a model.
#define _GNU_SOURCE // accept4, memfd_create
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/serve_frame.h"
#include "cli/serve_work.h"
#include "cli/worker_pool.h"

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
    CLIENTS_MAX = 256,
    ANSWERS_MAX = 64, ///< frames that a client has not taken; then nothing more is read of it
    CALL_BYTES = SERVE_LINE_MAX * 32, ///< memory for one line
    CANCELLED = 128 + SIGTERM,
};
#define STALLED_S                                                                                  \
    30.0 ///< a client of a socket that owes bytes, or takes none, for so long is let go

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
    uint64_t turn;
    uint64_t bytes, bytes_max; ///< of the files of all requests
    struct pollfd polled[2 * WORKERS_MAX + 1 + 2 * CLIENTS_MAX];
} server;

// ---- Requests -----------------------------------------------------------------------------------

static void close_file(int *file)
{
    if (*file >= 0)
        close(*file);
    *file = -1;
}

static void request_free(server *s, request *r)
{
    free(r->line);
    close_file(&r->files);
    close_file(&r->output);
    s->bytes -= r->bytes;
    if (r->client >= 0)
        s->clients[r->client].items--;
    *r = (request){.client = -1, .files = -1, .output = -1};
}

static void answer_gone(void *user, int64_t item)
{
    server *s = user;
    request_free(s, &s->requests[item]);
}

static request *find_request(server *s, int client, const char *id)
{
    for (int i = 0; i < s->request_count; i++)
        if (s->requests[i].state != REQUEST_NONE && s->requests[i].state != REQUEST_ANSWERED &&
            s->requests[i].client == client && strcmp(s->requests[i].id, id) == 0)
            return &s->requests[i];
    return NULL;
}

/// Ends a request, which is answered if its client is there.
static void cancel(server *s, request *r)
{
    const int64_t item = r - s->requests;
    if (r->state == REQUEST_WORKING) {
        r->cancelled = true;
        worker_pool_cancel(s->pool, item);
        return;
    }
    if (r->client >= 0) {
        serve_client *c = &s->clients[r->client];
        c->item = c->item == item ? -1 : c->item; // what is still to come is dropped
        serve_refuse(&s->clients[r->client], r->id, CANCELLED, "cancelled", false);
    }
    request_free(s, r);
}

/// A free slot, unless this client of many has half of them or the files do not fit.
static request *find_slot(server *s, int client, uint64_t bytes)
{
    int slot = -1;
    const int share = s->o->serve.stdio ? s->request_count : (s->request_count + 1) / 2;
    for (int i = 0; i < s->request_count && slot < 0; i++)
        slot = s->requests[i].state == REQUEST_NONE ? i : -1;
    const bool fits = bytes <= s->bytes_max - s->bytes && s->clients[client].items < share;
    return slot >= 0 && fits ? &s->requests[slot] : NULL;
}

/// Makes room for what the request brings and for its answer.
static bool request_begin(server *s, request *r, int client, const serve_call *call,
                          const char *line, size_t size)
{
    *r = (request){.state = REQUEST_COMING,
                   .client = client,
                   .files = -1,
                   .output = -1,
                   .bytes = call->bytes,
                   .progress = call->progress,
                   .turn = s->turn++};
    s->clients[client].items++;
    s->bytes += r->bytes;
    snprintf(r->id, sizeof r->id, "%s", call->id);
    r->line = malloc(size + 1);
    r->line_size = size;
    r->output = memfd_create("zoetrope-output", MFD_CLOEXEC);
    if (r->bytes > 0)
        r->files = memfd_create("zoetrope-input", MFD_CLOEXEC);
    if (r->line && r->output >= 0 && (r->files >= 0 || r->bytes == 0)) {
        memcpy(r->line, line, size);
        return true;
    }
    request_free(s, r);
    return false;
}

/// A request whose line is sound; otherwise its bytes are dropped.
static void accept_request(server *s, int client, const serve_call *call, const char *line,
                           size_t size)
{
    serve_client *c = &s->clients[client];
    zt_error err = {0};
    options o;
    request *r = NULL;
    zt_result result = serve_call_options(call, &o, &err);
    bool busy = false;
    if (result == ZT_OK && find_request(s, client, call->id))
        result =
            zt_fail(&err, ZT_ERR_ARGUMENT, "request: id %s is in use (expected another)", call->id);
    if (result == ZT_OK && call->bytes > s->o->serve.max_request)
        result =
            zt_fail(&err, ZT_ERR_LIMIT,
                    "request: %" PRIu64 " bytes (expected at most %" PRIu64 ", see --max-request)",
                    call->bytes, s->o->serve.max_request);
    if (result == ZT_OK && (r = find_slot(s, client, call->bytes)) == NULL) {
        busy = true;
        result =
            zt_fail(&err, ZT_ERR_LIMIT, "too many requests wait (expected fewer, see --queue)");
    }
    if (result == ZT_OK && !request_begin(s, r, client, call, line, size))
        result = zt_fail(&err, ZT_ERR_MEMORY, "no memory for a request");
    c->left = call->bytes;
    c->item = -1;
    if (result != ZT_OK) {
        serve_refuse(c, call->id, (int)result, err.message, busy);
        return;
    }
    r->untrusted = o.untrusted;
    r->timeout_s = o.timeout_s;
    r->state = call->bytes > 0 ? REQUEST_COMING : REQUEST_WAITING;
    c->item = call->bytes > 0 ? r - s->requests : -1;
}

// ---- Clients ------------------------------------------------------------------------------------

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
            cancel(s, r);
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
}

/// Bytes of the request that the client is sending.
static void take_bytes(server *s, serve_client *c)
{
    size_t size = c->left < c->size ? (size_t)c->left : c->size, done = 0;
    request *r = c->item >= 0 ? &s->requests[c->item] : NULL;
    while (r && done < size) {
        const ssize_t written = write(r->files, c->bytes + done, size - done);
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
        serve_refuse(c, call.id, (int)result, err.message, false);
        c->left = call.bytes;
        c->item = -1;
    } else if (call.cancels) {
        request *r = find_request(s, client, call.id);
        c->left = call.bytes;
        c->item = -1;
        if (r)
            cancel(s, r);
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

/// True for one from whom bytes are due: of a request, or the taking of an answer.
static bool owes(const serve_client *c) { return c->first || c->left > 0 || c->size > 0; }

/// `events`: of poll(2), of its two files.
static void client_turn(server *s, int client, const struct pollfd events[2])
{
    serve_client *c = &s->clients[client];
    const bool readable = events[0].revents != 0;
    take_frames(s, client); // of those that were not read for too many answers
    while (readable && !c->ended && c->answers < ANSWERS_MAX && serve_client_read(c))
        take_frames(s, client);
    serve_client_write(c, answer_gone, s);
    const bool socket = c->input == c->output;
    if (c->ended && c->item >= 0) { // half a request
        answer_gone(s, c->item);
        c->item = -1;
    }
    const bool hung_up = (events[1].revents & (POLLHUP | POLLERR)) != 0;
    if (hung_up && (c->items > 0 || c->first))
        c->fault = ZT_ERR_OUTPUT;
    const bool left = socket && c->ended && c->items == 0;
    const bool stalled = socket && owes(c) && console_clock() - c->moved_s > STALLED_S;
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
    close_file(&r->files);
    free(r->line);
    r->line = NULL;
    return sent == ZT_OK;
}

static void heard(void *user, int64_t item, const char *messages, size_t size)
{
    server *s = user;
    request *r = &s->requests[item];
    const char *end;
    while (r->heard < size && (end = memchr(messages + r->heard, '\n', size - r->heard)) != NULL) {
        const char *line = messages + r->heard;
        serve_frame f;
        r->heard = (size_t)(end - messages) + 1;
        if (line[0] != '{' || !r->progress || r->client < 0 ||
            s->clients[r->client].answers >= ANSWERS_MAX || !serve_frame_begin(&f, r->id))
            continue;
        json_stream_print(&f.json, "progress", "%.*s", (int)(end - line), line);
        (void)serve_frame_send(&s->clients[r->client], &f, -1, 0, -1);
    }
}

/// The code of an outcome; *out_message: why, where the worker has not said it.
static int code_of(const request *r, const worker_result *result, char *message, size_t size,
                   const char **out_message)
{
    *out_message = message;
    if (r->cancelled || result->end == WORKER_STOPPED) {
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
        return code;
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
    struct pollfd *p = s->polled, *of_clients = p + count + 1;
    memcpy(p, files, count * sizeof *p);
    p[count] = (struct pollfd){.fd = s->o->serve.listener, .events = POLLIN};
    for (int i = 0; i < CLIENTS_MAX; i++) {
        const serve_client *c = &s->clients[i];
        const bool reads = c->input >= 0 && !c->ended && c->answers < ANSWERS_MAX;
        of_clients[2 * i] = (struct pollfd){.fd = reads ? c->input : -1, .events = POLLIN};
        of_clients[2 * i + 1] = (struct pollfd){.fd = c->output, .events = c->first ? POLLOUT : 0};
    }
    (void)poll(p, count + 1 + 2 * CLIENTS_MAX, wait_ms);
    if (p[count].revents)
        accept_clients(s);
    bool any = s->o->serve.listener >= 0;
    for (int i = 0; i < CLIENTS_MAX; i++) {
        if (s->clients[i].input >= 0)
            client_turn(s, i, &of_clients[2 * i]);
        const serve_client *c = &s->clients[i];
        any |= c->input >= 0 && (!c->ended || c->items > 0 || c->first);
    }
    return any && !interrupt_raised();
}

// ---- In a worker --------------------------------------------------------------------------------

static void begin(void *user)
{
    server *s = user;
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
    s->request_count = o->serve.queue + o->jobs;
    s->bytes_max = o->max_memory / 4;
    o->max_memory = (o->max_memory - s->bytes_max) / (uint64_t)o->jobs; // of a worker
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
            serve_client_write(&s->clients[i], answer_gone, s);
            drop_client(s, i);
        }
    if (o->serve.socket)
        (void)unlink(o->serve.socket_path);
    if (s)
        free(s->requests);
    free(s);
    return result == ZT_OK ? (int)ZT_OK : console_fail(result, err.message);
}
