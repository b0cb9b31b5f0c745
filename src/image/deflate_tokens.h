// SPDX-License-Identifier: MIT
/// Bytes -> tokens for the fast encoder: runs of one byte, found without a table. After the Paeth
/// filter rendered pictures hold little else that repeats.
#ifndef ZT_IMAGE_DEFLATE_FAST_H
#define ZT_IMAGE_DEFLATE_FAST_H

#include "image/deflate_block.h"

/// Writers into the buffer may touch so many bytes behind what they add.
enum { TOKEN_BUFFER_SLACK = 32, ZERO_RUN_MIN = 16 };

/// A block that grows: the caller writes bytes at `end`, says so with tokens_scan, and says the
/// zeros that it knows of with tokens_zeros. Nothing checks for room: tokens_init states the
/// bounds.
typedef struct token_stream {
    deflate_block block;
    deflate_token *tokens;  ///< block.tokens
    uint8_t *start;         ///< of the literals that no token has yet
    uint8_t *at;            ///< what comes before it was looked at
    uint8_t *end;           ///< the next byte to come
    uint32_t count[4][256]; ///< of literals, in four tables
} token_stream;

/// `memory`: tokens_size(size, zero_runs) bytes, 16-byte aligned, for a stream of at most `size`
/// bytes and `zero_runs` calls of tokens_zeros. The first byte of a stream must not be 0.
size_t tokens_size(size_t size, size_t zero_runs);
void tokens_init(token_stream *s, size_t size, size_t zero_runs, void *memory);
/// Bytes up to `end` were added: looks for runs in them.
void tokens_scan(token_stream *s, uint8_t *end);
/// `count` >= ZERO_RUN_MIN zeros follow, which are not written anywhere.
void tokens_zeros(token_stream *s, uint32_t count);
/// Nothing follows: the block is complete.
void tokens_finish(token_stream *s);

#endif
