// SPDX-License-Identifier: MIT
/// Decodes a 4x4 block of BC1 to BC5: the definition's exact fractions, rounded to nearest once;
/// hardware may differ by one step. Khronos Data Format Specification 1.3, on S3TC and RGTC.
#include "base/bytes.h"
#include "texture/bc_block.h"

#include <stdbool.h>
#include <string.h>

enum { SIGNED_ONE = 127 };

/// The two end colours of a colour block, as stored: 5, 6 and 5 bits.
typedef struct color_ends {
    uint32_t end[2][3];
    uint32_t code[2];
} color_ends;

static color_ends read_ends(const uint8_t *block)
{
    color_ends e;
    for (int i = 0; i < 2; i++) {
        const uint32_t code = (uint32_t)bytes_load_le(block + 2 * i, 2);
        e.code[i] = code;
        e.end[i][0] = code >> 11;
        e.end[i][1] = code >> 5 & 63;
        e.end[i][2] = code & 31;
    }
    return e;
}

/// (weight0 * end0 + weight1 * end1) / (weight0 + weight1), scaled to 8 bits.
static void mix_color(const color_ends *e, uint32_t weight0, uint32_t weight1, uint8_t out[4])
{
    static const uint32_t full[3] = {31, 63, 31};
    for (int c = 0; c < 3; c++) {
        const uint32_t divisor = full[c] * (weight0 + weight1);
        const uint32_t sum = e->end[0][c] * weight0 + e->end[1][c] * weight1;
        out[c] = (uint8_t)((sum * 255 * 2 + divisor) / (2 * divisor));
    }
    out[3] = 255;
}

/// With `one_bit_alpha`, a block whose first colour is not greater than the second has three
/// colours and transparent black. BC2 and BC3 always have four colours.
static void decode_color(const uint8_t *block, bool one_bit_alpha, bc_pixels out)
{
    const color_ends e = read_ends(block);
    uint8_t palette[4][4];
    mix_color(&e, 1, 0, palette[0]);
    mix_color(&e, 0, 1, palette[1]);
    if (!one_bit_alpha || e.code[0] > e.code[1]) {
        mix_color(&e, 2, 1, palette[2]);
        mix_color(&e, 1, 2, palette[3]);
    } else {
        mix_color(&e, 1, 1, palette[2]);
        memset(palette[3], 0, 4);
    }
    const uint32_t indices = (uint32_t)bytes_load_le(block + 4, 4);
    for (int i = 0; i < 16; i++)
        memcpy(out[i], palette[indices >> (2 * i) & 3], 4);
}

void bc1_decode(const uint8_t block[8], bc_pixels out) { decode_color(block, true, out); }

void bc2_decode(const uint8_t block[16], bc_pixels out)
{
    decode_color(block + 8, false, out);
    const uint64_t alpha = bytes_load_le(block, 8);
    for (int i = 0; i < 16; i++)
        out[i][3] = (uint8_t)((alpha >> (4 * i) & 15) * 17);
}

/// Weights of the two ends of an 8-value block for an index, in sevenths, or in fifths in the short
/// form, where indices 6 and 7 are the extremes of the range.
static void channel_weights(int index, bool long_form, int out[2])
{
    const int steps = long_form ? 7 : 5;
    const int towards_1 = index == 0 ? 0 : index == 1 ? steps : index - 1;
    out[0] = steps - towards_1;
    out[1] = towards_1;
}

/// The 8 values that a block of one channel chooses from.
typedef void channel_palette(const uint8_t *block, uint8_t palette[8]);

static void unsigned_palette(const uint8_t *block, uint8_t palette[8])
{
    const int end0 = block[0], end1 = block[1];
    const bool long_form = end0 > end1;
    const int steps = long_form ? 7 : 5;
    for (int i = 0; i < 8; i++) {
        int weight[2];
        channel_weights(i, long_form, weight);
        palette[i] = (uint8_t)((end0 * weight[0] + end1 * weight[1] + steps / 2) / steps);
    }
    if (!long_form) {
        palette[6] = 0;
        palette[7] = 255;
    }
}

/// -128 and -127 both mean -1.
static int signed_end(uint8_t code)
{
    const int value = code < 128 ? code : code - 256;
    return value < -SIGNED_ONE ? -SIGNED_ONE : value;
}

static void signed_palette(const uint8_t *block, uint8_t palette[8])
{
    const int end0 = signed_end(block[0]), end1 = signed_end(block[1]);
    const bool long_form = end0 > end1;
    const int one = (long_form ? 7 : 5) * SIGNED_ONE;
    for (int i = 0; i < 8; i++) {
        int weight[2];
        channel_weights(i, long_form, weight);
        int sum = end0 * weight[0] + end1 * weight[1]; // of `one`
        if (!long_form && i >= 6)
            sum = i == 6 ? -one : one;
        palette[i] = (uint8_t)(((sum + one) * 255 + one) / (2 * one));
    }
}

/// Decodes 16 values of 3 bits into channel `c`.
static void decode_channel(const uint8_t *block, channel_palette *make, int c, bc_pixels out)
{
    uint8_t palette[8];
    make(block, palette);
    const uint64_t indices = bytes_load_le(block + 2, 6);
    for (int i = 0; i < 16; i++)
        out[i][c] = palette[indices >> (3 * i) & 7];
}

void bc3_decode(const uint8_t block[16], bc_pixels out)
{
    decode_color(block + 8, false, out);
    decode_channel(block, unsigned_palette, 3, out);
}

/// One channel as grey, or two; the others are 255.
static void decode_channels(const uint8_t *block, int count, channel_palette *make, bc_pixels out)
{
    memset(out, 255, sizeof(bc_pixels));
    for (int c = 0; c < count; c++)
        decode_channel(block + 8 * c, make, c, out);
    for (int i = 0; i < 16 && count == 1; i++)
        out[i][1] = out[i][2] = out[i][0];
}

void bc4_decode(const uint8_t block[8], bc_pixels out)
{
    decode_channels(block, 1, unsigned_palette, out);
}

void bc4_signed_decode(const uint8_t block[8], bc_pixels out)
{
    decode_channels(block, 1, signed_palette, out);
}

void bc5_decode(const uint8_t block[16], bc_pixels out)
{
    decode_channels(block, 2, unsigned_palette, out);
}

void bc5_signed_decode(const uint8_t block[16], bc_pixels out)
{
    decode_channels(block, 2, signed_palette, out);
}
