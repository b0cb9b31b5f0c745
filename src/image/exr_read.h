// SPDX-License-Identifier: MIT
/// An OpenEXR picture in memory -> linear RGB floats, by OpenEXRCore, the C part of libopenexr. A
/// build without it (-DZT_OPENEXR=OFF) does not have this file.
#pragma once

#include "image/hdr_picture.h"

/// Decodes the first part of a file into `a`; `name` is for messages. Scan lines or tiles (the
/// largest level), half, float or whole numbers, R G B of the picture or of its first layer, Y, or
/// Y with RY and BY; RLE, ZIP, ZIPS, PIZ, PXR24, B44, B44A or uncompressed. The result covers the
/// display window, black outside of the data window. Colours in other primaries are converted;
/// negative values and NaN become 0, infinity the largest half (65504). ZT_ERR_UNSUPPORTED, by
/// name, for DWAA, DWAB, deep data and cube maps.
zt_result exr_decode(arena *a, const char *name, file_bytes bytes, hdr_picture *out, zt_error *err);
