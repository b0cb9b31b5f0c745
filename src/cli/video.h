// SPDX-License-Identifier: MIT
/// Videos by ffmpeg, when it is installed: a process of its own gets the frames through a pipe. It
/// starts before the sandbox closes. Another process watches it: when this one ends in any way
/// before the file has its name, ffmpeg is killed and the file removed.
#pragma once

#include <zoetrope/zoetrope.h>

typedef struct options options;

enum { VIDEO_REASON_SIZE = 200 };

/// The watching process, and this program's ends of the pipes; -1: closed.
typedef struct video_process {
    bool started;
    int frames;      ///< to ffmpeg, a YUV4MPEG2 stream
    int control;     ///< to the watching process
    int status;      ///< from it
    long watcher;    ///< its number
    uint32_t number; ///< in the name of the temporary file
} video_process;

/// The report of the watching process when ffmpeg has ended.
typedef struct video_status {
    int code;                       ///< 0: the file is complete
    char reason[VIDEO_REASON_SIZE]; ///< the first line that ffmpeg printed
} video_status;

/// For the command byte that starts ffmpeg: H.264 in 4:2:0 needs even sides.
enum { VIDEO_START = 1, VIDEO_ODD_WIDTH = 2, VIDEO_ODD_HEIGHT = 4, VIDEO_NAMED = 64 };

/// True when the output is a video, by its suffix.
bool video_wanted(const options *o);
/// Finds ffmpeg and starts the watching process, when a video is wanted. Call before the sandbox
/// closes and before threads start. ZT_ERR_UNSUPPORTED without ffmpeg.
zt_result video_start(options *o, zt_error *err);
/// Renders the selected frames into the video. Returns an exit code. `on_frame`: of
/// zt_sequence_def.
int video_render(options *o, zt_renderer *renderer, const zt_scene *scene, zt_progress_fn on_frame,
                 void *user);

/// Ends the watching process, if any, and reaps it: in a container nobody else might.
void video_finish(video_process *video);

/// The temporary name of the file at `path`. False: too long.
bool video_temporary(const char *path, uint32_t number, char *out, size_t size);
/// The watching process: returns its pipes in `out`. `ffmpeg`: its path. False: errno.
bool video_watch(const options *o, const char *ffmpeg, video_process *out);
