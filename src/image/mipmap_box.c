// SPDX-License-Identifier: MIT
/// Exact box reduction in integers. An even side takes two texels each; an odd side n = 2m + 1
/// takes three, weighted (m - i, m, i + 1) / n for output i: the part of each that i covers (Guthe
/// and Heckbert, "Non-Power-of-Two Mipmapping", NVIDIA 2005).
#include "image/mipmap_box.h"

/// Where an output texel reads along one axis.
typedef struct box_taps {
    int32_t first;
    int32_t count;      ///< 1 to 3
    uint32_t weight[3]; ///< sum = total
    uint32_t total;
} box_taps;

static box_taps taps_of(int32_t side, int32_t i)
{
    if (side == 1)
        return (box_taps){
            0, 1, {1, 0, 0},
              1
        };
    if (side % 2 == 0)
        return (box_taps){
            2 * i, 2, {1, 1, 0},
                2
        };
    const int32_t m = side / 2;
    return (box_taps){
        2 * i, 3, {(uint32_t)(m - i), (uint32_t)m, (uint32_t)(i + 1)},
            (uint32_t)side
    };
}

/// n / d rounded to nearest, halves up. In double the floor is exact: n + d < 2^53, and then no
/// quotient below an integer rounds up to it.
static uint16_t divide_small(uint64_t n, uint64_t d)
{
    return (uint16_t)((double)(n + d / 2) / (double)d);
}

static uint16_t divide(uint64_t n, uint64_t d)
{
    return (uint16_t)((n + d / 2) / d);
}

/// Any weights. Sums stay below 2^58: 2^15 for colour, 2^15 for alpha, 2^28 for the weights.
static void reduce_texel(const mipmap_plane *in, const box_taps *h, const box_taps *v,
                         bool alpha_weighted, uint16_t out[4])
{
    uint64_t plain[4] = {0}, weighted[3] = {0};
    for (int32_t j = 0; j < v->count; j++) {
        const uint16_t *row =
            in->texels + 4 * ((size_t)(v->first + j) * (size_t)in->width + (size_t)h->first);
        for (int32_t i = 0; i < h->count; i++) {
            const uint64_t weight = (uint64_t)v->weight[j] * h->weight[i];
            const uint16_t *t = row + 4 * i;
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

static void reduce_general(const mipmap_plane *in, bool alpha_weighted, mipmap_plane *out)
{
    for (int32_t y = 0; y < out->height; y++) {
        const box_taps v = taps_of(in->height, y);
        uint16_t *row = out->texels + 4 * (size_t)y * (size_t)out->width;
        for (int32_t x = 0; x < out->width; x++) {
            const box_taps h = taps_of(in->width, x);
            reduce_texel(in, &h, &v, alpha_weighted, row + 4 * x);
        }
    }
}

/// Four texels whose alphas differ, at least one of them above 0: sums below 2^32.
static void reduce_weighted_2x2(const uint16_t *top, const uint16_t *bottom, uint16_t out[4])
{
    const uint32_t alpha = (uint32_t)top[3] + top[7] + bottom[3] + bottom[7];
    for (int c = 0; c < 3; c++) {
        const uint64_t sum = (uint64_t)top[c] * top[3] + (uint64_t)top[4 + c] * top[7] +
                             (uint64_t)bottom[c] * bottom[3] + (uint64_t)bottom[4 + c] * bottom[7];
        out[c] = divide_small(sum, alpha);
    }
    out[3] = (uint16_t)((alpha + 2) / 4);
}

static void reduce_row_plain_2x2(const uint16_t *top, const uint16_t *bottom, int32_t width,
                                 uint16_t *out)
{
    for (int32_t x = 0; x < width; x++)
        for (int c = 0; c < 4; c++) {
            const size_t at = 8 * (size_t)x + (size_t)c;
            const uint32_t sum = (uint32_t)top[at] + top[at + 4] + bottom[at] + bottom[at + 4];
            out[4 * (size_t)x + (size_t)c] = (uint16_t)((sum + 2) / 4);
        }
}

static void reduce_even(const mipmap_plane *in, bool alpha_weighted, mipmap_plane *out)
{
    for (int32_t y = 0; y < out->height; y++) {
        const uint16_t *top = in->texels + 4 * (size_t)(2 * y) * (size_t)in->width;
        const uint16_t *bottom = top + 4 * (size_t)in->width;
        uint16_t *row = out->texels + 4 * (size_t)y * (size_t)out->width;
        reduce_row_plain_2x2(top, bottom, out->width, row);
        for (int32_t x = 0; alpha_weighted && x < out->width; x++) {
            const uint16_t *t = top + 8 * (size_t)x, *b = bottom + 8 * (size_t)x;
            if (t[3] != t[7] || t[3] != b[3] || t[3] != b[7]) // equal weights: the plain average
                reduce_weighted_2x2(t, b, row + 4 * x);
        }
    }
}

void mipmap_reduce(const mipmap_plane *in, bool alpha_weighted, mipmap_plane *out)
{
    if (in->width % 2 == 0 && in->height % 2 == 0)
        reduce_even(in, alpha_weighted, out);
    else
        reduce_general(in, alpha_weighted, out);
}
