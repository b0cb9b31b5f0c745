// SPDX-License-Identifier: MIT
/// Bytes -> tokens for fast PNG: runs of one byte, without a hash. Little else repeats after Paeth.
#pragma once

#include "image/deflate_block.h"

/// Bytes after its output that a writer into the buffer may overwrite; and the shortest zero run.
enum { TOKEN_BUFFER_SLACK = 32, ZERO_RUN_MIN = 16 };

/// A growing block: the caller writes bytes at `end` and passes them with tokens_scan; known runs
/// of zeros are only passed with tokens_zeros. Bounds of tokens_init are not checked later.
typedef struct token_stream {
    deflate_block block;
    deflate_token *tokens;  ///< block.tokens
    uint8_t *start;         ///< first literal that is in no token yet
    uint8_t *at;            ///< first byte that is not scanned yet
    uint8_t *end;           ///< end of the bytes, where the caller writes
    uint32_t count[4][256]; ///< histogram of the literals, in four partial tables
} token_stream;

/// Starts a stream of at most `size` bytes and `zero_runs` calls of tokens_zeros in `memory`, which
/// has tokens_size(size, zero_runs) bytes and 16-byte alignment. The first byte must not be 0.
size_t tokens_size(size_t size, size_t zero_runs);
void tokens_init(token_stream *s, size_t size, size_t zero_runs, void *memory);
/// Finds the runs in the bytes that were added up to `end`.
void tokens_scan(token_stream *s, uint8_t *end);
/// Appends `count` >= ZERO_RUN_MIN zeros, which are not in the buffer.
void tokens_zeros(token_stream *s, uint32_t count);
/// Completes the block.
void tokens_finish(token_stream *s);
