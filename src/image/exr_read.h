// SPDX-License-Identifier: MIT
/// An OpenEXR picture in memory -> linear RGB floats, by OpenEXRCore, the C part of libopenexr. A
/// build without it (-DZT_OPENEXR=OFF) does not have this file.
#pragma once

#include "image/hdr_picture.h"

/// Decodes the first part of a file into `a`; `name` is for messages. Scan lines or tiles (of a
/// pyramid the largest level), half, float or whole numbers, R G B of the picture or of its first
/// layer, Y, or Y with RY and BY; compressed by RLE, ZIP, ZIPS, PIZ, PXR24, B44, B44A or not at
/// all. The result covers the display window; it is black where the data window has nothing.
/// Colours in other primaries are converted. Values are bits of the file but for that conversion;
/// negative ones and NaN become 0, infinity the largest half (65504). Fails with ZT_ERR_UNSUPPORTED
/// for DWAA, DWAB, deep data and cube maps, by name.
zt_result exr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err);

/// True when the first bytes are those of an OpenEXR file.
bool exr_is(file_bytes bytes);
