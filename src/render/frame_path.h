// SPDX-License-Identifier: MIT
/// Names of the files of frames; the function that makes them is zt_frame_path.
#ifndef ZT_RENDER_FRAME_PATH_H
#define ZT_RENDER_FRAME_PATH_H

#include <stdbool.h>

/// True when a pattern holds "####", "%04d" or "{frame:4}"; false for a malformed one.
bool frame_path_has_field(const char *pattern);

#endif
