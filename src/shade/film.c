// SPDX-License-Identifier: MIT
// The sRGB encoding table. The threshold of code c is the smallest float whose encoded value is at
// least c - 0.5 in 255ths; buckets of 2^-7 octave are narrower than any distance of thresholds
// above 2^-13, so the code at a bucket's start and one comparison decide: here the carry of an
// addition.
#include "shade/film.h"

#include "image/mipmap.h"

#include <string.h>

/// The smallest float whose code is `code` or more.
static uint32_t threshold_bits(int code)
{
    const double exact = srgb_decode((code - 0.5) / 255.0);
    const float value = (float)exact;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (double)value < exact ? bits + 1 : bits;
}

void film_srgb_init(film_srgb *table)
{
    const uint32_t first = (127u - 13u) << 7;
    uint32_t code = 0, next = threshold_bits(1);
    for (uint32_t b = 0; b <= 13 * 128; b++) {
        const uint32_t start = (first + b) << 16;
        while (code < 255 && start >= next) {
            code++;
            next = threshold_bits((int)code + 1);
        }
        uint32_t entry = code << 16;
        if (code < 255 && next < start + 0x10000)
            entry += 0x10000 - (next - start);
        table->bucket[b] = (int32_t)entry;
    }
}
