// SPDX-License-Identifier: MIT
/// Finds a file whose name differs in case, or in the normal form of its letters (letter_form.h):
/// tools write names on file systems that ignore either.
#pragma once

#include "base/arena.h"

enum { FILE_PATH_SIZE = 4096 }; ///< bytes; longer paths cannot be opened anyway

/// Looks for `name` in `folder` without regard to case and form (the whole last component; folders
/// in between too). The first `root_length` bytes of `folder` are the folder that nothing leads out
/// of (file_open.h). Returns the path of a regular file, or NULL.
char *file_find_ignoring_case(arena *a, const char *folder, size_t root_length, const char *name);
/// `path`, or in `out` where the regular file is that is missing there, in another form. Folders
/// are read only for parts with letters beyond ASCII.
const char *file_form(const char *path, size_t root_length, char out[FILE_PATH_SIZE]);
