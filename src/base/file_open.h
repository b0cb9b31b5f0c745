// SPDX-License-Identifier: MIT
/// Opening files that other files name: a name from a stranger must not lead out of its folder.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A root length: the path may lead anywhere.
#define FILE_ANYWHERE SIZE_MAX

/// Opens `path` for reading without ever waiting. Its first `root_length` bytes are a folder that
/// is trusted ("" is the current one). The rest of the path is looked up in it and below it:
/// symbolic links and ".." count, and whatever leads out fails with EXDEV, also when somebody
/// exchanges folders at the same time. `extra_flags`: of open(2), as O_DIRECTORY. -1: errno.
int file_open_below(const char *path, size_t root_length, int extra_flags);

/// Opens the folder of an output: the root, which is trusted, then each folder of the rest of the
/// path in the one before. Links in the rest are not followed (ELOOP, ENOTDIR), and neither is
/// "..": EXDEV. Missing folders are made with `make`. -1: errno.
int file_folder_below(const char *path, size_t root_length, bool make);

/// True for a regular file that can be opened.
bool file_is_below(const char *path, size_t root_length);

/// file_open_below() without openat2(2): looks up `name` below the descriptor by parts. -1: errno.
int file_walk_below(int folder, const char *name, int flags);
/// ZT_ERR_INPUT for a pipe or device, which a reader of many files would wait for.
zt_result file_check_pipe(const char *path, zt_error *err);
