// SPDX-License-Identifier: MIT
/// One frame at a time from its number to its file.
#pragma once

#include "base/file.h"
#include "image/picture_writer.h"
#include "render/animation.h"
#include "render/renderer.h"

enum { FRAME_PATH_SIZE = 4096 };

/// The files of each frame of a sequence or a stream.
typedef struct frame_files {
    uint32_t drawn; ///< the set of what all of them hold, and 8-bit colour for its hash
    int32_t count;
    uint32_t asked[PLANE_COUNT], encoded[PLANE_COUNT]; ///< [count] sets: of callers, of encode()
    const char *name[PLANE_COUNT];                     ///< [count] in place of {plane}
    bool named;                                        ///< the pattern has {plane}
} frame_files;

/// Makes one frame after another: their planes, memory to encode them, and results of the last one.
typedef struct frame_job {
    zt_renderer *renderer;
    const zt_scene *scene;
    const zt_sequence_def *def;
    const picture_writer *writer;
    const frame_files *files;
    animation *one_file; ///< all frames go into it; NULL: each has files
    int64_t index;       ///< index of the frame that it draws
    int64_t frame;
    uint32_t missing; ///< bits of the files that are not there yet
    picture_planes planes;
    arena planes_arena;
    arena file_arena; ///< filtered rows and encoded bytes; reset after each file
    file_bytes bytes; ///< bytes of the first file, once encoded
    frame_time time;
    zt_encode_def encoding; ///< with the key of the file: what its picture follows from
    char path[FRAME_PATH_SIZE];
    uint64_t hash; ///< hash of the 8-bit colour if def->hash; 0: not asked for, or absent
    frame_stats stats;
    zt_error error;
} frame_job;

/// For the def of a sequence or a stream, whose frames have keys of their own. ZT_ERR_ARGUMENT.
zt_result frames_def_check(const zt_encode_def *def, zt_error *err);
/// The key of a file: a hash of version, the scene's inputs, size, frame, way to encode and planes.
uint64_t frame_key(const zt_scene *scene, int64_t frame, uint32_t planes,
                   const zt_encode_def *encoding);
/// Gives `def` the key and the origin of a frame's file of such planes, unless it wants no
/// metadata.
void frame_origin(const zt_scene *scene, int64_t frame, uint32_t planes, zt_encode_def *def);
/// ZT_ERR_ARGUMENT for planes that there are not or `writer` does not hold, and for a pattern that
/// does not tell them apart. A stream is one file.
zt_result frame_files_find(const zt_scene *scene, const zt_sequence_def *def,
                           const picture_writer *writer, frame_files *out, zt_error *err);
/// A stream of all selected frames.
picture_stream scene_stream(const zt_scene *scene, const zt_encode_def *encoding);
/// Planes of the files in `a`, with room for each file. ZT_ERR_ARGUMENT: a skeleton of 16 bits.
zt_result scene_planes_init(const zt_scene *scene, const frame_files *files, arena *a,
                            picture_planes *out, zt_error *err);
void frame_job_init(frame_job *j, zt_renderer *r, const zt_scene *scene, const zt_sequence_def *def,
                    const picture_writer *writer, const frame_files *files, animation *one_file);
void frame_job_finish(frame_job *j);
/// True when a pattern holds "####", "%04d" or "{frame:4}", or "{plane}"; false for a malformed
/// one. See zt_frame_path, which makes the names of colour.
bool frame_path_has_field(const char *pattern, bool plane);
/// A pattern with "{plane}" for messages, from one without.
void frame_path_with_plane(const char *pattern, char *out, size_t size);
zt_result frame_path(const char *pattern, int64_t frame, const char *plane, bool single,
                     char *out_path, size_t out_size, zt_error *err);
/// Starts `frame`, all of whose files are missing, with the first of them: sets j->time.
zt_result frame_job_start(frame_job *j, int64_t frame);
/// Sets j->encoding and the name in j->path for a file of the frame.
zt_result frame_job_name(frame_job *j, int32_t file);
/// Finds which files of the frame are there, whole, and of this frame; true: none is missing.
bool frame_job_is_done(frame_job *j);
/// Draws the frame that frame_job_start started.
zt_result frame_job_draw(frame_job *j, const frame_workers *workers);
/// Encodes 8-bit colour in bands of rows on all workers: fast PNGs; does nothing for other files.
zt_result frame_job_encode_bands(frame_job *j);
/// Encodes it here, unless encoded, and writes the missing files, or appends it as number j->index.
zt_result frame_job_write(frame_job *j);
