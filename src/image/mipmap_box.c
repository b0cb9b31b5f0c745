// SPDX-License-Identifier: MIT
/// Exact box reduction in integers. An even side takes two texels each; an odd side n = 2m + 1
/// takes three, weighted (m - i, m, i + 1) / n for output i: the part of each that i covers (Guthe
/// and Heckbert, "Non-Power-of-Two Mipmapping", NVIDIA 2005).
#include "image/mipmap_box.h"

#include <string.h>

mipmap_taps mipmap_taps_of(int32_t side, int32_t i)
{
    if (side == 1)
        return (mipmap_taps){
            0, 1, {1, 0, 0},
              1
        };
    if (side % 2 == 0)
        return (mipmap_taps){
            2 * i, 2, {1, 1, 0},
                2
        };
    const int32_t m = side / 2;
    return (mipmap_taps){
        2 * i, 3, {(uint32_t)(m - i), (uint32_t)m, (uint32_t)(i + 1)},
            (uint32_t)side
    };
}

static uint16_t divide(uint64_t n, uint64_t d)
{
    return (uint16_t)((n + d / 2) / d);
}

/// The same for n + d < 2^53, where the floor in double is exact: a quotient below an integer k is
/// below it by 1 / d at least, which is more than half an ulp.
static uint16_t divide_small(uint64_t n, uint64_t d)
{
    return (uint16_t)((double)(n + d / 2) / (double)d);
}

/// Any weights. Sums stay below 2^58: 2^15 for colour, 2^15 for alpha, 2^28 for the weights.
static void reduce_texel(const uint16_t *const rows[3], const mipmap_taps *h, const mipmap_taps *v,
                         bool alpha_weighted, uint16_t out[4])
{
    uint64_t plain[4] = {0}, weighted[3] = {0};
    for (int32_t j = 0; j < v->count; j++) {
        for (int32_t i = 0; i < h->count; i++) {
            const uint64_t weight = (uint64_t)v->weight[j] * h->weight[i];
            const uint16_t *t = rows[j] + 4 * ((size_t)h->first + (size_t)i);
            for (int c = 0; c < 4; c++)
                plain[c] += weight * t[c];
            for (int c = 0; c < 3; c++)
                weighted[c] += weight * t[3] * t[c];
        }
    }
    const uint64_t total = (uint64_t)v->total * h->total;
    const bool by_alpha = alpha_weighted && plain[3] > 0;
    for (int c = 0; c < 3; c++)
        out[c] = by_alpha ? divide(weighted[c], plain[3]) : divide(plain[c], total);
    out[3] = divide(plain[3], total);
}

/// Four texels whose alphas differ, so at least one is above 0: sums below 2^32.
static void reduce_2x2_weighted(const uint16_t *top, const uint16_t *bottom, uint16_t out[4])
{
    const uint32_t alpha = (uint32_t)top[3] + top[7] + bottom[3] + bottom[7];
    for (int c = 0; c < 3; c++) {
        const uint64_t sum = (uint64_t)top[c] * top[3] + (uint64_t)top[4 + c] * top[7] +
                             (uint64_t)bottom[c] * bottom[3] + (uint64_t)bottom[4 + c] * bottom[7];
        out[c] = divide_small(sum, alpha);
    }
    out[3] = (uint16_t)((alpha + 2) / 4);
}

static uint64_t load_texel(const uint16_t *texel)
{
    uint64_t packed;
    memcpy(&packed, texel, sizeof packed);
    return packed;
}

/// Four channels at once in a 64-bit word, 16 bits each. The sum p of two values stays below 2^16,
/// and floor((p + q + 2) / 4) = floor((floor(p/2) + floor(q/2) + 1 + (p & q & 1)) / 2) needs no
/// more either.
static void reduce_2x2_plain(const uint16_t *top, const uint16_t *bottom, int32_t width,
                             uint16_t *out)
{
    const uint64_t ones = UINT64_C(0x0001000100010001), low = UINT64_C(0x7fff7fff7fff7fff);
    for (int32_t x = 0; x < width; x++) {
        const size_t at = 8 * (size_t)x;
        const uint64_t p = load_texel(top + at) + load_texel(bottom + at);
        const uint64_t q = load_texel(top + at + 4) + load_texel(bottom + at + 4);
        const uint64_t sum = (p >> 1 & low) + (q >> 1 & low) + ones + (p & q & ones);
        const uint64_t mean = sum >> 1 & low;
        memcpy(out + 4 * (size_t)x, &mean, sizeof mean);
    }
}

static void reduce_row_2x2(const uint16_t *top, const uint16_t *bottom, int32_t width,
                           bool alpha_weighted, uint16_t *out)
{
    reduce_2x2_plain(top, bottom, width, out);
    for (int32_t x = 0; alpha_weighted && x < width; x++) {
        const uint16_t *t = top + 8 * (size_t)x, *b = bottom + 8 * (size_t)x;
        if (t[3] != t[7] || t[3] != b[3] || t[3] != b[7]) // equal weights: the plain average
            reduce_2x2_weighted(t, b, out + 4 * (size_t)x);
    }
}

void mipmap_reduce_row(const uint16_t *const rows[3], const mipmap_taps *vertical, int32_t width,
                       bool alpha_weighted, uint16_t *out)
{
    const int32_t out_width = mipmap_half(width);
    if (width % 2 == 0 && vertical->count == 2) {
        reduce_row_2x2(rows[0], rows[1], out_width, alpha_weighted, out);
        return;
    }
    for (int32_t x = 0; x < out_width; x++) {
        const mipmap_taps horizontal = mipmap_taps_of(width, x);
        reduce_texel(rows, &horizontal, vertical, alpha_weighted, out + 4 * (size_t)x);
    }
}
