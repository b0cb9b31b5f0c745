// SPDX-License-Identifier: MIT
/// Files: reading whole, and writing whole or not at all.
#ifndef ZT_BASE_FILE_H
#define ZT_BASE_FILE_H

#include "base/arena.h"
#include "base/path.h"

typedef struct file_bytes {
    const uint8_t *data; ///< a 0 follows the last byte
    size_t size;
} file_bytes;

#define FILE_SIZE_LIMIT ((uint64_t)4 << 30) ///< bytes; contract: an input file of 4 GiB

/// Reads a whole file into `a`, or maps it for as long as `a` lives; "-" is standard input.
/// ZT_ERR_INPUT when it is missing, a folder or unreadable; ZT_ERR_LIMIT above FILE_SIZE_LIMIT.
zt_result file_read(arena *a, const char *path, file_bytes *out_bytes, zt_error *err);

bool file_exists(const char *path);
/// True for what is there but neither a regular file nor a folder: a pipe, socket or device. One
/// that a file names could block for ever or never end, so those who follow such names refuse it.
bool file_is_device(const char *path);

/// A file under a temporary name that appears under its own only when it is whole.
typedef struct file_writer {
    int descriptor;
    char *temporary; ///< malloc
    char *path;      ///< malloc
} file_writer;

/// Makes parent folders. Fails with ZT_ERR_OUTPUT.
zt_result file_writer_open(file_writer *w, const char *path, zt_error *err);
zt_result file_writer_write(file_writer *w, const void *data, size_t size, zt_error *err);
/// Nothing more is written: gives the descriptor back before the commit, where many files wait for
/// theirs.
zt_result file_writer_seal(file_writer *w, zt_error *err);
/// Renames into place (after a flush to disk when `sync`), or removes the temporary on failure.
zt_result file_writer_commit(file_writer *w, bool sync, zt_error *err);
/// Removes the temporary; harmless after a commit.
void file_writer_abandon(file_writer *w);

#endif
