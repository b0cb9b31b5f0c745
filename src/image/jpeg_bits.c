// SPDX-License-Identifier: MIT
/// Huffman tables from DHT segments, and the rare cases of reading codes, which are kept out of the
/// inlined path: long codes, stuffed bytes, markers. Reference: ITU-T T.81, annexes B, C and F.
#include "image/jpeg_bits.h"

bool jpeg_codes_init(jpeg_codes *codes, const uint8_t counts[16], const uint8_t *values)
{
    memset(codes, 0, sizeof *codes);
    uint32_t code = 0, index = 0;
    for (int length = 1; length <= 16; length++) {
        const uint32_t count = counts[length - 1];
        if (code + count > 1u << length || index + count > 256)
            return false;
        codes->first_code[length] = code;
        codes->first_index[length] = (int32_t)index;
        codes->count[length] = count;
        for (uint32_t i = 0; i < count; i++, code++, index++) {
            codes->values[index] = values[index];
            if (length > JPEG_LOOK_BITS)
                continue;
            const uint32_t first = code << (JPEG_LOOK_BITS - length);
            for (uint32_t k = 0; k < 1u << (JPEG_LOOK_BITS - length); k++)
                codes->look[first + k] = (uint16_t)(values[index] << 8 | length);
        }
        code <<= 1;
    }
    codes->defined = true;
    return true;
}

jpeg_bits jpeg_bits_refill_slowly(jpeg_bits b)
{
    while (b.count <= 56) {
        uint64_t byte = 0;
        if (b.at < b.end && *b.at != 0xff) {
            byte = *b.at++;
        } else if (b.end - b.at >= 2 && b.at[1] == 0) { // a stuffed byte
            byte = 0xff;
            b.at += 2;
        } else {
            b.padding += 8;
        }
        b.buffer |= byte << (56 - b.count);
        b.count += 8;
    }
    return b;
}

uint32_t jpeg_codes_long(const jpeg_codes *codes, uint32_t bits)
{
    for (int length = JPEG_LOOK_BITS + 1; length <= 16; length++) {
        const uint32_t offset = (bits >> (16 - length)) - codes->first_code[length];
        if (offset < codes->count[length]) // also when the difference wraps
            return (uint32_t)codes->values[codes->first_index[length] + (int32_t)offset] << 8 |
                   (uint32_t)length;
    }
    return 0;
}
