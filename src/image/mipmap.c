// SPDX-License-Identifier: MIT
/// Pictures -> mip chains as the sampler reads them. All averaging is done in U15, in linear light
/// for colour; 8-bit levels are rounded from it once, so that errors do not add up along the chain.
#include "image/mipmap.h"

#include "image/mipmap_box.h"

#include <string.h>

enum { U15_PER_U8 = MIPMAP_U15_ONE / 255 };

/// What stays the same over the levels of one texture.
typedef struct chain_builder {
    arena *keep;
    arena temporary;
    const picture *source;
    mipmap_content content;
    bool alpha_weighted, without_z;
    const uint16_t *colour_table; ///< U15 of an encoded value, [256] or [65536]
    uint16_t *scratch_row[3];
    mipmap *out;
} chain_builder;

/// The finest values known of a level: U15 rows, or those of the picture in the file.
typedef struct level_values {
    const uint16_t *u15; ///< NULL: level `index` of the picture
    size_t stride;       ///< uint16_t from row to row
    int32_t index, width, height;
} level_values;

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
        out[4 * i + 0] = table[in[4 * i + 0]];
        out[4 * i + 1] = table[in[4 * i + 1]];
        out[4 * i + 2] = table[in[4 * i + 2]];
        out[4 * i + 3] = (uint16_t)(in[4 * i + 3] * U15_PER_U8);
    }
}

static void decode_row_u16(const uint16_t *table, const uint16_t *in, size_t count, uint16_t *out)
{
    for (size_t i = 0; i < 4 * count; i++)
        out[i] = table && i % 4 != 3 ? table[in[i]] : u15_from_u16(in[i]);
}

/// Row `y` of a level of the picture as U15.
static void decode_row(const chain_builder *b, int32_t level, int32_t y, int32_t width,
                       uint16_t *out)
{
    const size_t at = 4 * (size_t)y * (size_t)width;
    if (b->source->format == PICTURE_RGBA16)
        decode_row_u16(b->colour_table, (const uint16_t *)b->source->level[level] + at,
                       (size_t)width, out);
    else
        decode_row_u8(b->colour_table, (const uint8_t *)b->source->level[level] + at, (size_t)width,
                      out);
}

/// Row `y` of a level as U15, where it is or decoded into `scratch`.
static const uint16_t *values_row(const chain_builder *b, const level_values *values, int32_t y,
                                  uint16_t *scratch)
{
    if (values->u15)
        return values->u15 + (size_t)y * values->stride;
    decode_row(b, values->index, y, values->width, scratch);
    return scratch;
}

/// Adds the column and the row that repeat what wrapping would fetch. Rows are stored already.
static void pad_level(const mipmap *out, uint8_t *texels, int32_t width, int32_t height,
                      size_t texel_size)
{
    const size_t row_size = ((size_t)width + 1) * texel_size;
    const size_t column = out->wrap_u == MIPMAP_REPEAT ? 0 : (size_t)width - 1;
    for (int32_t y = 0; y < height; y++) {
        uint8_t *row = texels + (size_t)y * row_size;
        memcpy(row + (size_t)width * texel_size, row + column * texel_size, texel_size);
    }
    const size_t source_row = out->wrap_v == MIPMAP_REPEAT ? 0 : (size_t)height - 1;
    memcpy(texels + (size_t)height * row_size, texels + source_row * row_size, row_size);
}

static void store_row_u8(const chain_builder *b, const uint16_t *in, int32_t width, uint8_t *out)
{
    for (size_t i = 0; i < 4 * (size_t)width; i++)
        out[i] = u8_from_u15(in[i]);
    for (size_t x = 0; b->without_z && x < (size_t)width; x++)
        out[4 * x + 2] = 255; // z of a two-channel normal map follows from x and y when sampled
}

/// Fills `texels` from the picture, and `values` with where the level's values are found later.
static void fill_from_picture(chain_builder *b, uint8_t *texels, level_values *values)
{
    const size_t row_texels = (size_t)values->width + 1;
    for (int32_t y = 0; y < values->height; y++) {
        if (b->out->format == MIPMAP_U15) {
            decode_row(b, values->index, y, values->width,
                       (uint16_t *)(void *)texels + (size_t)y * row_texels * 4);
        } else {
            decode_row(b, values->index, y, values->width, b->scratch_row[0]);
            store_row_u8(b, b->scratch_row[0], values->width, texels + (size_t)y * row_texels * 4);
        }
    }
    if (b->out->format == MIPMAP_U15) {
        values->u15 = (const uint16_t *)(const void *)texels;
        values->stride = row_texels * 4;
    }
}

/// Fills `texels` with the half of `larger`. 8-bit levels keep their values in U15 beside them.
static zt_result fill_by_reduction(chain_builder *b, const level_values *larger, uint8_t *texels,
                                   level_values *values, zt_error *err)
{
    const bool wide = b->out->format == MIPMAP_U15;
    const size_t row_texels = (size_t)values->width + 1;
    uint16_t *u15 = (uint16_t *)(void *)texels;
    values->stride = row_texels * 4;
    if (!wide) {
        values->stride = (size_t)values->width * 4;
        u15 = arena_alloc_raw(&b->temporary, (size_t)values->height, values->stride * 2);
        if (!u15)
            return arena_fail(&b->temporary, err, "building mip levels");
    }
    for (int32_t y = 0; y < values->height; y++) {
        const mipmap_taps taps = mipmap_taps_of(larger->height, y);
        const uint16_t *rows[3] = {NULL};
        for (int32_t j = 0; j < taps.count; j++)
            rows[j] = values_row(b, larger, taps.first + j, b->scratch_row[j]);
        uint16_t *row = u15 + (size_t)y * values->stride;
        mipmap_reduce_row(rows, &taps, larger->width, b->alpha_weighted, row);
        if (!wide)
            store_row_u8(b, row, values->width, texels + (size_t)y * row_texels * 4);
    }
    values->u15 = u15;
    return ZT_OK;
}

static zt_result build_levels(chain_builder *b, bool all_levels, zt_error *err)
{
    mipmap *out = b->out;
    const size_t texel_size = out->format == MIPMAP_U15 ? 8 : 4;
    level_values larger = {0}, values = {.width = b->source->width, .height = b->source->height};
    for (;;) {
        const size_t row_size = ((size_t)values.width + 1) * texel_size;
        uint8_t *texels = arena_alloc_raw(b->keep, (size_t)values.height + 1, row_size);
        if (!texels)
            return arena_fail(b->keep, err, "a texture level");
        if (values.index < b->source->level_count)
            fill_from_picture(b, texels, &values);
        else
            ZT_TRY(fill_by_reduction(b, &larger, texels, &values, err));
        pad_level(out, texels, values.width, values.height, texel_size);
        out->level[out->level_count++] = (mipmap_level){.texels = texels,
                                                        .width = values.width,
                                                        .height = values.height,
                                                        .stride = values.width + 1};
        if (!all_levels || (values.width == 1 && values.height == 1))
            return ZT_OK;
        larger = values;
        values = (level_values){.index = larger.index + 1,
                                .width = mipmap_half(larger.width),
                                .height = mipmap_half(larger.height)};
    }
}

static zt_result builder_begin(chain_builder *b, zt_error *err)
{
    if (b->content == MIPMAP_COLOR)
        ZT_TRY(make_colour_table(b, err));
    for (int i = 0; i < 3; i++) {
        b->scratch_row[i] = ARENA_ARRAY_RAW(&b->temporary, uint16_t, 4 * (size_t)b->source->width);
        if (!b->scratch_row[i])
            return arena_fail(&b->temporary, err, "building mip levels");
    }
    return ZT_OK;
}

zt_result mipmap_build(arena *a, const picture *source, mipmap_content content, mipmap_wrap wrap_u,
                       mipmap_wrap wrap_v, bool all_levels, mipmap *out, zt_error *err)
{
    *out = (mipmap){.format = content == MIPMAP_COLOR ? MIPMAP_U15 : MIPMAP_U8,
                    .wrap_u = wrap_u,
                    .wrap_v = wrap_v};
    if (source->width < 1 || source->height < 1 || source->width > PICTURE_SIDE_LIMIT ||
        source->height > PICTURE_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_INTERNAL, "texture of %d x %d pixels", source->width,
                       source->height);
    chain_builder b = {.keep = a,
                       .source = source,
                       .content = content,
                       .alpha_weighted = content == MIPMAP_COLOR && source->has_alpha,
                       .without_z = content == MIPMAP_NORMAL && source->two_channel,
                       .out = out};
    arena_init(&b.temporary, a->budget);
    zt_result result = builder_begin(&b, err);
    if (result == ZT_OK)
        result = build_levels(&b, all_levels, err);
    arena_finish(&b.temporary);
    return result;
}
