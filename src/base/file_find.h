// SPDX-License-Identifier: MIT
/// Finds a file whose name differs in case: tools write names on file systems that ignore case.
#pragma once

#include "base/arena.h"

/// Looks for `name` in `folder` without regard to case (the whole last component; folders in
/// between too). The first `root_length` bytes of `folder` are the folder that nothing leads out of
/// (file_open.h). Returns the path of a regular file, or NULL.
char *file_find_ignoring_case(arena *a, const char *folder, size_t root_length, const char *name);
