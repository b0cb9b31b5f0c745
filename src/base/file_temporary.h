// SPDX-License-Identifier: MIT
/// Temporary files in the folder of the final one: FOLDER/.NAME.tmp-PID-N. Their writer holds a
/// lock (flock(2)) on them, which ends with its process, so nobody takes those of the living for
/// dead, whatever machine or container the number of the process belongs to.
#pragma once

/// Creates one for `path`, locked. Its descriptor and name (malloc), or -1: errno.
int file_temporary_create(const char *path, char **out_name);

/// Removes those that dead writers left in the folder of `path` for files with the same suffix.
void file_temporary_sweep(const char *path);
