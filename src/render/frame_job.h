// SPDX-License-Identifier: MIT
/// One frame at a time from its number to its file.
#pragma once

#include "base/file.h"
#include "image/picture_writer.h"
#include "render/animation.h"
#include "render/renderer.h"

enum { FRAME_PATH_SIZE = 4096 };

/// Makes one frame after another: their planes, memory to encode them, and results of the last one.
typedef struct frame_job {
    zt_renderer *renderer;
    const zt_scene *scene;
    const zt_sequence_def *def;
    const picture_writer *writer;
    animation *one_file; ///< all frames go into it; NULL: each has a file
    int64_t index;       ///< index of the frame that it draws
    picture_planes planes;
    arena planes_arena;
    arena file_arena; ///< filtered rows and encoded bytes; reset after each file
    file_bytes bytes; ///< bytes of the file, once encoded
    frame_time time;
    zt_encode_def encoding; ///< with the key of the frame: what its picture follows from
    char path[FRAME_PATH_SIZE];
    uint64_t hash; ///< hash of the 8-bit colour if def->hash; 0: not asked for, or absent
    frame_stats stats;
    zt_error error;
} frame_job;

/// For the def of a sequence or a stream, whose frames have keys of their own. ZT_ERR_ARGUMENT.
zt_result frames_def_check(const zt_encode_def *def, zt_error *err);
/// A frame's key: a hash of version, the scene's inputs, size, frame and way to encode.
uint64_t frame_key(const zt_scene *scene, int64_t frame, const zt_encode_def *encoding);
/// A stream of all selected frames.
picture_stream scene_stream(const zt_scene *scene);
/// The planes that a writer takes, in `a`; 8-bit colour also where its hash is asked for.
zt_result scene_planes_init(const zt_scene *scene, const zt_sequence_def *def,
                            const picture_writer *writer, arena *a, picture_planes *out,
                            zt_error *err);
void frame_job_init(frame_job *j, zt_renderer *r, const zt_scene *scene, const zt_sequence_def *def,
                    const picture_writer *writer, animation *one_file);
void frame_job_finish(frame_job *j);
/// True when a pattern holds "####", "%04d" or "{frame:4}"; false for a malformed one. See
/// zt_frame_path, which makes the names.
bool frame_path_has_field(const char *pattern);
/// Starts `frame`: sets j->time, j->encoding, and the name of its file in j->path.
zt_result frame_job_name(frame_job *j, int64_t frame);
/// True when the file of the frame of frame_job_name() is there, whole, and of this frame.
bool frame_job_is_done(frame_job *j);
/// Draws the frame that frame_job_name started.
zt_result frame_job_draw(frame_job *j, const frame_workers *workers);
/// Encodes it in bands of rows on all workers: fast PNGs; does nothing for other files.
zt_result frame_job_encode_bands(frame_job *j);
/// Encodes it here, unless encoded, and writes the file, or appends it as number j->index.
zt_result frame_job_write(frame_job *j);
