// SPDX-License-Identifier: MIT
// The sRGB encoding table. threshold[c] is the smallest float whose encoded value is at least
// c - 0.5 in 255ths; buckets of 2^-7 octave are narrower than any distance of thresholds above
// 2^-13, so the code at a bucket's start and one comparison decide.
#include "shade/film.h"

#include "image/mipmap.h"

#include <string.h>

static float float_of_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void film_srgb_init(film_srgb *table)
{
    table->threshold[0] = 0.0f;
    for (int c = 1; c <= 255; c++) {
        const double exact = srgb_decode((c - 0.5) / 255.0);
        float value = (float)exact;
        if ((double)value < exact) { // the smallest float that is not below
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            value = float_of_bits(bits + 1);
        }
        table->threshold[c] = value;
    }
    table->threshold[256] = 2.0f; // never reached: values are at most 1
    const uint32_t first = (127u - 13u) << 7;
    uint32_t code = 0;
    for (uint32_t b = 0; b <= 13 * 128; b++) {
        const float start = float_of_bits((first + b) << 16);
        while (code < 255 && start >= table->threshold[code + 1])
            code++;
        table->bucket[b] = (uint8_t)code;
    }
}
