// SPDX-License-Identifier: MIT
/// Tokens -> one DEFLATE block (RFC 1951): the last stage of the fast PNG encoder. Blocks start and
/// end at byte boundaries, so that bands of a picture can be encoded independently and joined.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATCH_LENGTH_MAX = 258,
    STORED_BLOCK_MAX = 65535,
    STORED_FRAME_BYTES = 5,
};

/// `literals` bytes as they are, then a match: `length` bytes that repeat the byte before them. The
/// buffer holds the first `skip` bytes of the match; the others are zeros that are not stored.
/// `length` is 0 (in the last token) or at least 3, and may exceed MATCH_LENGTH_MAX: such a match
/// is written as several.
typedef struct deflate_token {
    uint32_t literals, skip, length;
} deflate_token;

/// A block: tokens, the buffer with literals and skipped bytes in order, a histogram of literals.
typedef struct deflate_block {
    const uint8_t *bytes;
    const deflate_token *tokens;
    size_t token_count;
    size_t size; ///< bytes after decompression, below 2^22
    uint32_t literal_count[256];
} deflate_block;

/// An upper bound of the output for a block of `size` bytes, including the slack of the bit writer.
size_t deflate_block_bound(size_t size);

/// Writes the tokens as one block with dynamic Huffman codes, or as stored blocks when those are
/// not longer. The output starts and ends at a byte boundary: a block that is not the last is
/// followed by an empty stored block for that. Returns the end of the output.
uint8_t *deflate_block_write(const deflate_block *block, bool last, uint8_t *out);
