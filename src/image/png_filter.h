// SPDX-License-Identifier: MIT
/// Filters of PNG rows for the two encoders (ISO/IEC 15948, clause 9): the best of all filters for
/// small files, and Paeth for spans of RGBA pixels for fast encoding.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PNG_FILTER_COUNT = 5 }; ///< None, Sub, Up, Average, Paeth: the type bytes 0..4

/// Filters a row of `size` bytes with the type of the smallest sum of absolute differences (ties:
/// the lowest) among the first `filter_count`. `above`: the unfiltered row above, zeros for the
/// first; `pixel_bytes`: 3 or 4; `try_row`: scratch. Writes the type and `size` bytes to `out`.
void png_filter_row(const uint8_t *row, const uint8_t *above, size_t size, size_t pixel_bytes,
                    int filter_count, uint8_t *try_row, uint8_t *out);

enum { PAETH_SLACK = 8 }; ///< bytes after the output that png_paeth_span() may overwrite

/// Applies the Paeth filter to the RGBA pixels [from, to) of `row` below `above`, and writes 3
/// bytes a pixel when `opaque`, 4 otherwise. Returns the end of the output.
uint8_t *png_paeth_span(const uint8_t *row, const uint8_t *above, size_t from, size_t to,
                        bool opaque, uint8_t *out);
