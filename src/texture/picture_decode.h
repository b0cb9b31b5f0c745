// SPDX-License-Identifier: MIT
/// A picture file -> a picture, or its size. First bytes decide the format, never the name.
#pragma once

#include "image/picture.h"

/// Decodes a picture into `a`, its format by the first bytes; `name` is for messages. As far as
/// picture_reduction() allows, it may be reduced, or out->skip says how many levels a chain may
/// leave out. ZT_ERR_FORMAT, ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT, ZT_ERR_MEMORY.
zt_result picture_decode(arena *a, const char *name, file_bytes bytes, picture_need need,
                         picture *out, zt_error *err);

/// Reads size and codec from the header; out->level_count is 0. Returns false without a valid
/// header or when a side is out of range: picture_decode() then reports what is wrong.
bool picture_measure(file_bytes bytes, picture *out);
