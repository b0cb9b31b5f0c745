// SPDX-License-Identifier: MIT
/// The picture files of a folder and of all folders in it.
#pragma once

#include "cli/options.h"

enum { NAMES_DEPTH_MAX = 32 }; ///< folders in folders

/// Names below the folder, such as "walk/0001.png", in the order of their bytes.
typedef struct name_list {
    char **name;
    size_t count, capacity;
    uint64_t charged; ///< to the budget
} name_list;

/// Links to folders are not followed. Fails with ZT_ERR_INPUT for a folder that cannot be read, and
/// with ZT_ERR_LIMIT for folders that are too deep. Free the list with names_finish in either case.
zt_result names_read(const char *folder, zt_budget *budget, name_list *out, zt_error *err);
bool names_has(const name_list *list, const char *name);
void names_finish(name_list *list, zt_budget *budget);
/// Calls `visit` with FOLDER/NAME for each name that names_read() would list and that is a link to
/// a regular file; with `done` for other files, too, in any order, until it is true. What cannot be
/// read or is too deep is passed over; a signal or the timeout ends it.
void names_visit(const char *folder, const bool *done, void (*visit)(void *user, const char *path),
                 void *user);
/// The root of pictures in a folder: the folder itself, in untrusted input.
size_t names_root(const options *o, const char *folder);
