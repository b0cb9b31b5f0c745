// SPDX-License-Identifier: MIT
/// The format of a picture file, by its first bytes.
#pragma once

#include "base/file.h"

/// "PNG" or "GIF": the format, also one that is not decoded. NULL: unknown.
const char *picture_format_name(file_bytes bytes);
