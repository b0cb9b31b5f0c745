// SPDX-License-Identifier: MIT
/// The process that starts ffmpeg and watches it; see video.h. It runs outside the sandbox and
/// takes only command bytes from the program, so that a fault in a reader of models has no say in
/// what is run: program, arguments and names are those of the command line.
#define _GNU_SOURCE // pipe2
#include "base/file_temporary.h"
#include "base/path.h"
#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    FILTER_SIZE = 320,
    ARGUMENTS = 64,
    LOOK_MS = 5,    ///< between looks whether ffmpeg has ended
    LATE_MS = 1000, ///< between looks whether it works
    PATIENCE_S = 30,
    NAME_KEPT = 200 ///< bytes of the final name in the temporary one (names end at 255)
};

typedef struct watcher {
    const options *o;
    const char *ffmpeg;
    char temporary[PATH_SIZE];
    int frames, control, status; ///< the other ends of the program's pipes
    int said;                    ///< ffmpeg's stderr
    pid_t encoder;
    int64_t done;      ///< processor time and bytes of the encoder
    time_t done_since; ///< by the clock that only rises: when `done` was that first
} watcher;

bool video_temporary(const char *path, uint32_t number, char *out, size_t size)
{
    char mark[FILE_TEMPORARY_MARK];
    const int folder = (int)path_folder_length(path);
    file_temporary_mark(mark);
    return snprintf(out, size, "%.*s.%.*s%sv%08x", folder, path, NAME_KEPT, path + folder, mark,
                    (unsigned)number) < (int)size;
}

/// Tags, even sides by repeating the last, 4:2:0. It is BT.709, limited: no colours are converted.
static void filter_of(int start, char out[FILTER_SIZE])
{
    const char *wide = start & VIDEO_ODD_WIDTH ? "pad=iw+1:ih,fillborders=right=1:mode=smear," : "";
    const char *high =
        start & VIDEO_ODD_HEIGHT ? "pad=iw:ih+1,fillborders=bottom=1:mode=smear," : "";
    snprintf(out, FILTER_SIZE,
             "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709,%s%s"
             "format=yuv420p",
             wide, high);
}

/// In the process that becomes ffmpeg.
static void run_encoder(const watcher *w, int start, int said)
{
    static const char *const input[] = {"-nostdin", "-hide_banner", "-loglevel", "error",  "-y",
                                        "-f",       "yuv4mpegpipe", "-i",        "pipe:0", "-an",
                                        NULL};
    static const char *const h264[] = {"-c:v",      "libx264",    "-preset", "medium", "-crf", "18",
                                       "-movflags", "+faststart", "-f",      "mp4",    NULL};
    static const char *const vp9[] = {"-c:v",      "libvpx-vp9", "-crf", "24",        "-b:v",
                                      "0",         "-row-mt",    "1",    "-deadline", "good",
                                      "-cpu-used", "4",          "-f",   "webm",      NULL};
    static const char *const tags[] = {
        "-pix_fmt",         "yuv420p", "-color_range", "tv",    "-colorspace", "bt709",
        "-color_primaries", "bt709",   "-color_trc",   "bt709", NULL};
    const char *const *const parts[] = {input, tags,
                                        has_suffix(w->o->output, ".webm") ? vp9 : h264};
    const char *arguments[ARGUMENTS] = {w->ffmpeg};
    char filter[FILTER_SIZE], threads[16], target[PATH_SIZE + 8];
    int count = 1;
    filter_of(start, filter);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int k = 0; parts[i][k]; k++)
            arguments[count++] = parts[i][k];
    arguments[count++] = "-vf";
    arguments[count++] = filter;
    if (w->o->renderer.threads > 0) {
        snprintf(threads, sizeof threads, "%d", (int)w->o->renderer.threads);
        arguments[count++] = "-threads";
        arguments[count++] = threads;
    }
    snprintf(target, sizeof target, "file:%s", w->temporary);
    arguments[count++] = target;
    (void)setpgid(0, 0); // what a wrapper starts is killed with it
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (dup2(w->frames, STDIN_FILENO) >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 &&
        dup2(said, STDERR_FILENO) >= 0)
        execv(w->ffmpeg, (char *const *)(uintptr_t)arguments);
    fprintf(stderr, "%s\n", strerror(errno));
    _exit(127);
}

static bool start_encoder(watcher *w, int start)
{
    int said[2];
    if (pipe2(said, O_CLOEXEC) != 0)
        return false;
    w->encoder = fork();
    if (w->encoder == 0)
        run_encoder(w, start, said[1]);
    if (w->encoder > 0)
        (void)setpgid(w->encoder, w->encoder); // whoever of both is first
    close(said[1]);
    w->said = said[0];
    return w->encoder > 0;
}

/// Keeps the first line, which names the cause.
static void keep_line(char line[VIDEO_REASON_SIZE], const char *bytes, size_t size, bool *ended)
{
    size_t length = strlen(line);
    for (size_t i = 0; i < size && !*ended; i++) {
        *ended = bytes[i] == '\n' || length + 1 >= VIDEO_REASON_SIZE;
        if (*ended)
            return;
        line[length++] = bytes[i] >= ' ' && bytes[i] != 0x7F ? bytes[i] : '?';
        line[length] = '\0';
    }
}

/// True when ffmpeg has neither used the processor nor written for a while, with frames before it
/// or the end of them: refused memory, it can wait for a thread that has ended. The time of one
/// that has started others says nothing: it is a wrapper.
static bool is_stuck(watcher *w, char line[VIDEO_REASON_SIZE])
{
    struct pollfd frames = {.fd = w->frames, .events = POLLIN};
    struct timespec now, used;
    struct stat file;
    clockid_t clock;
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", (long)w->encoder, (long)w->encoder);
    FILE *children = fopen(path, "re");
    const bool wraps = children && fgetc(children) != EOF;
    if (children)
        fclose(children);
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0 || stat(w->temporary, &file) != 0 ||
        clock_getcpuclockid(w->encoder, &clock) != 0 || clock_gettime(clock, &used) != 0)
        return false;
    const int64_t done = (int64_t)used.tv_sec * 1000000000 + used.tv_nsec + file.st_size;
    if (wraps || done != w->done || poll(&frames, 1, 0) <= 0)
        w->done_since = now.tv_sec;
    w->done = done;
    if (now.tv_sec - w->done_since < PATIENCE_S)
        return false;
    return line[0] || snprintf(line, VIDEO_REASON_SIZE, "it takes no frame and does nothing") > 0;
}

/// Until ffmpeg closes its stderr, as it ends. False: the program has gone, or wants it to end.
static bool read_lines(watcher *w, char line[VIDEO_REASON_SIZE])
{
    bool ended = false;
    for (;;) {
        char bytes[256];
        struct pollfd ends[] = {{.fd = w->control, .events = POLLIN},
                                {.fd = w->said, .events = POLLIN}};
        if (poll(ends, 2, LATE_MS) < 0 && errno != EINTR)
            return false;
        if (ends[0].revents != 0 || is_stuck(w, line))
            return false;
        if (ends[1].revents == 0)
            continue;
        const ssize_t size = read(w->said, bytes, sizeof bytes);
        if (size <= 0)
            return true;
        keep_line(line, bytes, (size_t)size, &ended);
    }
}

/// Until ffmpeg has ended. Returns its exit code; -1: a signal ended it, or it was killed here.
static int wait_for_encoder(watcher *w, char line[VIDEO_REASON_SIZE])
{
    struct pollfd control = {.fd = w->control, .events = POLLIN};
    int state = 0;
    pid_t ended = 0;
    bool wanted = read_lines(w, line);
    while (wanted && (ended = waitpid(w->encoder, &state, WNOHANG)) == 0)
        wanted = poll(&control, 1, LOOK_MS) == 0 && !is_stuck(w, line);
    close(w->frames); // the program may wait for somebody to read them
    if (ended != 0)
        return ended > 0 && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
    (void)kill(-w->encoder, SIGKILL); // with all that it started
    while (waitpid(w->encoder, &state, 0) < 0 && errno == EINTR)
        ;
    return -1;
}

/// The file is new: ffmpeg would write through a link that somebody else put in its place.
static bool make_file(const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return file >= 0 && close(file) == 0;
}

/// Removes the file, unless the program gave it its name.
static void watch(watcher *w)
{
    video_status status = {.code = -1};
    uint8_t byte = 0;
    if (read(w->control, &byte, 1) != 1 || !(byte & VIDEO_START))
        return;
    if (!make_file(w->temporary))
        snprintf(status.reason, sizeof status.reason, "cannot make the file: %s", strerror(errno));
    else if (start_encoder(w, byte))
        status.code = wait_for_encoder(w, status.reason);
    const bool told = write(w->status, &status, sizeof status) == (ssize_t)sizeof status;
    if (!told || status.code != 0 || read(w->control, &byte, 1) != 1 || byte != VIDEO_NAMED)
        unlink(w->temporary);
}

static void become_watcher(watcher *w)
{
    static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE};
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    (void)setpgid(0, 0); // a terminal's signals are for the program
    for (size_t i = 0; i < sizeof ignored / sizeof *ignored; i++)
        signal(ignored[i], SIG_IGN);
    signal(SIGCHLD, SIG_DFL); // ignored, it would hide how ffmpeg ended
    if (nothing >= 0)
        for (int i = 0; i <= STDERR_FILENO; i++)
            dup2(nothing, i); // who reads the program's output must not wait for this process
    watch(w);
    _exit(0);
}

bool video_watch(const options *o, const char *ffmpeg, video_process *out)
{
    int frames[2], control[2], status[2];
    watcher w = {.o = o, .ffmpeg = ffmpeg};
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now); // processes of two containers can have one number
    const uint32_t number = (uint32_t)now.tv_nsec;
    if (!video_temporary(o->output, number, w.temporary, sizeof w.temporary)) {
        errno = ENAMETOOLONG;
        return false;
    }
    if (pipe2(frames, O_CLOEXEC) != 0 || pipe2(control, O_CLOEXEC) != 0 ||
        pipe2(status, O_CLOEXEC) != 0)
        return false; // the program ends
    const pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        close(frames[1]);
        close(control[1]);
        close(status[0]);
        w.frames = frames[0];
        w.control = control[0];
        w.status = status[1];
        become_watcher(&w);
    }
    close(frames[0]);
    close(control[0]);
    close(status[1]);
    *out = (video_process){true, frames[1], control[1], status[0], (long)child, number};
    return true;
}
