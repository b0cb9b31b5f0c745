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

/// Radiance (.hdr, .pic). Decodes RGBE or XYZE into `a`: plain, old or new run lengths, any of the
/// eight orientations; `name` is for messages. m with exponent e is m * 2^(e - 136). GAMMA is
/// undone, then EXPOSURE and COLORCORR. ZT_ERR_FORMAT with the byte's offset; ZT_ERR_LIMIT above
/// PICTURE_SIDE_LIMIT.
zt_result hdr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err);

/// True when the first bytes are those of a Radiance picture.
bool hdr_is(file_bytes bytes);

/// Decodes the first part of an OpenEXR file into `a`, by OpenEXRCore, the C part of libopenexr; a
/// build without it (-DZT_OPENEXR=OFF) has none. `name` is for messages. Scan lines or tiles (the
/// largest level), half, float or whole numbers, R G B of the picture or of its first layer, Y, or
/// Y with RY and BY; RLE, ZIP, ZIPS, PIZ, PXR24, B44, B44A or uncompressed. The result covers the
/// display window, black outside of the data window. Colours in other primaries are converted;
/// negative values and NaN become 0, infinity the largest half (65504). ZT_ERR_UNSUPPORTED, by
/// name, for DWAA, DWAB, deep data and cube maps.
zt_result exr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err);
