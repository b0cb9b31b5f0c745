// SPDX-License-Identifier: MIT
/// Files that belong together are renamed one by one, or none: what was there before comes back.
#pragma once

#include "base/file.h"

/// Renames a sealed file into place, keeping what it replaces, for file_writer_keep() or _undo().
zt_result file_writer_replace(file_writer *w, zt_error *err);
/// The new file stays.
void file_writer_keep(file_writer *w);
/// The file that was there before comes back; without one the new one is removed. On file systems
/// that cannot exchange two names (some of networks) the new file stays.
void file_writer_undo(file_writer *w);

/// A file to be written. Everything is borrowed.
typedef struct group_file {
    const char *path;
    const void *bytes;
    size_t size;
} group_file;

enum { FILE_GROUP_MAX = 16 };

/// Writes at most FILE_GROUP_MAX files: none gets its name before all are complete, and when one
/// cannot get it, what the others have replaced comes back. `sync`: flushes each to the disk
/// before.
zt_result file_group_write(const group_file *files, size_t count, bool sync, zt_error *err);
