// SPDX-License-Identifier: MIT
/// Files of other makers: the folder of ZT_ASSETS, or shared/assets next to the project. Tests of
/// what is not there say so and pass.
#pragma once

#include "testing.h"

#include <unistd.h>

static inline const char *asset_folder(void)
{
    const char *folder = getenv("ZT_ASSETS");
    return folder ? folder : ZT_SOURCE_DIR "/../shared/assets";
}

/// The path of a file or folder in it, until the next call; NULL, with a line in the log: absent.
static inline const char *asset_file(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", asset_folder(), name);
    if (access(path, R_OK) == 0)
        return path;
    fprintf(stderr, "skipped: no file %s\n", path);
    return NULL;
}
