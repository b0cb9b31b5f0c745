// SPDX-License-Identifier: MIT
/// Signals, the --timeout and the watchdog; see interrupt.h. The handler sets a flag and writes to
/// a pipe, for which the watchdog, a thread, waits, and for the deadline. Temporary files are found
/// by the process number in their names (.NAME.tmp-PID-N, of zt_image_write).
#define _GNU_SOURCE // pipe2
#include "cli/interrupt.h"

#include "base/file_temporary.h"
#include "base/jobs.h"
#include "base/path.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    OUTPUT_COUNT = 8,
    GRACE_MS = 250,      ///< for the library to stop by itself
    DOCUMENT_SIZE = 256, ///< bytes; of its beginning
    TIMED_OUT = -1,      ///< instead of a signal
};

/// A folder in which temporary files may be, and how many levels of folders below it.
typedef struct output_folder {
    char path[PATH_SIZE];
    int depth;
} output_folder;

/// Who prints the result document.
enum { WRITER_NONE, WRITER_COMMAND, WRITER_WATCHDOG };

static struct {
    atomic_int raised;  ///< the first signal, or TIMED_OUT; 0: none
    atomic_bool told;   ///< people have read why the program ends
    atomic_bool ending; ///< the watchdog ends the process: nothing else goes on
    int pipe[2];        ///< the handler writes to it; closed by interrupt_finish()
    bool watched;       ///< the thread was started
    atomic_bool waits;  ///< the thread has begun
    pthread_t thread;
    uint64_t deadline_ns; ///< 0: none
    output_folder outputs[OUTPUT_COUNT];
    atomic_int output_count; ///< those that are complete
    char file_folders[2][PATH_SIZE];
    atomic_int file;              ///< 1 + the index of the last one; 0: none
    char document[DOCUMENT_SIZE]; ///< its beginning; empty: none is asked for
    atomic_int document_writer;
} state = {.pipe = {-1, -1}};

static uint64_t now_ns(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void raise_once(int reason)
{
    int none = 0;
    (void)atomic_compare_exchange_strong(&state.raised, &none, reason);
}

static void on_signal(int signal_number)
{
    const char byte = 0;
    const int error_number = errno;
    if (!state.watched && atomic_load(&state.raised) != 0)
        _exit(128 + signal_number); // a second one, and nobody to clean up
    raise_once(signal_number);
    if (state.watched && write(state.pipe[1], &byte, 1) < 0)
        errno = 0; // full: the watchdog is awake
    errno = error_number;
}

// ---- The last resort ----------------------------------------------------------------------------

static bool is_temporary(const char *name)
{
    char mark[FILE_TEMPORARY_MARK];
    file_temporary_mark(mark);
    return name[0] == '.' && strstr(name, mark) != NULL;
}

static void remove_temporaries(const char *folder, int depth)
{
    char path[PATH_SIZE];
    DIR *directory = opendir(folder);
    if (!directory)
        return;
    for (const struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        struct stat status;
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 ||
            (depth == 0 && !is_temporary(name)) ||
            snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
            continue;
        if (is_temporary(name))
            unlink(path);
        else if (lstat(path, &status) == 0 && S_ISDIR(status.st_mode))
            remove_temporaries(path, depth - 1);
    }
    closedir(directory);
}

/// Waits for a signal until the deadline. False when the program ends by itself.
static bool wait_for_reason(void)
{
    struct pollfd wake = {.fd = state.pipe[0], .events = POLLIN};
    for (;;) {
        int left_ms = -1;
        if (state.deadline_ns > 0) {
            const uint64_t now = now_ns();
            const uint64_t left = state.deadline_ns > now ? state.deadline_ns - now : 0;
            left_ms = left / 1000000 >= INT32_MAX ? INT32_MAX : (int)((left + 999999) / 1000000);
        }
        const int ready = poll(&wake, 1, left_ms);
        if (ready == 0 && now_ns() >= state.deadline_ns) {
            raise_once(TIMED_OUT);
            return true;
        }
        if (ready > 0)
            return atomic_load(&state.raised) != 0;
    }
}

/// False when the program ends by itself within the time that it is given.
static bool wait_for_library(void)
{
    const uint64_t end = now_ns() + (uint64_t)GRACE_MS * 1000000u;
    for (;;) {
        char bytes[64];
        struct pollfd wake = {.fd = state.pipe[0], .events = POLLIN};
        const uint64_t now = now_ns();
        if (now >= end)
            return true;
        if (poll(&wake, 1, (int)((end - now) / 1000000) + 1) > 0 &&
            read(state.pipe[0], bytes, sizeof bytes) <= 0)
            return false; // interrupt_finish() has closed its end
    }
}

/// Writes what its reader takes at once.
static void write_now(int file, const char *text, int length)
{
    struct pollfd out = {.fd = file, .events = POLLOUT};
    if (poll(&out, 1, 0) > 0 && write(file, text, (size_t)length) < 0)
        errno = 0; // nobody reads
}

static void write_document(void)
{
    char text[DOCUMENT_SIZE + 64];
    int none = WRITER_NONE;
    if (!state.document[0] ||
        !atomic_compare_exchange_strong(&state.document_writer, &none, WRITER_WATCHDOG))
        return;
    write_now(STDOUT_FILENO, text,
              snprintf(text, sizeof text, "%s,\"code\":%d,\"message\":\"%s\"}\n", state.document,
                       interrupt_code(), interrupt_message()));
}

static void *watch(void *unused)
{
    char text[64];
    (void)unused;
    atomic_store(&state.waits, true);
    if (!wait_for_reason() || !wait_for_library())
        return NULL;
    atomic_store(&state.ending, true);
    const int count = atomic_load(&state.output_count);
    for (int i = 0; i < count; i++)
        remove_temporaries(state.outputs[i].path, state.outputs[i].depth);
    const int file = atomic_load(&state.file);
    if (file > 0)
        remove_temporaries(state.file_folders[file - 1], 0);
    if (interrupt_tell())
        write_now(STDERR_FILENO, text,
                  snprintf(text, sizeof text, "zoetrope: %s\n", interrupt_message()));
    write_document();
    _exit(interrupt_code());
}

// ---- Set up -------------------------------------------------------------------------------------

/// Without a thread, which a system may refuse, the library's questions alone end the work.
void interrupt_watch(void)
{
    if (pipe2(state.pipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    state.watched = job_thread_start(NULL, &state.thread, watch, NULL);
    if (state.watched && atomic_load(&state.raised) != 0 && write(state.pipe[1], "", 1) < 0)
        errno = 0; // full: the watchdog is awake
}

void interrupt_install(double timeout_s)
{
    static const int signals[] = {SIGINT,  SIGTERM, SIGHUP, SIGXCPU,
                                  SIGALRM, SIGUSR1, SIGUSR2}; // of shells and of batch systems
    struct sigaction action, old;
    sigset_t unblocked;
    if (timeout_s > 0.0)
        state.deadline_ns = now_ns() + (uint64_t)(timeout_s * 1e9) + 1;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    sigemptyset(&unblocked);
    action.sa_flags = SA_RESTART;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        action.sa_handler = on_signal;
        if (sigaction(signals[i], NULL, &old) != 0 || old.sa_handler == SIG_IGN)
            continue;
        sigaction(signals[i], &action, NULL);
        sigaddset(&unblocked, signals[i]);
    }
    pthread_sigmask(SIG_UNBLOCK, &unblocked, NULL);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL); // beyond ulimit -f a write fails
}

void interrupt_before_fork(void)
{
    while (state.watched && !atomic_load(&state.waits))
        (void)poll(NULL, 0, 1);
}

void interrupt_fork(void)
{
    for (int i = 0; i < 2; i++)
        if (state.pipe[i] >= 0)
            close(state.pipe[i]);
    state.pipe[0] = state.pipe[1] = -1;
    state.watched = false;
    atomic_store(&state.waits, false);
    state.deadline_ns = 0;
    state.document[0] = 0;
    atomic_store(&state.raised, 0);
    atomic_store(&state.told, true); // the program knows better why its worker has to stop
}

/// No thread starts or renames a file any more once the watchdog removes them.
static void stay_if_ending(void)
{
    while (atomic_load_explicit(&state.ending, memory_order_relaxed))
        pause();
}

void interrupt_again(void)
{
    stay_if_ending();
    atomic_store(&state.output_count, 0);
    atomic_store(&state.file, 0);
    atomic_store(&state.document_writer, WRITER_NONE);
}

void interrupt_finish(void)
{
    if (!state.watched)
        return;
    state.watched = false;
    close(state.pipe[1]);
    pthread_join(state.thread, NULL);
}

void interrupt_folder(const char *folder, int depth)
{
    const int count = atomic_load(&state.output_count);
    if (count == OUTPUT_COUNT)
        return;
    output_folder *out = &state.outputs[count];
    out->depth = depth;
    if (snprintf(out->path, sizeof out->path, "%s", folder) < (int)sizeof out->path)
        atomic_store(&state.output_count, count + 1);
}

void interrupt_output(const char *path, int depth)
{
    char folder[PATH_SIZE];
    interrupt_folder(path_folder(path, folder, sizeof folder), depth);
}

// ---- Questions ----------------------------------------------------------------------------------

static bool asked(void *unused)
{
    (void)unused;
    if (atomic_load_explicit(&state.raised, memory_order_relaxed) == 0) {
        if (state.deadline_ns == 0 || now_ns() < state.deadline_ns)
            return false;
        raise_once(TIMED_OUT);
    }
    stay_if_ending();
    return true;
}

const zt_cancel *interrupt_cancel(void)
{
    static const zt_cancel cancel = {.asked = asked};
    return &cancel;
}

void interrupt_file(const char *path)
{
    stay_if_ending(); // the watchdog reads the last one
    const int next = atomic_load(&state.file) == 1 ? 2 : 1;
    path_folder(path, state.file_folders[next - 1], PATH_SIZE);
    atomic_store(&state.file, next);
}

void interrupt_document(const char *begin)
{
    snprintf(state.document, sizeof state.document, "%s", begin);
}

bool interrupt_document_begin(void)
{
    int writer = WRITER_NONE;
    if (atomic_compare_exchange_strong(&state.document_writer, &writer, WRITER_COMMAND))
        return true;
    while (writer == WRITER_WATCHDOG)
        pause(); // it ends the process
    return false;
}

bool interrupt_raised(void) { return asked(NULL); }

int interrupt_code(void)
{
    const int reason = atomic_load(&state.raised);
    return reason == TIMED_OUT ? (int)ZT_ERR_LIMIT : 128 + reason;
}

bool interrupt_tell(void) { return !atomic_exchange(&state.told, true); }

const char *interrupt_message(void)
{
    return atomic_load(&state.raised) == TIMED_OUT ? "stopped by --timeout" : "stopped by a signal";
}
