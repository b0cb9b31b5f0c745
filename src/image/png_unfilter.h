// SPDX-License-Identifier: MIT
/// Undoing the filters of PNG rows (ISO/IEC 15948, clause 9).
#ifndef ZT_IMAGE_PNG_UNFILTER_H
#define ZT_IMAGE_PNG_UNFILTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PNG_UNFILTER_SLACK = 4 }; ///< bytes that may be read behind the rows, and behind `zeros`

/// Undoes the filters of `height` rows in place, each a filter byte and `width` pixels of
/// `pixel_bytes` bytes (3 or 4). `zeros` is a row of zeros: what lies above the first. False when a
/// filter does not exist.
bool png_unfilter(uint8_t *rows, size_t width, size_t height, size_t pixel_bytes,
                  const uint8_t *zeros);

#endif
