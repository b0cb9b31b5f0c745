// SPDX-License-Identifier: MIT
/// Finding a file whose name differs in case: artists' tools write names on file systems that
/// ignore case, and readers run on those that do not.
#pragma once

#include "base/arena.h"

/// Looks for `name` in `folder` without regard to case (the whole last component; folders in
/// between too). The first `root_length` bytes of `folder` are the folder that nothing leads out of
/// (file_open.h). Returns the path of a regular file, or NULL.
char *file_find_ignoring_case(arena *a, const char *folder, size_t root_length, const char *name);
