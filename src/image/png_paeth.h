// SPDX-License-Identifier: MIT
/// The Paeth filter of PNG for spans of RGBA pixels.
#ifndef ZT_IMAGE_PNG_PAETH_H
#define ZT_IMAGE_PNG_PAETH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PAETH_SLACK = 8 }; ///< bytes behind the last one that may be touched

/// Filters the pixels [from, to) of `row`, which has `above` above it, and writes 3 bytes a pixel
/// when `opaque`, 4 otherwise. Returns the end of what was written.
uint8_t *png_paeth_span(const uint8_t *row, const uint8_t *above, size_t from, size_t to,
                        bool opaque, uint8_t *out);

#endif
