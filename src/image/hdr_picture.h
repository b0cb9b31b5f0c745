// SPDX-License-Identifier: MIT
/// Pictures of light: linear RGB floats, as environments need them, from Radiance or OpenEXR files.
#pragma once

#include "base/arena.h"
#include "base/file.h"

/// The first bytes of an OpenEXR file.
#define EXR_MAGIC "\x76\x2f\x31\x01"

/// Scene-referred linear light in the primaries of sRGB. Row 0 is on top, column 0 on the left.
typedef struct hdr_picture {
    int32_t width, height;
    const float *rgb; ///< [height][width][3], finite and not negative
} hdr_picture;

/// Decodes a picture into `a`; the first bytes decide its format, and `name` is for messages. Fails
/// with ZT_ERR_FORMAT and the offset of the byte where one is known, ZT_ERR_LIMIT above
/// zt_limits.texture_side or the budget, ZT_ERR_UNSUPPORTED for OpenEXR in a build without it.
zt_result hdr_picture_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out,
                             zt_error *err);
