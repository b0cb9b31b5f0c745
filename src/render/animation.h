// SPDX-License-Identifier: MIT
/// A file of many frames, made in any order, appended in theirs. Whole or absent, as all files.
#pragma once

#include "image/picture_writer.h"

#include <pthread.h>

typedef struct animation {
    const picture_writer *writer;
    file_writer file;
    picture_stream stream;
    budget *work;
    pthread_mutex_t lock; ///< protects the members below, the stream and the file
    pthread_cond_t moved;
    int64_t next; ///< index of the frame that is appended next
    int64_t end;  ///< frames from here on are not waited for
} animation;

/// Creates the file under a temporary name and writes what precedes the frames.
zt_result animation_open(animation *f, const picture_writer *writer, const char *path,
                         picture_stream stream, budget *work, zt_error *err);
/// Waits until all frames before `index` are appended, and appends this one, as the writer's
/// encode() gave it. `a`: scratch. ZT_ERR_CANCELLED when an earlier one will not come.
zt_result animation_add(animation *f, int64_t index, file_bytes frame, arena *a, zt_error *err);
/// Frames from `end` on will not come: nobody waits for them any more. Any thread.
void animation_end_before(animation *f, int64_t end);
/// From here on they will.
void animation_expect_all(animation *f);
/// Writes what follows the frames and renames the file into place (with `sync` after a flush).
zt_result animation_close(animation *f, bool sync, zt_error *err);
/// Removes what is there, if it was opened and not closed. Frees the rest.
void animation_finish(animation *f);
