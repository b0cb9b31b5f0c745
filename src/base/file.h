// SPDX-License-Identifier: MIT
/// Files: reading whole, and writing whole or not at all.
#pragma once

#include "base/file_find.h"
#include "base/file_open.h"
#include "base/jobs.h"
#include "base/path.h"

typedef struct file_bytes {
    const uint8_t *data; ///< followed by a 0
    size_t size;
} file_bytes;

/// True when `text` stands at byte `at` <= size.
bool file_starts_with(file_bytes bytes, size_t at, const char *text);
/// True for what a checkout without git-lfs has in place of a file.
bool file_is_lfs_pointer(file_bytes bytes);

/// Reads a whole file into `a`, an input from now on (file_inputs.h); "-" is standard input. What
/// others write to the file meanwhile may or may not be seen, and is harmless. ZT_ERR_INPUT when it
/// is missing, a folder, unreadable or a Git LFS pointer, of which *out_bytes are the bytes;
/// ZT_ERR_LIMIT above zt_limits.file_bytes.
zt_result file_read(arena *a, const char *path, file_bytes *out_bytes, zt_error *err);
/// The same on the threads of a pool, where it is large. NULL: on this one.
zt_result file_read_on(job_pool *pool, arena *a, const char *path, file_bytes *out_bytes,
                       zt_error *err);
/// The same as file_read() of at most `limit` bytes: memory for more is not even taken.
zt_result file_read_within(arena *a, const char *path, uint64_t limit, file_bytes *out_bytes,
                           zt_error *err);

/// file_read() of a picture that an output may replace: a golden, an earlier frame.
zt_result file_read_replaceable(arena *a, const char *path, file_bytes *out_bytes, zt_error *err);

/// Reads a file of ours, as a cache has it, without waiting: anything but a regular file of at most
/// `limit` bytes is ZT_ERR_INPUT.
zt_result file_read_own(arena *a, const char *path, uint64_t limit, file_bytes *out_bytes);

/// Reads a regular file that another file names, as file_read_on(); its first `root_length` bytes
/// are the folder that it may not lead out of (file_open.h), or FILE_ANYWHERE. A pipe or device is
/// refused without waiting: it could block for ever or never end.
zt_result file_read_below(job_pool *pool, arena *a, const char *path, size_t root_length,
                          file_bytes *out_bytes, zt_error *err);

bool file_exists(const char *path);
/// True when two paths lead to one file, which is there.
bool file_is_same(const char *a, const char *b);
/// False for pipes, whose opening could wait, for folders and for devices.
bool file_is_regular(const char *path);

/// Writes a file under a temporary name and renames it when it is complete.
typedef struct file_writer {
    int descriptor;
    int folder;       ///< that `temporary` and `name` are in; AT_FDCWD: they are paths
    char *temporary;  ///< malloc
    char *path;       ///< malloc
    const char *name; ///< in `path`
    int64_t begin;    ///< offset of the first byte in a file that was open before; 0 in others
    bool exchanged;   ///< `temporary` is what was at `path` before (file_group.h)
    bool created;     ///< the file is at `path`, where nothing was before (the same)
    budget *work; ///< the work that the file is for, set after opening; NULL: cannot be cancelled
} file_writer;

/// Finds the descriptor, open for writing, behind a link such as /dev/stdout; -1: none, or no
/// regular file. The file is written in place: a new one would not reach its reader.
int file_open_already(const char *path);

/// Creates parent folders. ZT_ERR_OUTPUT; below also ZT_ERR_CANCELLED: the file does not appear.
zt_result file_writer_open(file_writer *w, const char *path, zt_error *err);
/// The same below the folder that the first `root_length` bytes of `path` name, or FILE_ANYWHERE:
/// links in the rest are not followed (file_open.h), and nothing but a file is replaced.
zt_result file_writer_open_below(file_writer *w, const char *path, size_t root_length,
                                 zt_error *err);
/// Removes a file below its root. False where there is one that cannot be removed.
bool file_remove_below(const char *path, size_t root_length);
/// The same of a folder, which must be empty.
bool file_remove_folder_below(const char *path, size_t root_length);
zt_result file_writer_write(file_writer *w, const void *data, size_t size, zt_error *err);
/// Replaces the first bytes of what was written. A pipe has none to go back to: ZT_ERR_OUTPUT.
zt_result file_writer_write_first(file_writer *w, const void *data, size_t size, zt_error *err);
/// Ends writing and closes the descriptor before the commit, with `sync` after a flush to disk: for
/// files that belong together, whose renames then follow each other at once.
zt_result file_writer_seal(file_writer *w, bool sync, zt_error *err);
/// Renames the file into place; on failure removes it. `sync`: flushes it and its new name.
zt_result file_writer_commit(file_writer *w, bool sync, zt_error *err);
/// Removes the temporary file; harmless after a commit.
void file_writer_abandon(file_writer *w);
/// Commits what was written if `result` is ZT_OK; otherwise removes it and returns `result`.
zt_result file_writer_end(file_writer *w, zt_result result, bool sync, zt_error *err);
/// Writes a whole file, opened as file_writer_open_below(), for `work`.
zt_result file_save(const char *path, size_t root_length, file_bytes bytes, bool sync, budget *work,
                    zt_error *err);
/// Flushes the name of a file to disk, which takes its folder.
void file_sync_name(const char *path);
