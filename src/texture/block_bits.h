// SPDX-License-Identifier: MIT
/// The 128 bits of a BC7 or UASTC block as a stream, from the lowest bit of the first byte up.
/// Two words, so that a field is a mask and a shift whatever its position.
#pragma once

#include "base/bytes.h"

typedef struct bit_reader {
    uint64_t low, high;
} bit_reader;

static inline bit_reader block_bits(const uint8_t block[16])
{
    return (bit_reader){bytes_load_le(block, 8), bytes_load_le(block + 8, 8)};
}

/// Reads the next `count` bits, at most 32; zeros beyond the end.
static inline uint32_t take_bits(bit_reader *b, int count)
{
    if (count == 0)
        return 0;
    const uint32_t value = (uint32_t)(b->low & ((UINT64_C(1) << count) - 1));
    b->low = b->low >> count | b->high << (64 - count);
    b->high >>= count;
    return value;
}
