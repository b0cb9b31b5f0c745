// SPDX-License-Identifier: MIT
/// Names of the files of frames; the function that makes them is zt_frame_path.
#pragma once

#include <stdbool.h>

/// True when a pattern holds "####", "%04d" or "{frame:4}"; false for a malformed one.
bool frame_path_has_field(const char *pattern);
