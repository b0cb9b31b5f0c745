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

/// The same without another copy: the rows as they were inflated, in `a`.
typedef struct png_plain_picture {
    const uint8_t *first; ///< pixel of the first row
    size_t pitch;         ///< bytes from row to row
    size_t pixel_bytes;   ///< 3 or 4
} png_plain_picture;
bool png_plain_rows(arena *a, file_bytes bytes, png_plain_picture *out);

#endif
