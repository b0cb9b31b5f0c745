// SPDX-License-Identifier: MIT
/// Where the folders of a suite really are.
#pragma once

#include <stdbool.h>

enum { SUITE_PATH_SIZE = 4096 };

/// The absolute path of a folder without links and "..", also of one that is not there yet. False:
/// it cannot be reached, or has ".." behind a folder that is not there.
bool suite_folder_resolve(const char *path, char out[SUITE_PATH_SIZE]);
/// The path of `inner` below `outer`, both resolved: "" for the same folder; NULL: it is not below.
const char *suite_folder_below(const char *outer, const char *inner);
