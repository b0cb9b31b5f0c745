// SPDX-License-Identifier: MIT
// Rows of mip levels: pixels of a picture as U15, and the means of rows.
#include "texture/mipmap_rows.h"

#include <string.h>

int32_t mipmap_half(int32_t side) { return side > 1 ? side / 2 : 1; }

/// Even sides take two texels each; n = 2m + 1 takes three, weighted (m - i, m, i + 1) / n.
mipmap_taps mipmap_taps_of(int32_t side, int32_t i)
{
    mipmap_taps taps = {.first = 2 * i, .count = 2, .weight = {1, 1}, .total = 2};
    if (side == 1) {
        taps = (mipmap_taps){.first = 0, .count = 1, .weight = {1}, .total = 1};
    } else if (side % 2 != 0) {
        const int32_t m = side / 2;
        taps.count = 3;
        taps.weight[0] = (uint32_t)(m - i);
        taps.weight[1] = (uint32_t)m;
        taps.weight[2] = (uint32_t)(i + 1);
        taps.total = (uint32_t)side;
    }
    return taps;
}

static uint16_t divide(uint64_t n, uint64_t d) { return (uint16_t)((n + d / 2) / d); }

/// The same for n + d < 2^53, where truncation of the double quotient is exact: a quotient below an
/// integer k is below it by at least 1 / d, which is more than half an ulp.
static uint16_t divide_small(uint64_t n, uint64_t d)
{
    return (uint16_t)((double)(n + d / 2) / (double)d);
}

/// Any taps. Sums stay below 2^58: 2^15 for colour, 2^15 for alpha, 2^28 for the weights.
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

/// Four texels with different alphas, so their sum is above 0; colour sums stay below 2^32.
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

/// Four channels at once in a 64-bit word, 16 bits each. The sum p of two values stays below 2^16,
/// and so does floor((p + q + 2) / 4) = floor((floor(p/2) + floor(q/2) + 1 + (p & q & 1)) / 2).
static void reduce_2x2_plain(const uint16_t *top, const uint16_t *bottom, int32_t width,
                             uint16_t *out)
{
    const uint64_t ones = UINT64_C(0x0001000100010001), low = UINT64_C(0x7fff7fff7fff7fff);
    for (int32_t x = 0; x < width; x++) {
        const size_t at = 8 * (size_t)x;
        const uint64_t p = mipmap_load(top + at) + mipmap_load(bottom + at);
        const uint64_t q = mipmap_load(top + at + 4) + mipmap_load(bottom + at + 4);
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

int32_t mipmap_row_completed(int32_t height, int32_t y)
{
    if (height == 1)
        return 0;
    if (height % 2 == 0)
        return y % 2 == 1 ? y / 2 : -1;
    return y % 2 == 0 && y >= 2 ? y / 2 - 1 : -1;
}

/// value * 32640 / 65535 to nearest.
static uint16_t u15_from_u16(uint32_t value)
{
    return (uint16_t)((value * (uint64_t)MIPMAP_U15_ONE + 32767) / 65535);
}

static void decode_row_u8(const uint16_t *table, const uint8_t *in, size_t count, uint16_t *out)
{
    if (!table) {
        for (size_t i = 0; i < 4 * count; i++)
            out[i] = (uint16_t)(in[i] * U15_PER_U8);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint16_t texel[4] = {table[in[4 * i + 0]], table[in[4 * i + 1]], table[in[4 * i + 2]],
                                   (uint16_t)(in[4 * i + 3] * U15_PER_U8)};
        memcpy(out + 4 * i, texel, sizeof texel);
    }
}

static void decode_row_u16(const uint16_t *table, const uint16_t *in, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < 4 * count; i++)
        out[i] = table && i % 4 != 3 ? table[in[i]] : u15_from_u16(in[i]);
}

static void decode_row_rgb8(const uint16_t *table, const uint8_t *in, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < count; i++, in += 3) {
        uint16_t texel[4] = {0, 0, 0, MIPMAP_U15_ONE};
        for (int c = 0; c < 3; c++)
            texel[c] = table ? table[in[c]] : (uint16_t)(in[c] * U15_PER_U8);
        memcpy(out + 4 * i, texel, sizeof texel);
    }
}

void mipmap_decode_row(const picture *p, const uint16_t *table, int32_t level, int32_t y,
                       int32_t width, uint16_t *out)
{
    const size_t count = (size_t)width;
    const uint8_t *row = picture_row(p, level, (size_t)y);
    if (p->format == PICTURE_RGBA16)
        decode_row_u16(table, (const uint16_t *)(const void *)row, count, out);
    else if (p->format == PICTURE_RGB8)
        decode_row_rgb8(table, row, count, out);
    else
        decode_row_u8(table, row, count, out);
}

zt_result mipmap_colour_table(arena *a, const picture *source, const uint16_t **out, zt_error *err)
{
    const uint32_t count = source->format == PICTURE_RGBA16 ? 65536 : 256;
    uint16_t *table;
    ZT_TRY(ARENA_TAKE_RAW(a, &table, count, "an sRGB table", err));
    const double last = (double)(count - 1);
    for (uint32_t i = 0; i < count; i++)
        table[i] = (uint16_t)(srgb_decode((double)i / last) * MIPMAP_U15_ONE + 0.5);
    *out = table;
    return ZT_OK;
}

/// Channel `c` of a pixel of level 0 of a normal map, -1 to 1.
static double normal_channel(const picture *p, int32_t x, int32_t y, int c)
{
    const uint8_t *pixel =
        picture_row(p, 0, (size_t)y) + picture_pixel_bytes(p->format) * (size_t)x;
    if (p->format == PICTURE_RGBA16)
        return ((const uint16_t *)(const void *)pixel)[c] / 32767.5 - 1.0;
    return pixel[c] / 127.5 - 1.0;
}

float mipmap_shortness(const picture *normals)
{
    enum { SIDE = 64 };
    const int32_t columns = normals->width < SIDE ? normals->width : SIDE;
    const int32_t rows = normals->height < SIDE ? normals->height : SIDE;
    double sum = 0.0;
    if (normals->two_channel)
        return 0.0f;
    for (int32_t i = 0; i < rows * columns; i++) {
        const int32_t x = (int32_t)((int64_t)(i % columns) * normals->width / columns);
        const int32_t y = (int32_t)((int64_t)(i / columns) * normals->height / rows);
        double short_by = 1.0;
        for (int c = 0; c < 3; c++) {
            const double v = normal_channel(normals, x, y, c);
            short_by = short_by - v * v;
        }
        sum = sum + (short_by > 0.0 ? short_by : 0.0);
    }
    return (float)(sum / ((double)rows * columns));
}
