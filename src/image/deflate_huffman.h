// SPDX-License-Identifier: MIT
/// A histogram -> a prefix code of limited length, as DEFLATE wants it, the same on any machine.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    HUFFMAN_SYMBOLS = 286, ///< literals, end of block and lengths: the largest alphabet
    HUFFMAN_COUNT_LIMIT = 1 << 23,
};

/// Computes code lengths of at most `limit` bits for `size` <= HUFFMAN_SYMBOLS symbols; 0 for
/// symbols that do not occur. The code is always complete: with fewer than two symbols, two get one
/// bit. Requires: the counts sum to less than HUFFMAN_COUNT_LIMIT, limit <= 15 and 2^limit >= size.
void huffman_lengths(const uint32_t *counts, size_t size, uint32_t limit, uint8_t *lengths);

/// The canonical codes for these lengths (RFC 1951, 3.2.2), with reversed bits, as written.
void huffman_codes(const uint8_t *lengths, size_t size, uint16_t *codes);
