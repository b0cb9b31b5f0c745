// SPDX-License-Identifier: MIT
/// See animation.h. A worker that waits keeps its encoded frame, so the memory that waits is that
/// of the frames in flight. The first of them never waits; so all move on.
#include "render/animation.h"

#include "base/file_temporary.h"

#include <time.h>

enum { LOOK_NS = 20 * 1000000 }; ///< how often one who waits asks whether the work is cancelled

static zt_result append(animation *f, file_bytes bytes, zt_error *err)
{
    ZT_TRY(file_writer_write(&f->file, bytes.data, bytes.size, err));
    f->stream.size += bytes.size;
    return ZT_OK;
}

zt_result animation_open(animation *f, const picture_writer *writer, const char *path,
                         picture_stream stream, budget *work, zt_error *err)
{
    arena a;
    file_bytes bytes;
    *f = (animation){.writer = writer, .stream = stream, .work = work};
    arena_init(&f->stream.kept, work);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->moved, NULL);
    arena_init(&a, work);
    file_temporary_sweep(path, 0.0);
    zt_result result = file_writer_open(&f->file, path, err);
    f->file.work = work;
    if (result == ZT_OK && writer->begin) {
        result = writer->begin(&stream, &a, &bytes, err);
        if (result == ZT_OK)
            result = append(f, bytes, err);
    }
    arena_finish(&a);
    return result;
}

/// True when it is the turn of frame `index`. Holds the lock.
static bool wait_for_turn(animation *f, int64_t index)
{
    while (f->next < index && index < f->end && !budget_cancelled(f->work)) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&f->moved, &f->lock, &until);
    }
    return f->next == index && !budget_cancelled(f->work);
}

static zt_result join(animation *f, file_bytes frame, arena *a, zt_error *err)
{
    file_bytes bytes = frame;
    const uint32_t chunks = f->stream.chunks;
    const zt_result result =
        f->writer->join ? f->writer->join(&f->stream, frame, a, &bytes, err) : ZT_OK;
    if (result != ZT_OK) {
        f->stream.chunks = chunks; // nothing is written: the frame may come again
        return result;
    }
    ZT_TRY(append(f, bytes, err));
    f->stream.joined++;
    f->next++;
    return ZT_OK;
}

zt_result animation_add(animation *f, int64_t index, file_bytes frame, arena *a, zt_error *err)
{
    pthread_mutex_lock(&f->lock);
    const zt_result result = wait_for_turn(f, index) ? join(f, frame, a, err) : cancel_fail(err);
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
    return result;
}

void animation_end_before(animation *f, int64_t end)
{
    pthread_mutex_lock(&f->lock);
    f->end = end < f->end ? end : f->end;
    pthread_cond_broadcast(&f->moved);
    pthread_mutex_unlock(&f->lock);
}

void animation_expect_all(animation *f)
{
    pthread_mutex_lock(&f->lock);
    f->end = INT64_MAX;
    pthread_mutex_unlock(&f->lock);
}

static zt_result write_end(animation *f, zt_error *err)
{
    arena a;
    file_bytes bytes;
    zt_result result = ZT_OK;
    arena_init(&a, f->work);
    if (f->writer->end) {
        result = f->writer->end(&f->stream, &a, &bytes, err);
        if (result == ZT_OK)
            result = append(f, bytes, err);
    }
    if (result == ZT_OK && f->writer->begins_with_size) {
        result = f->writer->begin(&f->stream, &a, &bytes, err);
        if (result == ZT_OK)
            result = file_writer_write_first(&f->file, bytes.data, bytes.size, err);
    }
    arena_finish(&a);
    return result;
}

zt_result animation_close(animation *f, bool sync, zt_error *err)
{
    ZT_TRY(write_end(f, err));
    return file_writer_commit(&f->file, sync, err);
}

void animation_finish(animation *f)
{
    if (!f->writer)
        return;
    file_writer_abandon(&f->file);
    arena_finish(&f->stream.kept);
    pthread_cond_destroy(&f->moved);
    pthread_mutex_destroy(&f->lock);
    f->writer = NULL;
}
