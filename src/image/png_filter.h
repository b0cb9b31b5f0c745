// SPDX-License-Identifier: MIT
/// PNG row filters for the encoder.
#ifndef ZT_IMAGE_PNG_FILTER_H
#define ZT_IMAGE_PNG_FILTER_H

#include <stddef.h>
#include <stdint.h>

enum { PNG_FILTER_COUNT = 5 }; ///< None, Sub, Up, Average, Paeth: the type bytes 0..4

/// Filters a row of `size` bytes with the filter that makes the smallest sum of absolute
/// differences (ties: the lowest type), among the first `filter_count` types. `above` is the
/// unfiltered row above (zeros for the first one), `pixel_bytes` 3 or 4. `try` is room for `size`
/// bytes. Writes the type byte and then `size` bytes to `out`.
void png_filter_row(const uint8_t *row, const uint8_t *above, size_t size, size_t pixel_bytes,
                    int filter_count, uint8_t *try_row, uint8_t *out);

#endif
