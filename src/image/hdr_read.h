// SPDX-License-Identifier: MIT
/// Radiance pictures (.hdr, .pic) in memory -> linear RGB floats.
#ifndef ZT_IMAGE_HDR_READ_H
#define ZT_IMAGE_HDR_READ_H

#include "base/arena.h"
#include "base/file.h"

/// Linear light, scene-referred: what the file's EXPOSURE multiplied is divided by it again. Row 0
/// is on top, the left column first.
typedef struct hdr_picture {
    int32_t width, height;
    const float *rgb; ///< [height][width][3], finite and not negative
} hdr_picture;

/// Decodes RGBE with and without run lengths, new and old, into `a`; `name` is for messages. A
/// component m with exponent e is m * 2^(e - 136), as most readers have it. Fails with
/// ZT_ERR_FORMAT, which names the byte, for XYZE too; with ZT_ERR_LIMIT above PICTURE_SIDE_LIMIT.
zt_result hdr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err);

/// True when the first bytes are those of a Radiance picture.
bool hdr_is(file_bytes bytes);

#endif
