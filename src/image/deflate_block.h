// SPDX-License-Identifier: MIT
/// Tokens -> DEFLATE blocks (RFC 1951): the emitter of the fast encoder.
#ifndef ZT_IMAGE_DEFLATE_BLOCK_H
#define ZT_IMAGE_DEFLATE_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MATCH_LENGTH_MAX = 258,
    STORED_BLOCK_MAX = 65535,
    STORED_FRAME_BYTES = 5,
};

/// `literals` bytes as they are, then `length` bytes that repeat those `distance` before. Of these
/// the first `skip` stand in the buffer too, the others are not there: they are zeros. A length
/// may exceed what one match can say; it is 0 (in the last token) or at least 3.
typedef struct deflate_token {
    uint32_t literals, skip, length, distance;
} deflate_token;

/// What a block says: tokens, the buffer that their literals follow each other in, and how many
/// bytes of each value these are.
typedef struct deflate_block {
    const uint8_t *bytes;
    const deflate_token *tokens;
    size_t token_count;
    size_t size; ///< bytes that the block stands for, below 2^22
    uint32_t literal_count[256];
} deflate_block;

/// The room that any block of so many bytes needs behind `out`, the writer's slack included.
size_t deflate_block_bound(size_t size);

/// Writes the tokens as one block with codes of its own, or as stored blocks when these are not
/// longer, from a byte boundary to a byte boundary; behind a block that is not the last one comes
/// an empty stored one, which brings it there. Returns the end of what was written.
uint8_t *deflate_block_write(const deflate_block *block, bool last, uint8_t *out);

#endif
