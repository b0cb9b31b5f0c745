// SPDX-License-Identifier: MIT
/// Prefix codes of DEFLATE from the counts of their symbols.
#ifndef ZT_IMAGE_DEFLATE_HUFFMAN_H
#define ZT_IMAGE_DEFLATE_HUFFMAN_H

#include <stddef.h>
#include <stdint.h>

enum {
    HUFFMAN_SYMBOLS = 286, ///< literals, end of block and lengths: the largest alphabet
    HUFFMAN_COUNT_LIMIT = 1 << 23,
};

/// Code lengths for `size` <= HUFFMAN_SYMBOLS symbols, 0 for those that do not occur, at most
/// `limit` bits: a complete code whatever the counts (two symbols get one bit when fewer occur).
/// The counts add up to less than HUFFMAN_COUNT_LIMIT; `limit` <= 15 holds 2^limit >= size.
void huffman_lengths(const uint32_t *counts, size_t size, uint32_t limit, uint8_t *lengths);

/// The codes that follow from the lengths (RFC 1951, 3.2.2), bits reversed as they are written.
void huffman_codes(const uint8_t *lengths, size_t size, uint16_t *codes);

#endif
