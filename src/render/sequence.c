// SPDX-License-Identifier: MIT
/// A sequence of frames to PNG files: which frames, in which files, one written while the next is
/// rendered. Files appear whole or not at all, in order of frames.
#include "base/file.h"
#include "base/handle.h"
#include "image/png_write.h"
#include "render/renderer.h"

#include <pthread.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/// A rendered frame on its way to its file. Two exist: one is written while the other is rendered.
typedef struct frame_file {
    zt_image image;
    arena *arena; ///< of the sequence: filtered rows and encoded bytes
    int64_t frame;
    char path[PATH_SIZE];
    uint64_t hash;
    const zt_sequence_def *def;
    uint64_t encode_ns, write_ns;
    zt_result result;
    zt_error error;
    pthread_t thread;
    bool busy, threaded;
} frame_file;

typedef struct sequence {
    zt_renderer *renderer;
    const zt_scene *scene;
    const zt_sequence_def *def;
    zt_error *err;
    frame_file file[2];
    arena arena; ///< of the frame that is being written: there is never more than one
    int64_t done, total;
} sequence;

zt_sequence_def zt_default_sequence_def(void)
{
    return (zt_sequence_def){.cookie_ = HANDLE_COOKIE};
}

static zt_result write_file(frame_file *f)
{
    file_bytes bytes = {0};
    file_writer writer;
    const uint64_t start = job_clock_ns();
    if (f->def->hash)
        f->hash = zt_image_hash(&f->image);
    ZT_TRY(png_encode(&f->image, f->def->png, f->arena, &bytes, &f->error));
    const uint64_t encoded = job_clock_ns();
    f->encode_ns = encoded - start;
    ZT_TRY(file_writer_open(&writer, f->path, &f->error));
    zt_result result = file_writer_write(&writer, bytes.data, bytes.size, &f->error);
    if (result == ZT_OK)
        result = file_writer_commit(&writer, f->def->fsync, &f->error);
    else
        file_writer_abandon(&writer);
    f->write_ns = job_clock_ns() - encoded;
    return result;
}

static void *write_file_thread(void *user)
{
    frame_file *f = user;
    f->result = write_file(f);
    return NULL;
}

static void begin_write(sequence *s, frame_file *f)
{
    f->busy = true;
    f->encode_ns = f->write_ns = 0;
    // One thread means one thread; and when none can be had, the work is done here.
    f->threaded = job_pool_workers(s->renderer->pool) > 1 &&
                  pthread_create(&f->thread, NULL, write_file_thread, f) == 0;
    if (!f->threaded)
        f->result = write_file(f);
}

static zt_result report(sequence *s, int64_t frame, const char *path, bool skipped, uint64_t hash)
{
    s->done++;
    if (!s->def->progress)
        return ZT_OK;
    const zt_frame_report text = {s->done, s->total, frame, path, skipped, hash};
    if (!s->def->progress(s->def->progress_user, &text))
        return zt_fail(s->err, ZT_ERR_CANCELLED, "cancelled after frame %lld", (long long)frame);
    return ZT_OK;
}

// Waits for the file to be whole, and tells the caller.
static zt_result end_write(sequence *s, frame_file *f)
{
    if (!f->busy)
        return ZT_OK;
    if (f->threaded)
        pthread_join(f->thread, NULL);
    f->busy = false;
    arena_reset(f->arena);
    s->renderer->stats.stage_ns[ZT_STAGE_ENCODE] += f->encode_ns;
    s->renderer->stats.stage_ns[ZT_STAGE_WRITE] += f->write_ns;
    if (f->result != ZT_OK)
        return zt_fail(s->err, f->result, "%s", f->error.message);
    return report(s, f->frame, f->path, false, f->hash);
}

static zt_result render_frame(sequence *s, int64_t frame, int32_t turn)
{
    frame_file *f = &s->file[turn], *other = &s->file[1 - turn];
    const bool single = s->scene->selected.count == 1;
    ZT_TRY(zt_frame_path(s->def->pattern, frame, single, f->path, sizeof f->path, s->err));
    if (s->def->resume && file_exists(f->path)) {
        ZT_TRY(end_write(s, other)); // reports stay in order
        return report(s, frame, f->path, true, 0);
    }
    f->frame = frame;
    ZT_TRY(zt_render(s->renderer, s->scene, frame, &f->image, s->err));
    ZT_TRY(end_write(s, other));
    begin_write(s, f);
    return f->threaded ? ZT_OK : end_write(s, f);
}

static bool in_shard(const zt_sequence_def *def, int64_t index)
{
    return def->shard_count <= 1 || index % def->shard_count == def->shard_index - 1;
}

static zt_result render_all(sequence *s)
{
    const scene_frames *frames = &s->scene->selected;
    for (int64_t i = 0; i < frames->count; i++)
        s->total += in_shard(s->def, i);
    int32_t turn = 0;
    for (int64_t i = 0; i < frames->count; i++) {
        if (!in_shard(s->def, i))
            continue;
        ZT_TRY(render_frame(s, frames->frame[i], turn));
        if (s->file[turn].busy)
            turn = 1 - turn;
    }
    return end_write(s, &s->file[1 - turn]);
}

static zt_result check_def(const zt_scene *scene, const zt_sequence_def *def, zt_error *err)
{
    if (!def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_render_sequence: a def that zt_default_sequence_def() did not make");
    if (def->shard_count < 0 ||
        (def->shard_count > 0 && (def->shard_index < 1 || def->shard_index > def->shard_count)))
        return zt_fail(err, ZT_ERR_ARGUMENT, "shard %d/%d (expected I/N with 1 <= I <= N)",
                       def->shard_index, def->shard_count);
    char first[PATH_SIZE], second[PATH_SIZE];
    if (scene->selected.count == 0)
        return zt_fail(err, ZT_ERR_ARGUMENT, "no frames to render");
    ZT_TRY(zt_frame_path(def->pattern, 0, scene->selected.count == 1, first, sizeof first, err));
    ZT_TRY(zt_frame_path(def->pattern, 1, scene->selected.count == 1, second, sizeof second, err));
    return ZT_OK;
}

zt_result zt_render_sequence(zt_renderer *renderer, const zt_scene *scene,
                             const zt_sequence_def *def, zt_error *err)
{
    if (!renderer || !scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_render_sequence: no renderer or no scene");
    ZT_TRY(check_def(scene, def, err));
    arena a;
    arena_init(&a, &renderer->budget);
    sequence *s = ARENA_ARRAY(&a, sequence, 1);
    zt_result result = s ? ZT_OK : arena_fail(&a, err, "sequence");
    if (s)
        arena_init(&s->arena, &renderer->budget);
    for (int i = 0; i < 2 && result == ZT_OK; i++) {
        frame_file *f = &s->file[i];
        const size_t stride = (size_t)scene->width * 4;
        f->def = def;
        f->image = (zt_image){.width = scene->width, .height = scene->height, .stride = stride};
        f->image.keep_alpha = scene->transparent; // one kind of file for the whole sequence
        f->image.rgba8 = arena_alloc_raw(&a, (size_t)scene->height, stride);
        f->arena = &s->arena;
        if (!f->image.rgba8)
            result = arena_fail(&a, err, "pictures of the sequence");
    }
    if (result == ZT_OK) {
        s->renderer = renderer;
        s->scene = scene;
        s->def = def;
        s->err = err;
        result = render_all(s);
    }
    for (int i = 0; s && i < 2; i++) {
        // After a failure the frame before it still goes out, unreported.
        if (s->file[i].busy && s->file[i].threaded)
            pthread_join(s->file[i].thread, NULL);
    }
    if (s)
        arena_finish(&s->arena);
    arena_finish(&a);
    return result;
}
