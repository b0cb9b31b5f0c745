// SPDX-License-Identifier: MIT
/// See worker_pool.h. A worker reads numbers of items from a pipe, or the files of a feed's from a
/// socket, and ends with it. What it writes about an item comes back through a second pipe behind
/// its size, what it prints through a third.
#define _GNU_SOURCE // pipe2, close_range, memfd_create
#include "cli/worker_pool.h"

#include "base/text_stream.h"
#include "cli/console.h"
#include "cli/interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    RESULT_BYTES = 16 << 20, ///< longest outcome of an item: a worker that sends more has failed
    MESSAGE_BYTES = 1 << 20, ///< longest messages of an item; the rest is dropped
    AHEAD = 4096,            ///< items that may be done before one whose outcome comes first
    STILLBORN = 16,          ///< after so many that end before their first item none is started
    POLL_MS = 20,            ///< time between two looks at whether the watchdog asks to stop
    IDLE_MS = 100,           ///< the same while nobody works
};
#define ASKED_S   0.5 ///< time in which a worker ends by itself after item_timeout_s
#define STOPPED_S 0.1 ///< the same when the program ends: less than its watchdog gives

/// Bytes that a worker has sent.
typedef struct byte_list {
    char *bytes;
    size_t size, capacity;
    bool cut; ///< something was dropped, and so is all that follows
} byte_list;

/// The pipes of a worker.
enum { JOBS, RESULTS, MESSAGES, PIPES };

typedef struct worker {
    pid_t pid;               ///< 0: none
    int ends[PIPES];         ///< ours of its pipes; -1: closed
    worker_item item;        ///< it works on; number -1: none
    bool used;               ///< it has had an item
    double begun_s, asked_s; ///< asked_s 0: not asked to end
    byte_list result, message;
} worker;

/// An outcome that waits for those before it.
typedef struct outcome {
    worker_result result;
    char texts[]; ///< of the result
} outcome;

/// In place of one that was reported before its turn.
static outcome early;

struct worker_pool {
    const worker_pool_def *def;
    worker workers[WORKERS_MAX];
    outcome **outcomes;     ///< [count]; NULL: not there, or reported
    int64_t next, finished; ///< items that were handed out; those that have an outcome
    int64_t reported;       ///< those before it are all reported
    int stillborn;
    bool stopping, ended; ///< ended: the feed is
};

// ---- In a worker --------------------------------------------------------------------------------

static bool write_all(int file, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        at += written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_item(int file, int64_t *out)
{
    ssize_t count;
    do
        count = read(file, out, sizeof *out);
    while (count < 0 && errno == EINTR && !interrupt_raised());
    return count == (ssize_t)sizeof *out;
}

/// Sends the files of an item to its worker, or receives them there.
static bool pass_files(int socket, int files[2], bool sends)
{
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } room = {.head = {CMSG_LEN(2 * sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
    char byte = 0; // without one no message is sent
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = room.bytes,
                             .msg_controllen = sizeof room.bytes};
    ssize_t count;
    if (sends) {
        memcpy(CMSG_DATA(&room.head), files, 2 * sizeof(int));
        return sendmsg(socket, &message, MSG_NOSIGNAL) == 1; // an idle worker's socket has room
    }
    do
        count = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (count < 0 && errno == EINTR && !interrupt_raised());
    memcpy(files, CMSG_DATA(&room.head), 2 * sizeof(int));
    return count == 1 && message.msg_controllen > 0 && !(message.msg_flags & MSG_CTRUNC);
}

/// ZT_ERR_MEMORY: there is none to say what came of the item. ZT_ERR_CANCELLED: the worker ends.
static zt_result serve_item(const worker_pool_def *def, int64_t item, const int files[2],
                            int results)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = text_stream_open(&text, &size);
    if (!out)
        return ZT_ERR_MEMORY;
    if (def->feed)
        def->feed->work(def->user, files, out);
    else
        def->work(def->user, item, out);
    fflush(stdout);
    if (!text_stream_close(out, &text))
        return ZT_ERR_MEMORY;
    const uint64_t length = size;
    const bool written =
        write_all(results, &length, sizeof length) && write_all(results, text, size);
    free(text);
    return written && !interrupt_raised() ? ZT_OK : ZT_ERR_CANCELLED;
}

static void close_ends(int ends[PIPES])
{
    for (int i = 0; i < PIPES; i++) {
        if (ends[i] >= 0)
            close(ends[i]);
        ends[i] = -1;
    }
}

/// Leaves a worker of a feed nothing of what others have sent to this process, and nothing to read.
static void close_others(int ends[PIPES])
{
    enum { OTHERS = STDERR_FILENO + 3 };
    const int input = dup2(memfd_create("zoetrope-nothing", MFD_CLOEXEC), STDIN_FILENO);
    for (int i = JOBS; i <= RESULTS; i++)
        ends[i] = fcntl(ends[i], F_DUPFD_CLOEXEC, OTHERS);
    for (int i = JOBS; i <= RESULTS; i++)
        ends[i] = dup2(ends[i], STDERR_FILENO + 1 + i);
    if (input < 0 || ends[JOBS] < 0 || ends[RESULTS] < 0 || close_range(OTHERS, ~0u, 0) != 0)
        _exit((int)ZT_ERR_OUTPUT);
}

static void forget(byte_list *list)
{
    if (list->capacity > 0)
        memset(list->bytes, 0, list->capacity);
}

_Noreturn static void serve(worker_pool *p, pid_t program, int ends[PIPES])
{
    const worker_pool_def *def = p->def;
    int64_t item = 0;
    int files[2];
    struct sigaction term;
    if (dup2(ends[MESSAGES], STDOUT_FILENO) < 0 || dup2(ends[MESSAGES], STDERR_FILENO) < 0)
        _exit((int)ZT_ERR_OUTPUT);
    interrupt_fork();
    if (def->feed)
        close_others(ends);
    for (int i = 0; i < WORKERS_MAX && def->feed; i++) { // of other items
        forget(&p->workers[i].result);
        forget(&p->workers[i].message);
    }
    // With SIGTERM the watchdog removes temporary files, unless the signal is ignored.
    const bool heeds = sigaction(SIGTERM, NULL, &term) == 0 && term.sa_handler != SIG_IGN;
    (void)prctl(PR_SET_PDEATHSIG, heeds ? SIGTERM : SIGKILL);
    const pid_t parent = getppid();
    if (parent != program && parent != 0) // the program has ended; 0: it is in another container
        _exit(0);
    def->begin(def->user);
    interrupt_watch();
    zt_result result = ZT_OK;
    while (result == ZT_OK &&
           (def->feed ? pass_files(ends[JOBS], files, false) : read_item(ends[JOBS], &item)))
        result = serve_item(def, item, files, ends[RESULTS]);
    _exit(result == ZT_ERR_MEMORY ? (int)result : 0);
}

// ---- Workers ------------------------------------------------------------------------------------

static void clear(worker *w)
{
    w->result.size = w->message.size = 0;
    w->result.cut = w->message.cut = false;
}

/// False: no process or no pipe.
static bool start(worker_pool *p, worker *w)
{
    int ours[PIPES], theirs[PIPES];
    bool made = true;
    for (int i = 0; i < PIPES; i++) {
        int pair[2] = {-1, -1};
        const bool socket = i == JOBS && p->def->feed;
        made = made && (socket ? socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair)
                               : pipe2(pair, O_CLOEXEC)) == 0;
        ours[i] = pair[i == JOBS];
        theirs[i] = pair[i != JOBS];
    }
    fflush(stdout);
    fflush(stderr);
    const pid_t program = getpid();
    const pid_t pid = made ? fork() : -1;
    if (pid == 0) {
        for (int i = 0; i < WORKERS_MAX; i++)
            close_ends(p->workers[i].ends);
        close_ends(ours);
        serve(p, program, theirs);
    }
    close_ends(theirs);
    if (pid < 0) {
        close_ends(ours);
        return false;
    }
    *w = (worker){.pid = pid, .item = {.number = -1}, .result = w->result, .message = w->message};
    memcpy(w->ends, ours, sizeof ours);
    clear(w);
    (void)fcntl(ours[RESULTS], F_SETFL, O_NONBLOCK);
    (void)fcntl(ours[MESSAGES], F_SETFL, O_NONBLOCK);
    return true;
}

/// Appends what has come. False: the other end is closed, or something was cut for a lack of
/// memory.
static bool take(int file, byte_list *list, size_t size_limit)
{
    static char piece[1 << 14];
    for (;;) {
        const ssize_t count = read(file, piece, sizeof piece);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 && !list->cut;
        const size_t size = list->size + (size_t)count;
        char *room = list->bytes;
        if (!list->cut && size > list->capacity)
            room = size > size_limit ? NULL : realloc(list->bytes, 2 * size);
        list->cut |= !room || size > size_limit;
        if (list->cut)
            continue;
        memcpy(room + list->size, piece, (size_t)count);
        memset(piece, 0, (size_t)count); // a worker that begins later has a copy of all memory
        list->capacity = size > list->capacity ? 2 * size : list->capacity;
        list->bytes = room;
        list->size = size;
    }
}

// ---- Outcomes -----------------------------------------------------------------------------------

static void report_in_order(worker_pool *p)
{
    for (; p->reported < p->def->count && p->outcomes[p->reported]; p->reported++) {
        outcome *o = p->outcomes[p->reported];
        p->outcomes[p->reported] = NULL;
        if (o == &early)
            continue;
        p->def->done(p->def->user, p->reported, &o->result);
        free(o);
    }
}

/// A copy of an outcome and its texts; NULL: no memory.
static outcome *copy(const worker_result *r)
{
    outcome *o = malloc(sizeof *o + r->size + r->message_size);
    if (!o)
        return NULL;
    o->result = *r;
    o->result.bytes = o->texts;
    o->result.messages = o->texts + r->size;
    if (r->size > 0)
        memcpy(o->texts, r->bytes, r->size);
    if (r->message_size > 0)
        memcpy(o->texts + r->size, r->messages, r->message_size);
    return o;
}

/// Reports an outcome, or keeps it for later. Without memory for that it comes out of order.
static void finish_item(worker_pool *p, int64_t item, const worker_result *result)
{
    p->finished++;
    if (p->def->feed) {
        p->stillborn = 0;
        p->def->done(p->def->user, item, result);
        return;
    }
    if (!p->def->unordered && item != p->reported && (p->outcomes[item] = copy(result)) != NULL)
        return;
    p->def->done(p->def->user, item, result);
    p->outcomes[item] = &early;
    report_in_order(p);
}

static void end_item(worker_pool *p, worker *w, worker_result result)
{
    (void)take(w->ends[MESSAGES], &w->message, MESSAGE_BYTES);
    result.seconds = console_clock() - w->begun_s;
    result.messages = w->message.bytes;
    result.message_size = w->message.size;
    const int64_t item = w->item.number;
    w->item.number = -1;
    finish_item(p, item, &result);
    clear(w);
}

/// The outcome of an item that has come as a whole.
static void take_result(worker_pool *p, worker *w)
{
    uint64_t length;
    if (w->item.number < 0 || w->result.size < sizeof length)
        return;
    memcpy(&length, w->result.bytes, sizeof length);
    if (length != w->result.size - sizeof length)
        return;
    end_item(
        p, w,
        (worker_result){.end = w->asked_s > 0.0 && !p->stopping ? WORKER_TIMED_OUT : WORKER_DONE,
                        .bytes = w->result.bytes + sizeof length,
                        .size = (size_t)length});
}

/// A process that has ended, or that says what none of ours would.
static void bury(worker_pool *p, worker *w, bool no_memory)
{
    int status = 0;
    (void)kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (w->item.number >= 0) {
        worker_result result = {.end = WORKER_DIED};
        if (p->stopping || interrupt_raised())
            result.end = WORKER_STOPPED;
        else if (w->asked_s > 0.0)
            result.end = WORKER_TIMED_OUT;
        if (no_memory)
            result.exit_code = (int)ZT_ERR_MEMORY;
        else if (WIFSIGNALED(status))
            result.signal = WTERMSIG(status);
        else if (WIFEXITED(status))
            result.exit_code = WEXITSTATUS(status);
        end_item(p, w, result);
    } else if (w->asked_s == 0.0 && w->ends[JOBS] >= 0 && !(w->used && p->def->feed)) {
        p->stillborn++;
    }
    close_ends(w->ends);
    w->pid = 0;
}

// ---- The loop -----------------------------------------------------------------------------------

/// The outcome of an item that no process can do.
static const worker_result no_process = {.end = WORKER_DIED, .exit_code = (int)ZT_ERR_MEMORY};

static bool take_item(worker_pool *p, worker_item *out)
{
    const worker_pool_def *def = p->def;
    *out = (worker_item){p->next, {-1, -1}, def->single, def->item_timeout_s};
    const bool is = def->feed ? def->feed->next(def->user, out)
                              : p->next < def->count && p->next - p->reported <= AHEAD;
    p->next += is;
    return is;
}

static void close_jobs(worker *w)
{
    close(w->ends[JOBS]);
    w->ends[JOBS] = -1;
}

static void hand_out(worker_pool *p, worker *w)
{
    worker_item item;
    if (p->stopping || w->item.number >= 0 || w->asked_s > 0.0 || w->ends[JOBS] < 0 ||
        !take_item(p, &item))
        return;
    if (item.single && w->used) {     // a new process instead
        w->asked_s = console_clock(); // it does not end by itself
        bury(p, w, false);
        if (!start(p, w)) {
            finish_item(p, item.number, &no_process);
            return;
        }
    }
    w->item = item;
    w->used = true;
    w->begun_s = console_clock();
    clear(w);
    // If it has ended, reading will tell.
    if (p->def->feed)
        (void)pass_files(w->ends[JOBS], item.files, true);
    else
        (void)write_all(w->ends[JOBS], &item.number, sizeof item.number);
    if (item.single)
        close_jobs(w);
}

/// Items that come while no process lives past its start fail.
static void fail_items(worker_pool *p)
{
    worker_item item;
    while (take_item(p, &item))
        finish_item(p, item.number, &no_process);
    p->stillborn = 0;
}

/// Workers for the items that are left. False: there is none, and none can be made; a feed waits.
static bool man(worker_pool *p)
{
    const bool feed = p->def->feed != NULL;
    bool any = feed;
    if (feed && p->stillborn >= STILLBORN)
        fail_items(p);
    for (int32_t i = 0; i < p->def->workers; i++) {
        worker *w = &p->workers[i];
        const bool wanted = feed || p->next < p->def->count;
        if (w->pid == 0 && !p->stopping && wanted && p->stillborn < STILLBORN && !start(p, w) &&
            !feed)
            p->stillborn += STILLBORN / 4;
        if (w->pid > 0)
            hand_out(p, w);
        any |= w->pid > 0;
    }
    return any;
}

static void ask(worker *w)
{
    w->asked_s = console_clock();
    (void)kill(w->pid, SIGTERM);
}

static void end_late(worker_pool *p, worker *w)
{
    const double now_s = console_clock(), limit_s = w->item.timeout_s;
    const double patience_s = p->stopping ? STOPPED_S : ASKED_S;
    if (w->asked_s == 0.0 &&
        (p->stopping || (w->item.number >= 0 && limit_s > 0.0 && now_s - w->begun_s > limit_s)))
        ask(w);
    else if (w->asked_s > 0.0 && now_s - w->asked_s > patience_s)
        bury(p, w, false);
}

void worker_pool_cancel(worker_pool *p, int64_t item)
{
    for (int32_t i = 0; i < p->def->workers; i++) {
        worker *w = &p->workers[i];
        if (w->pid > 0 && w->item.number == item && w->asked_s == 0.0)
            ask(w);
    }
}

static bool is_busy(const worker_pool *p) { return p->next > p->finished; }

static void wait_for_workers(worker_pool *p)
{
    struct pollfd files[2 * WORKERS_MAX + WORKER_FEED_FILES];
    nfds_t count = 0;
    for (int32_t i = 0; i < p->def->workers; i++)
        if (p->workers[i].pid > 0) {
            files[count++] = (struct pollfd){.fd = p->workers[i].ends[RESULTS], .events = POLLIN};
            files[count++] = (struct pollfd){.fd = p->workers[i].ends[MESSAGES], .events = POLLIN};
        }
    const worker_feed *feed = p->def->feed;
    if (feed)
        p->ended = !feed->wait(p->def->user, p, files, count, is_busy(p) ? POLL_MS : IDLE_MS);
    else
        (void)poll(files, count, POLL_MS);
    p->stopping = p->stopping || interrupt_raised();
    for (int32_t i = 0; i < p->def->workers; i++) {
        worker *w = &p->workers[i];
        if (w->pid == 0)
            continue;
        byte_list *message = &w->message;
        const bool open = take(w->ends[RESULTS], &w->result, RESULT_BYTES);
        (void)take(w->ends[MESSAGES], message, MESSAGE_BYTES);
        if (feed && w->item.number >= 0 && message->size > 0)
            message->size =
                feed->heard(p->def->user, w->item.number, message->bytes, message->size);
        take_result(p, w);
        const bool served = w->ends[JOBS] < 0 && w->item.number < 0;
        if (!open || served)
            bury(p, w, w->result.cut);
        else
            end_late(p, w);
    }
}

/// Ends workers, which do so when nobody has items for them.
static void dismiss(worker_pool *p)
{
    for (int32_t i = 0; i < p->def->workers; i++)
        if (p->workers[i].ends[JOBS] >= 0)
            close_jobs(&p->workers[i]);
    for (int32_t i = 0; i < p->def->workers; i++) {
        worker *w = &p->workers[i];
        if (w->pid > 0)
            bury(p, w, false);
        free(w->result.bytes);
        free(w->message.bytes);
    }
}

zt_result worker_pool_run(const worker_pool_def *def, zt_error *err)
{
    worker_pool p = {.def = def};
    bool manned = true, worked = false;
    for (int i = 0; i < WORKERS_MAX; i++)
        p.workers[i] = (worker){.ends = {-1, -1, -1}};
    p.outcomes = calloc((size_t)def->count + 1, sizeof(outcome *));
    if (!p.outcomes)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for the outcomes of a batch");
    interrupt_before_fork();
    while ((p.finished < def->count || (def->feed && !p.ended) || is_busy(&p)) &&
           (manned = man(&p))) {
        worked = true;
        wait_for_workers(&p);
    }
    dismiss(&p);
    for (; worked && p.next < def->count; p.next++)
        finish_item(&p, p.next, &(worker_result){.end = WORKER_NOT_BEGUN});
    free(p.outcomes);
    if (manned || worked)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_MEMORY, "no process for a batch could be made: %s", strerror(errno));
}
