// SPDX-License-Identifier: MIT
/// DEFLATE streams (RFC 1951) of a size that is known, by libdeflate.
#pragma once

#include "base/file.h"

typedef enum inflate_form {
    INFLATE_PLAIN,
    INFLATE_ZLIB ///< with the head and checksum of RFC 1950
} inflate_form;

/// False where so many bytes cannot come from `packed` ones: a byte gives at most 1032. Readers ask
/// before they allocate what a hostile file says.
bool inflate_is_possible(uint64_t packed, uint64_t size);
/// Unpacks exactly `size` bytes into `out`. ZT_ERR_FORMAT, or ZT_ERR_MEMORY; writes no message.
zt_result inflate_exactly(inflate_form form, file_bytes packed, void *out, size_t size);
