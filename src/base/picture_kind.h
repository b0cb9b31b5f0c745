// SPDX-License-Identifier: MIT
/// The format of a picture file, by its first bytes.
#pragma once

#include "base/file.h"

/// "PNG" or "GIF": the format, also one that is not decoded. NULL: unknown.
const char *picture_format_name(file_bytes bytes);

enum { PICTURE_TGA_HEADER = 18 }; ///< bytes

/// TGA begins with nothing that only it has: true where all of a header is as it must be.
bool picture_is_tga(file_bytes bytes);
