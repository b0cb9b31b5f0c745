// SPDX-License-Identifier: MIT
/// Pictures -> mip chains as the sampler reads them. All averaging is done in U15, in linear light
/// for colour; 8-bit levels are rounded from it once, so that errors do not add up along the chain.
#include "image/mipmap.h"

#include "image/mipmap_box.h"

#include <string.h>

enum { U15_PER_U8 = MIPMAP_U15_ONE / 255 };

/// A level on its way: rows arrive from the top, are stored when the level is kept, and are reduced
/// into the next level as soon as its rows are complete, while they are in the cache.
typedef struct chain_level {
    int32_t width, height;
    uint8_t *texels;   ///< of a level that is kept, else NULL
    uint16_t *ring[3]; ///< the last three rows as U15; unused where texels are U15 themselves
} chain_level;

/// What stays the same over the levels of one texture.
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

/// Ties go away from the middle, so that the levels of a picture with one channel turned round
/// (255 - v: a normal map for the other convention) are those of the picture, turned round.
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

/// Where row `y` of a level stands as U15.
static uint16_t *row_of(const chain_builder *b, const chain_level *level, int32_t y)
{
    if (level->texels && b->out->format == MIPMAP_U15)
        return (uint16_t *)(void *)level->texels + 4 * (size_t)y * ((size_t)level->width + 1);
    return level->ring[y % 3];
}

/// Remembers whether anything of a row can be seen through: many a picture has an alpha channel
/// that says nothing.
static void note_alpha(const chain_builder *b, const uint16_t *row, int32_t width)
{
    for (int32_t x = 0; x < width && !b->out->has_alpha; x++)
        b->out->has_alpha = row[4 * x + 3] != MIPMAP_U15_ONE;
}

/// Stores row `y`, which stands in row_of(), with the texel that repeats what wrapping would fetch.
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
            out[4 * x + 2] = 255; // z of a two-channel normal map follows from x and y when sampled
    }
    const size_t column = b->out->wrap_u == MIPMAP_REPEAT ? 0 : width - 1;
    memcpy(out + width * texel_size, out + column * texel_size, texel_size);
}

/// The row that follows the last one repeats what wrapping would fetch.
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

/// Row `y` of level `index` stands in row_of(): stores it and all rows of the levels below that it
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

/// Level 0 and its halves down to 1x1, of which those from `first` on are kept.
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

/// Levels that the picture has are used, from the first one that is needed; its last one is halved
/// on and on.
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
