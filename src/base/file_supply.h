// SPDX-License-Identifier: MIT
/// Files that are in memory: the bytes of a model or scene, and what it names, from its caller.
#ifndef ZT_BASE_FILE_SUPPLY_H
#define ZT_BASE_FILE_SUPPLY_H

#include "base/file.h"

#include <pthread.h>

/// Where a model or scene in memory gets the files that it names. One thread at a time asks the
/// caller.
typedef struct file_supply {
    zt_open_fn open; ///< NULL: there are none
    void *user;
    const char *folder; ///< before each name, with its slash; ""
    pthread_mutex_t lock;
} file_supply;

/// `folder` must outlive it.
file_supply file_supply_of(const zt_load_def *def, const char *folder);
void file_supply_finish(file_supply *supply);

/// Copies bytes into `a` as if a file had been read: with the same limit, and followed by a 0.
/// `path` is for messages.
zt_result file_copy(arena *a, const char *path, const void *bytes, size_t size,
                    file_bytes *out_bytes, zt_error *err);

/// Reads the file `name`, which stays inside its folder (path.h), into `a`. ZT_ERR_INPUT when the
/// caller has none of that name.
zt_result file_supply_read(file_supply *supply, arena *a, const char *name, file_bytes *out_bytes,
                           zt_error *err);

#endif
