// SPDX-License-Identifier: MIT
/// Finding a file whose name differs in case: artists' tools write names on file systems that
/// ignore case, and readers run on those that do not.
#ifndef ZT_BASE_FILE_FIND_H
#define ZT_BASE_FILE_FIND_H

#include "base/arena.h"

/// Looks for `name` in `folder` without regard to case (the whole last component; folders in
/// between too). Returns the path that exists, or NULL.
char *file_find_ignoring_case(arena *a, const char *folder, const char *name);

#endif
