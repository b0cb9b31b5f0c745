// SPDX-License-Identifier: MIT
#define _DEFAULT_SOURCE // realpath
#include "suite/suite.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_parent(const char *path)
{
    for (const char *at = path; (at = strstr(at, "..")) != NULL; at += 2)
        if ((at == path || at[-1] == '/') && (at[2] == 0 || at[2] == '/'))
            return true;
    return false;
}

/// Resolves the part that is there, and appends the others as they are.
bool suite_folder_resolve(const char *path, char out[SUITE_PATH_SIZE])
{
    char folder[SUITE_PATH_SIZE];
    const char *rest = "";
    if (snprintf(folder, sizeof folder, "%s", path) >= (int)sizeof folder)
        return false;
    while (!realpath(folder, out)) {
        char *slash = strrchr(folder, '/');
        if (errno != ENOENT || strcmp(folder, ".") == 0)
            return false;
        rest = slash ? path + (slash + 1 - folder) : path;
        if (!slash)
            strcpy(folder, ".");
        else
            slash[slash == folder] = 0;
    }
    if (has_parent(rest)) // once its folders are made, ".." leads elsewhere
        return false;
    const size_t length = strlen(out);
    const bool between = rest[0] && out[length - 1] != '/';
    return snprintf(out + length, SUITE_PATH_SIZE - length, "%s%s", between ? "/" : "", rest) <
           (int)(SUITE_PATH_SIZE - length);
}

const char *suite_folder_below(const char *outer, const char *inner)
{
    const size_t length = strcmp(outer, "/") == 0 ? 0 : strlen(outer);
    if (strncmp(outer, inner, length) != 0 || (inner[length] && inner[length] != '/'))
        return NULL;
    return inner + length + (inner[length] == '/');
}
