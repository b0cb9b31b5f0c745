// SPDX-License-Identifier: MIT
/// A fast decoder of the most common PNG files, without libpng but with the same pixels.
#pragma once

#include "image/picture.h"

/// Decodes an intact file of 8-bit RGB or RGBA, not interlaced and without tRNS, whose size was
/// checked, into `pixels`: RGBA, rows `stride` bytes apart. `temporary` holds the inflated rows.
/// Fails with ZT_ERR_FORMAT for anything else, including broken files, which are left to libpng,
/// and with ZT_ERR_MEMORY, ZT_ERR_LIMIT or ZT_ERR_CANCELLED; no failure writes a message.
zt_result png_plain_decode(arena *temporary, file_bytes bytes, uint8_t *pixels, size_t stride);

/// The same without a copy: `out` refers to the inflated rows in `a`.
typedef struct png_plain_picture {
    const uint8_t *first; ///< pixel of the first row
    size_t pitch;         ///< bytes from row to row
    size_t pixel_bytes;   ///< 3 or 4
} png_plain_picture;
zt_result png_plain_rows(arena *a, file_bytes bytes, png_plain_picture *out);
