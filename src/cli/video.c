// SPDX-License-Identifier: MIT
/// Frames to ffmpeg as a YUV4MPEG2 stream; see video.h. All but video_start() runs in the sandbox.
#include "cli/video.h"

#include "base/file.h"
#include "cli/console.h"
#include "cli/interrupt.h"
#include "cli/option_value.h"
#include "cli/output_name.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PATH_SIZE = 4096,
    LOOK_MS = 50,
    LEAVE_MS = 200, ///< how long the watching process may take to kill ffmpeg and remove the file
};

bool video_wanted(const options *o)
{
    const bool renders = o->command == COMMAND_RENDER || o->command == COMMAND_TURNTABLE;
    return renders && o->output && !o->encode.format && !o->verify.given && !o->list_clips &&
           !o->print_limits && names_video(o->output);
}

/// The first ffmpeg on the PATH.
static bool find_ffmpeg(char out[PATH_SIZE])
{
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t length = strcspn(at, ":");
        struct stat status;
        if (length > 0 && snprintf(out, PATH_SIZE, "%.*s/ffmpeg", (int)length, at) < PATH_SIZE &&
            access(out, X_OK) == 0 && stat(out, &status) == 0 && S_ISREG(status.st_mode))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static zt_result check_options(const options *o, zt_error *err)
{
    char path[PATH_SIZE];
    if (o->sequence.resume || o->sequence.shard_count > 0)
        return usage_error(err,
                           "%.200s: one file of all frames can be neither resumed nor made in "
                           "shards (expected a name with ####, as frame-####.png)",
                           o->output);
    if (zt_frame_path(o->output, 0, true, path, sizeof path, err) != ZT_OK)
        return ZT_ERR_ARGUMENT;
    if (strcmp(path, o->output) != 0)
        return usage_error(err,
                           "%.200s: a video is one file of all frames (expected a name without a "
                           "frame)",
                           o->output);
    return ZT_OK;
}

zt_result video_start(options *o, zt_error *err)
{
    char ffmpeg[PATH_SIZE];
    if (!video_wanted(o))
        return ZT_OK;
    if (check_options(o, err) != ZT_OK)
        return ZT_ERR_ARGUMENT;
    if (!find_ffmpeg(ffmpeg))
        return zt_fail(err, ZT_ERR_UNSUPPORTED,
                       "%.200s: no ffmpeg on the PATH (expected it for .mp4 and .webm: install the "
                       "package ffmpeg; .apng, .webp and .y4m need nothing)",
                       o->output);
    if (!video_watch(o, ffmpeg, &o->video))
        return zt_fail(err, ZT_ERR_OUTPUT, "%.200s: cannot start ffmpeg: %s", o->output,
                       strerror(errno));
    return ZT_OK;
}

static bool make_folders(const char *path)
{
    char folder[PATH_SIZE];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        if (snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path) >= PATH_SIZE)
            return false;
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            return false;
    }
    return true;
}

/// A zt_write_fn. Stops waiting for ffmpeg when the program has to stop.
static bool write_frames(void *user, const void *data, size_t size)
{
    const video_process *video = user;
    const char *bytes = data;
    while (size > 0) {
        struct pollfd end = {.fd = video->frames, .events = POLLOUT};
        if (interrupt_raised())
            return false;
        if (poll(&end, 1, LOOK_MS) <= 0)
            continue;
        const ssize_t done = write(video->frames, bytes, size);
        if (done < 0 && errno != EAGAIN && errno != EINTR)
            return false;
        if (done > 0) {
            bytes += done;
            size -= (size_t)done;
        }
    }
    return true;
}

/// False when the program has to stop first.
static bool read_status(const video_process *video, video_status *out)
{
    struct pollfd end = {.fd = video->status, .events = POLLIN};
    *out = (video_status){.code = -1};
    while (!interrupt_raised()) {
        if (poll(&end, 1, LOOK_MS) <= 0)
            continue;
        if (read(video->status, out, sizeof *out) != (ssize_t)sizeof *out)
            *out = (video_status){.code = -1};
        out->reason[VIDEO_REASON_SIZE - 1] = '\0';
        return true;
    }
    return false;
}

static bool send_command(const video_process *video, int byte)
{
    const uint8_t sent = (uint8_t)byte;
    return write(video->control, &sent, 1) == 1;
}

static void shut(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

void video_finish(video_process *video)
{
    if (!video->started)
        return;
    shut(&video->frames);
    shut(&video->control);
    for (int ms = 0; ms < LEAVE_MS && waitpid((pid_t)video->watcher, NULL, WNOHANG) == 0; ms++)
        (void)poll(NULL, 0, 1);
    shut(&video->status);
    video->started = false;
}

/// Has the watching process end ffmpeg and remove the file.
static int fail(options *o, zt_result result, const char *message)
{
    video_finish(&o->video);
    return command_fail(o, result, message);
}

static bool sync_file(const char *path)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool synced = file >= 0 && fsync(file) == 0;
    const int error_number = errno;
    if (file >= 0)
        close(file);
    errno = error_number;
    return synced;
}

static int fail_file(options *o, const char *what)
{
    char text[PATH_SIZE];
    snprintf(text, sizeof text, "%.400s: %s: %s", o->output, what, strerror(errno));
    return fail(o, ZT_ERR_OUTPUT, text);
}

static int name_file(options *o)
{
    char temporary[PATH_SIZE], text[PATH_SIZE];
    struct stat status;
    if (!video_temporary(o->output, o->video.number, temporary, sizeof temporary))
        return fail(o, ZT_ERR_OUTPUT, "a name that is too long");
    if (stat(temporary, &status) != 0)
        return fail_file(o, "the video is gone");
    if (status.st_size == 0) {
        snprintf(text, sizeof text, "%.400s: ffmpeg wrote nothing (expected a video)", o->output);
        return fail(o, ZT_ERR_OUTPUT, text);
    }
    if (o->encode.fsync && !sync_file(temporary))
        return fail_file(o, "cannot flush");
    if (interrupt_raised())
        return fail(o, ZT_ERR_CANCELLED, "");
    if (rename(temporary, o->output) != 0)
        return fail_file(o, "cannot rename into place");
    (void)send_command(&o->video, VIDEO_NAMED);
    if (o->encode.fsync)
        file_sync_name(o->output);
    return (int)ZT_OK;
}

/// The process that ended: the program by a signal, ffmpeg, or the renderer.
static int finish(options *o, zt_result result, const char *message)
{
    char text[1024];
    video_status status;
    if (interrupt_raised())
        return fail(o, ZT_ERR_CANCELLED, "");
    if (result != ZT_OK && result != ZT_ERR_OUTPUT)
        return fail(o, result, message);
    shut(&o->video.frames); // ffmpeg writes the end of the file
    if (!read_status(&o->video, &status))
        return fail(o, ZT_ERR_CANCELLED, "");
    if (status.code == 0 && result == ZT_OK)
        return name_file(o);
    snprintf(text, sizeof text, "%.400s: ffmpeg failed: %s", o->output,
             status.reason[0] ? status.reason : "it ended early");
    return fail(o, ZT_ERR_OUTPUT, text);
}

/// A video gets its name by a rename, which would replace a pipe or device.
static int check_target(options *o)
{
    char text[1024];
    struct stat status;
    if (stat(o->output, &status) != 0 || S_ISREG(status.st_mode))
        return (int)ZT_OK;
    snprintf(text, sizeof text, "%.400s: is a %s (expected the name of a file)", o->output,
             S_ISDIR(status.st_mode) ? "folder" : "pipe or device");
    return fail(o, ZT_ERR_OUTPUT, text);
}

static int begin(options *o, const zt_scene *scene)
{
    int32_t width, height;
    int flags = VIDEO_START;
    const int code = check_target(o);
    if (code != (int)ZT_OK)
        return code;
    zt_scene_size(scene, &width, &height);
    if (has_suffix(o->output, ".mp4"))
        flags |= (width % 2 ? VIDEO_ODD_WIDTH : 0) | (height % 2 ? VIDEO_ODD_HEIGHT : 0);
    if (flags != VIDEO_START)
        console_say(o, ZT_WARNING,
                    "%.400s: %d x %d pixels (H.264 has even sides: the last column or row is "
                    "repeated)",
                    o->output, (int)width + width % 2, (int)height + height % 2);
    if (!make_folders(o->output))
        return fail_file(o, "cannot make its folder");
    (void)fcntl(o->video.frames, F_SETFL, O_NONBLOCK);
    if (!send_command(&o->video, flags))
        return fail(o, ZT_ERR_OUTPUT, "ffmpeg could not be started");
    return (int)ZT_OK;
}

int video_render(options *o, zt_renderer *renderer, const zt_scene *scene, zt_progress_fn on_frame,
                 void *user)
{
    zt_error err = {0};
    zt_sequence_def def = zt_default_sequence_def();
    const int code = begin(o, scene);
    if (code != (int)ZT_OK)
        return code;
    def.encode = o->encode;
    def.encode.format = "y4m";
    def.planes = o->sequence.planes;
    def.hash = o->json;
    def.write = write_frames;
    def.write_user = &o->video;
    def.progress = on_frame;
    def.samples = true;
    def.progress_user = user;
    const zt_result result = zt_render_stream(renderer, scene, &def, &err);
    return finish(o, result, err.message);
}
