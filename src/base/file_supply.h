// SPDX-License-Identifier: MIT
/// Files that are in memory: the bytes of a model or scene, and what it names, from its caller.
#pragma once

#include "base/file.h"

#include <pthread.h>

/// The caller's files with a model or scene in memory: asked for by one thread at a time.
typedef struct file_supply {
    zt_open_fn open; ///< NULL: there are none
    void *user;
    const char *folder; ///< before each name, with its slash; ""
    pthread_mutex_t lock;
} file_supply;

/// True when what is loaded is in memory: without bytes it is empty, and no file on the disk.
static inline bool file_in_memory(const zt_load_def *def) { return def->bytes || def->open; }

/// `folder` must outlive it.
file_supply file_supply_of(const zt_load_def *def, const char *folder);
void file_supply_finish(file_supply *supply);

/// Copies bytes into `a` as if from a file: the same limits, followed by 0. `path`: for messages.
zt_result file_copy(arena *a, const char *path, const void *bytes, size_t size,
                    file_bytes *out_bytes, zt_error *err);

/// Reads the file `name`, inside its folder (path.h), into `a`. ZT_ERR_INPUT: the caller has none.
zt_result file_supply_read(file_supply *supply, arena *a, const char *name, file_bytes *out_bytes,
                           zt_error *err);
