// SPDX-License-Identifier: MIT
/// PNG files of the commonest kind, without libpng.
#ifndef ZT_IMAGE_PNG_PLAIN_H
#define ZT_IMAGE_PNG_PLAIN_H

#include "image/picture.h"

/// Decodes an intact file of 8-bit RGB or RGBA, not interlaced and without tRNS, whose size has
/// been checked, into `pixels` (RGBA, rows `stride` bytes apart). Returns false for everything
/// else, broken files among it, with `pixels` unspecified: libpng has the last word on those.
/// `temporary` takes the inflated rows.
bool png_plain_decode(arena *temporary, file_bytes bytes, uint8_t *pixels, size_t stride);

#endif
