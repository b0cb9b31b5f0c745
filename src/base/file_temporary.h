// SPDX-License-Identifier: MIT
/// Temporary files in the folder of the final one: FOLDER/.NAME.tmp-PROCESS-N. Their writer holds
/// a lock (flock(2)) on them, which ends with its process, so nobody takes those of the living for
/// dead, whatever machine or container the process belongs to.
#pragma once

enum { FILE_TEMPORARY_MARK = 32 };

/// ".tmp-PROCESS-", in the names of this process alone: in two containers the number of a process
/// can be the same, so what the system makes up for each program goes into it.
void file_temporary_mark(char out[FILE_TEMPORARY_MARK]);

/// Creates one for `path`, locked, in a folder (AT_FDCWD: the current one). Its descriptor and path
/// (malloc), or -1: errno.
int file_temporary_create(int folder, const char *path, char **out_path);

/// Removes those that dead writers left in the folder of `path` for files with the same suffix.
/// `idle_s`: those that nobody has written to for this many seconds. A writer that has sealed its
/// file, for files that belong together, holds no lock until all are renamed.
void file_temporary_sweep(const char *path, double idle_s);
