// SPDX-License-Identifier: MIT
/// zt_render_stream: frames as a stream of bytes to a caller's function: a file, or raw video.
#include "base/handle.h"
#include "image/picture_writer.h"
#include "render/crypto_names.h"
#include "render/frame_job.h"
#include "render/renderer.h"

typedef struct stream {
    zt_renderer *renderer;
    const zt_scene *scene;
    const zt_sequence_def *def;
    const picture_writer *writer;
    frame_files files;
    picture_stream joined; ///< how far it is made
    picture_planes planes;
    arena planes_arena;
    arena bytes_arena; ///< reset after each frame
    zt_error *err;
} stream;

static zt_result write_bytes(const stream *s, file_bytes bytes)
{
    if (s->def->write(s->def->write_user, bytes.data, bytes.size))
        return ZT_OK;
    return zt_fail(s->err, ZT_ERR_OUTPUT, "the stream: the data could not be written");
}

/// Writes what the writer has before the first frame, or after the last; NULL: nothing.
static zt_result write_part(stream *s, zt_result (*part)(const picture_stream *stream, arena *a,
                                                         file_bytes *out, zt_error *err))
{
    file_bytes bytes;
    if (!part)
        return ZT_OK;
    ZT_TRY(part(&s->joined, &s->bytes_arena, &bytes, s->err));
    return write_bytes(s, bytes);
}

static zt_result write_frame(stream *s, int64_t frame)
{
    file_bytes bytes;
    zt_encode_def encoding = s->def->encode;
    frame_stats took = {0};
    const picture_planes planes = picture_planes_only(&s->planes, s->files.encoded[0]);
    if (!s->writer->join)
        frame_origin(s->scene, frame, s->files.asked[0], &encoding);
    ZT_TRY(renderer_draw(s->renderer, s->scene, frame, &s->planes, s->err));
    const uint64_t start = job_clock_ns();
    arena_reset(&s->bytes_arena);
    ZT_TRY(crypto_texts_make(s->scene, s->files.encoded[0], &s->bytes_arena, &encoding, s->err));
    ZT_TRY(s->writer->encode(&planes, &encoding, &s->bytes_arena, &bytes, s->err));
    if (s->writer->join)
        ZT_TRY(s->writer->join(&s->joined, bytes, &s->bytes_arena, &bytes, s->err));
    s->joined.joined++;
    const uint64_t encoded = job_clock_ns();
    ZT_TRY(write_bytes(s, bytes));
    took.stage_ns[STAGE_ENCODE] = encoded - start;
    took.stage_ns[STAGE_WRITE] = job_clock_ns() - encoded;
    renderer_add_stats(s->renderer, &took, -1); // -1: the hashes of the frame stay
    return ZT_OK;
}

static zt_result write_frames(stream *s)
{
    const int64_t total = s->scene->selected.count;
    ZT_TRY(scene_planes_init(s->scene, &s->files, &s->planes_arena, &s->planes, s->err));
    ZT_TRY(write_part(s, s->writer->begin));
    renderer_progress_of(s->renderer, s->def, total, 1);
    for (int64_t i = 0; i < total; i++) {
        const int64_t frame = s->scene->selected.frame[i];
        s->renderer->progress.files.done = i;
        ZT_TRY(write_frame(s, frame));
        const zt_frame_report report = {.done = i + 1,
                                        .total = total,
                                        .frame = frame,
                                        .path = "-",
                                        .hash = s->def->hash ? picture_planes_hash(&s->planes) : 0};
        if (s->def->progress && !s->def->progress(s->def->progress_user, &report))
            return zt_fail(s->err, ZT_ERR_CANCELLED, "cancelled after frame %lld",
                           (long long)frame);
    }
    return write_part(s, s->writer->end);
}

static zt_result check_def(const zt_scene *scene, const zt_sequence_def *def,
                           const picture_writer **out_writer, frame_files *out_files, zt_error *err)
{
    const int64_t count = scene->selected.count;
    if (!def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_render_stream: the def does not come from zt_default_sequence_def()");
    ZT_TRY(frames_def_check(&def->encode, err));
    if (!def->write)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_stream: def->write is NULL");
    if (def->pattern || def->shard_count != 0 || def->resume)
        return zt_fail(
            err, ZT_ERR_ARGUMENT,
            "zt_render_stream: a pattern, shards or resume (expected those of files only "
            "in zt_render_sequence)");
    ZT_TRY(picture_writer_find(def->encode.format ? def->encode.format : "png", out_writer, err));
    ZT_TRY(picture_writer_check_size(*out_writer, scene->width, scene->height, err));
    ZT_TRY(frame_files_find(scene, def, *out_writer, out_files, err));
    if (count == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "no frames to render");
    if (count == 1 || (*out_writer)->format.stream)
        return ZT_OK;
    char streams[128];
    picture_writer_names(true, streams, sizeof streams);
    return zt_fail(err, ZT_ERR_ARGUMENT,
                   "%lld frames as one %s (expected one frame, or a format of streams: %s)",
                   (long long)count, (*out_writer)->format.title, streams);
}

zt_result zt_render_stream(zt_renderer *renderer, const zt_scene *scene, const zt_sequence_def *def,
                           zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_stream: no renderer or no scene");
    stream s = {.renderer = renderer, .scene = scene, .def = def, .err = err};
    ZT_TRY(check_def(scene, def, &s.writer, &s.files, err));
    s.joined = scene_stream(scene, &def->encode);
    ZT_TRY(renderer_enter(renderer, err));
    arena_init(&s.joined.kept, &renderer->budget);
    arena_init(&s.planes_arena, &renderer->budget);
    arena_init(&s.bytes_arena, &renderer->budget);
    const zt_result result = write_frames(&s);
    arena_finish(&s.joined.kept);
    arena_finish(&s.planes_arena);
    arena_finish(&s.bytes_arena);
    renderer_leave(renderer);
    return result;
}
