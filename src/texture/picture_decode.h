// SPDX-License-Identifier: MIT
/// A picture file in memory -> a picture, or only its size. The first bytes decide the format (PNG,
/// JPEG, WebP, KTX2 or DDS), never the name.
#pragma once

#include "image/picture.h"

/// Decodes a picture into memory of `a`; `name` is for messages. The format follows from the first
/// bytes. As far as picture_reduction() allows, the picture may be reduced, or out->skip says how
/// many levels a mip chain may leave out. Fails with ZT_ERR_FORMAT, ZT_ERR_LIMIT above
/// PICTURE_SIDE_LIMIT, or ZT_ERR_MEMORY.
zt_result picture_decode(arena *a, const char *name, file_bytes bytes, picture_need need,
                         picture *out, zt_error *err);

/// Reads size and codec from the header; out->level_count is 0. Returns false without a valid
/// header or when a side is out of range: picture_decode() then reports what is wrong.
bool picture_measure(file_bytes bytes, picture *out);
