// SPDX-License-Identifier: MIT
/// Pictures -> mip chains as the sampler reads them. Each level is the exact box average of the
/// level above, in integers of U15, in linear light for colour; 8-bit levels are rounded from U15
/// once, so that errors do not add up along the chain. Rows flow through all levels while they are
/// in cache. Reference: Guthe and Heckbert, "Non-Power-of-Two Mipmapping", NVIDIA 2005, for odd
/// sizes.
#include "image/mipmap.h"

#include <string.h>

// ---- Half a picture -----------------------------------------------------------------------------

static int32_t mipmap_half(int32_t side)
{
    return side > 1 ? side / 2 : 1;
}

/// What an output texel covers along one axis: `count` texels from `first`, with weights.
typedef struct mipmap_taps {
    int32_t first;
    int32_t count;      ///< 1 to 3
    uint32_t weight[3]; ///< sum = total
    uint32_t total;
} mipmap_taps;

/// The taps of texel `i` of half a side. An even side takes two texels each; an odd side n = 2m + 1
/// takes three, weighted (m - i, m, i + 1) / n: the part of each that the output texel covers.
static mipmap_taps mipmap_taps_of(int32_t side, int32_t i)
{
    mipmap_taps taps = {
        .first = 2 * i, .count = 2, .weight = {1, 1},
                  .total = 2
    };
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

static uint16_t divide(uint64_t n, uint64_t d)
{
    return (uint16_t)((n + d / 2) / d);
}

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

static uint64_t load_texel(const uint16_t *texel)
{
    uint64_t packed;
    memcpy(&packed, texel, sizeof packed);
    return packed;
}

/// Four channels at once in a 64-bit word, 16 bits each. The sum p of two values stays below 2^16,
/// and so does floor((p + q + 2) / 4) = floor((floor(p/2) + floor(q/2) + 1 + (p & q & 1)) / 2).
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

/// One row of the half: `rows` are the vertical->count rows that it covers, `width` texels of four
/// channels in U15 (0..32640). Fills mipmap_half(width) texels of `out`, each the average over the
/// area that it covers, rounded to nearest. With `alpha_weighted` colour is weighted by alpha, so
/// that transparent texels add no colour, unless all are transparent.
static void mipmap_reduce_row(const uint16_t *const rows[3], const mipmap_taps *vertical,
                              int32_t width, bool alpha_weighted, uint16_t *out)
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

// ---- Chains -------------------------------------------------------------------------------------

enum { U15_PER_U8 = MIPMAP_U15_ONE / 255 };

/// A level under construction: rows arrive from the top, are stored if the level is kept, and are
/// reduced into the next level as soon as enough of them are complete, while they are in cache.
typedef struct chain_level {
    int32_t width, height;
    uint8_t *texels;   ///< NULL: the level is not kept
    uint16_t *ring[3]; ///< the last three rows as U15; unused where texels are U15 themselves
} chain_level;

/// The state of building one chain.
typedef struct chain_builder {
    arena *keep;
    arena temporary;
    const picture *source;
    mipmap_content content;
    bool alpha_weighted, without_z;
    const uint16_t *colour_table; ///< U15 of an encoded value, [256] or [65536]
    int32_t level_count;
    chain_level level[MIPMAP_LEVELS];
    mipmap *out;
} chain_builder;

static bool is_color(mipmap_content content)
{
    return content == MIPMAP_COLOR || content == MIPMAP_TINT;
}

/// value * 32640 / 65535 to nearest.
static uint16_t u15_from_u16(uint32_t value)
{
    return (uint16_t)((value * (uint64_t)MIPMAP_U15_ONE + 32767) / 65535);
}

/// Rounds ties away from the middle, so that inverting a channel (255 - v, which converts a normal
/// map to the other convention) inverts all levels exactly.
static uint8_t u8_from_u15(uint32_t value)
{
    const uint32_t half = U15_PER_U8 / 2 - (value < MIPMAP_U15_ONE / 2 ? 1 : 0);
    return (uint8_t)((value + half) / U15_PER_U8);
}

static zt_result make_colour_table(chain_builder *b, zt_error *err)
{
    const uint32_t count = b->source->format == PICTURE_RGBA16 ? 65536 : 256;
    uint16_t *table = ARENA_ARRAY_RAW(&b->temporary, uint16_t, count);
    if (!table)
        return arena_fail(&b->temporary, err, "an sRGB table");
    const double last = (double)(count - 1);
    for (uint32_t i = 0; i < count; i++)
        table[i] = (uint16_t)(srgb_decode((double)i / last) * MIPMAP_U15_ONE + 0.5);
    b->colour_table = table;
    return ZT_OK;
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

/// Row `y` of a level of the picture as U15.
static void decode_row(const chain_builder *b, int32_t level, int32_t y, int32_t width,
                       uint16_t *out)
{
    static const size_t pixel_sizes[] = {
        [PICTURE_RGBA8] = 4, [PICTURE_RGB8] = 3, [PICTURE_RGBA16] = 8};
    const picture *p = b->source;
    const size_t count = (size_t)width, packed = count * pixel_sizes[p->format];
    const size_t pitch = level == 0 && p->pitch > 0 ? p->pitch : packed;
    const uint8_t *row = (const uint8_t *)p->level[level] + (size_t)y * pitch;
    if (p->format == PICTURE_RGBA16)
        decode_row_u16(b->colour_table, (const uint16_t *)(const void *)row, count, out);
    else if (p->format == PICTURE_RGB8)
        decode_row_rgb8(b->colour_table, row, count, out);
    else
        decode_row_u8(b->colour_table, row, count, out);
}

/// The memory of row `y` of a level as U15.
static uint16_t *row_of(const chain_builder *b, const chain_level *level, int32_t y)
{
    if (level->texels && b->out->format == MIPMAP_U15)
        return (uint16_t *)(void *)level->texels + 4 * (size_t)y * ((size_t)level->width + 1);
    return level->ring[y % 3];
}

/// Records whether any texel of a row is not opaque: many pictures have an unused alpha channel.
static void note_alpha(const chain_builder *b, const uint16_t *row, int32_t width)
{
    for (int32_t x = 0; x < width && !b->out->has_alpha; x++)
        b->out->has_alpha = row[4 * x + 3] != MIPMAP_U15_ONE;
}

/// Stores row `y` from row_of(), and the extra texel that wrapping would fetch.
static void store_row(const chain_builder *b, const chain_level *level, int32_t y)
{
    const size_t width = (size_t)level->width;
    const size_t texel_size = b->out->format == MIPMAP_U15 ? 8 : 4;
    uint8_t *out = level->texels + (size_t)y * (width + 1) * texel_size;
    if (b->out->format == MIPMAP_U8) {
        const uint16_t *in = row_of(b, level, y);
        for (size_t i = 0; i < 4 * width; i++)
            out[i] = u8_from_u15(in[i]);
        for (size_t x = 0; b->without_z && x < width; x++)
            out[4 * x + 2] = 255; // the sampler computes z of a two-channel normal map
    }
    const size_t column = b->out->wrap_u == MIPMAP_REPEAT ? 0 : width - 1;
    memcpy(out + width * texel_size, out + column * texel_size, texel_size);
}

/// Stores the extra row that wrapping would fetch.
static void pad_level(const mipmap *out, const chain_level *level)
{
    const size_t row_size = ((size_t)level->width + 1) * (out->format == MIPMAP_U15 ? 8 : 4);
    const size_t row = out->wrap_v == MIPMAP_REPEAT ? 0 : (size_t)level->height - 1;
    memcpy(level->texels + (size_t)level->height * row_size, level->texels + row * row_size,
           row_size);
}

/// The row of the half that row `y` completes, or -1: the inverse of mipmap_taps_of().
static int32_t row_completed(int32_t height, int32_t y)
{
    if (height == 1)
        return 0;
    if (height % 2 == 0)
        return y % 2 == 1 ? y / 2 : -1;
    return y % 2 == 0 && y >= 2 ? y / 2 - 1 : -1;
}

/// Stores row `y` of level `index`, which is in row_of(), and all rows of smaller levels that it
/// completes.
static void push_row(const chain_builder *b, int32_t index, int32_t y)
{
    for (;;) {
        const chain_level *level = &b->level[index];
        if (level->texels)
            store_row(b, level, y);
        if (index + 1 == b->level_count)
            return;
        const int32_t next_y = row_completed(level->height, y);
        if (next_y < 0)
            return;
        const mipmap_taps taps = mipmap_taps_of(level->height, next_y);
        const uint16_t *rows[3] = {NULL};
        for (int32_t j = 0; j < taps.count; j++)
            rows[j] = row_of(b, level, taps.first + j);
        index++;
        y = next_y;
        mipmap_reduce_row(rows, &taps, level->width, b->alpha_weighted,
                          row_of(b, &b->level[index], y));
    }
}

/// Allocates level 0 and its halves down to 1x1; those from `first` on are kept.
static zt_result plan_levels(chain_builder *b, int32_t first, bool all_levels, zt_error *err)
{
    mipmap *out = b->out;
    const size_t texel_size = out->format == MIPMAP_U15 ? 8 : 4;
    int32_t width = b->source->width, height = b->source->height;
    for (;; width = mipmap_half(width), height = mipmap_half(height)) {
        chain_level *level = &b->level[b->level_count];
        *level = (chain_level){.width = width, .height = height};
        const size_t row_size = ((size_t)width + 1) * texel_size;
        const bool kept = b->level_count >= first;
        if (kept && !(level->texels = arena_alloc_raw(b->keep, (size_t)height + 1, row_size)))
            return arena_fail(b->keep, err, "a texture level");
        for (int i = 0; i < 3 && !(kept && out->format == MIPMAP_U15); i++) {
            level->ring[i] = ARENA_ARRAY_RAW(&b->temporary, uint16_t, 4 * (size_t)width);
            if (!level->ring[i])
                return arena_fail(&b->temporary, err, "building mip levels");
        }
        if (kept)
            out->level[out->level_count++] =
                (mipmap_level){level->texels, width, height, width + 1};
        b->level_count++;
        if (!all_levels || (width == 1 && height == 1))
            return ZT_OK;
    }
}

/// Decodes the levels of the picture from the first one that is kept; its last level is halved
/// repeatedly.
static void fill_levels(chain_builder *b, int32_t first)
{
    int32_t last = b->source->level_count - 1;
    if (last > b->level_count - 1)
        last = b->level_count - 1;
    for (int32_t index = first < last ? first : last; index <= last; index++) {
        const chain_level *level = &b->level[index];
        for (int32_t y = 0; y < level->height; y++) {
            decode_row(b, index, y, level->width, row_of(b, level, y));
            if (b->alpha_weighted)
                note_alpha(b, row_of(b, level, y), level->width);
            if (index < last)
                store_row(b, level, y);
            else
                push_row(b, index, y);
        }
    }
    for (int32_t index = first; index < b->level_count; index++)
        pad_level(b->out, &b->level[index]);
}

zt_result mipmap_build(arena *a, const picture *source, mipmap_content content, mipmap_wrap wrap_u,
                       mipmap_wrap wrap_v, bool all_levels, mipmap *out, zt_error *err)
{
    *out = (mipmap){
        .format = is_color(content) ? MIPMAP_U15 : MIPMAP_U8, .wrap_u = wrap_u, .wrap_v = wrap_v};
    if (source->width < 1 || source->height < 1 || source->width > PICTURE_SIDE_LIMIT ||
        source->height > PICTURE_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_INTERNAL, "texture of %d x %d pixels", source->width,
                       source->height);
    const int32_t first = all_levels ? source->skip : 0;
    chain_builder b = {.keep = a,
                       .source = source,
                       .content = content,
                       .alpha_weighted = content == MIPMAP_COLOR && source->has_alpha,
                       .without_z = content == MIPMAP_NORMAL && source->two_channel,
                       .out = out};
    arena_init(&b.temporary, a->budget);
    zt_result result = is_color(content) ? make_colour_table(&b, err) : ZT_OK;
    if (result == ZT_OK)
        result = plan_levels(&b, first, all_levels, err);
    if (result == ZT_OK)
        fill_levels(&b, first);
    arena_finish(&b.temporary);
    return result;
}
