// SPDX-License-Identifier: MIT
/// The pictures that runs have written to a folder of results, a line each in RESULTS/.written: no
/// other file of that folder is removed. A list that comes with a suite names none: a line also has
/// the time at which this machine put the file there.
#pragma once

#include "base/arena.h"
#include "base/hash.h"
#include "suite/suite.h"

typedef struct suite_written {
    const char *folder;
    char *list; ///< the path of the list
    pthread_mutex_t lock;
    const char **line; ///< [count] of earlier runs
    uint32_t count;
    hash_table table;
} suite_written;

/// Reads the list of the results of `s`; a list that is not there is empty. Finish it in any case.
zt_result suite_written_begin(suite_written *w, const suite *s, arena *a, zt_error *err);
/// True when an earlier run has written the file at `path`, RESULTS/NAME, as it is.
bool suite_written_has(const suite_written *w, const char *path);
/// The path of file `index` of the list, in `a`; NULL: no memory.
const char *suite_written_path(const suite_written *w, uint32_t index, arena *a);
/// Adds a file that has been written. From any thread.
zt_result suite_written_add(suite_written *w, const char *path, zt_error *err);
/// Leaves in the list what is still there. Without any, the list goes, and its folder if it is
/// empty.
void suite_written_end(suite_written *w, arena *scratch);
void suite_written_finish(suite_written *w);
