// SPDX-License-Identifier: MIT
/// The PNG files of a folder and of all folders in it.
#ifndef ZT_CLI_PICTURE_NAMES_H
#define ZT_CLI_PICTURE_NAMES_H

#include <zoetrope/zoetrope.h>

/// Names below the folder, such as "walk/0001.png", in the order of their bytes.
typedef struct name_list {
    char **name;
    size_t count, capacity;
    uint64_t charged; ///< to the budget
} name_list;

/// Links to folders are not followed. Fails with ZT_ERR_INPUT for a folder that cannot be read.
/// Free the list with names_finish in either case.
zt_result names_read(const char *folder, zt_budget *budget, name_list *out, zt_error *err);
void names_finish(name_list *list, zt_budget *budget);

#endif
