// SPDX-License-Identifier: MIT
/// Texts of PNG files: tEXt chunks of keyword and Latin-1 letters (PNG, second edition, 11.3.4.3).
#pragma once

#include "base/file.h"

/// Puts texts in front of the pixels of a PNG file that this library wrote. `out` lives in `a`.
/// ZT_ERR_ARGUMENT for a keyword that is not of 1 to 79 bytes, ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result png_text_insert(file_bytes png, const zt_picture_text *texts, int32_t count, arena *a,
                          file_bytes *out, zt_error *err);
