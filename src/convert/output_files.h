// SPDX-License-Identifier: MIT
/// Output files that appear together or not at all: each is written under a temporary name, and
/// none is renamed before all are complete. The file that names the others is renamed last.
#pragma once

#include "base/arena.h"
#include "base/file.h"

typedef struct output_file {
    const char *path;
    file_writer writer; ///< not open where the caller takes the bytes
    arena *a;
    uint8_t *bytes; ///< [capacity]: of such a file
    size_t size, capacity;
    struct output_files *all;
    struct output_file *next; ///< in the order in which they were opened
} output_file;

typedef struct output_files {
    zt_save_fn save; ///< takes the files; NULL: they are written
    void *save_user;
    output_file *first, *last;
    uint64_t bytes; ///< written to all of them
} output_files;

/// Opens one more file, whose path lives as long. The last one opened is the main file, which names
/// the others.
zt_result output_open(output_files *files, arena *a, const char *path, output_file **out,
                      zt_error *err);
/// ZT_ERR_LIMIT beyond zt_limits.output_bytes of all files.
zt_result output_write(output_file *file, const void *data, size_t size, zt_error *err);
/// Opens, writes and closes one more file; it is renamed with the others.
zt_result output_whole(output_files *files, arena *a, const char *path, file_bytes bytes,
                       zt_error *err);
/// Renames all files to their final names, in the order of opening, or none, restoring old ones;
/// or hands them to the caller in this order.
zt_result output_commit(output_files *files, zt_error *err);
/// Removes the files that are still temporary. Does nothing after a commit.
void output_abandon(output_files *files);
