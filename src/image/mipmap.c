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
    mipmap_content content;
    bool alpha_weighted, without_z;
    const uint16_t *colour_table; ///< U15 of an encoded value, [256] or [65536]
    mipmap *out;
} chain_builder;

/// value * 32640 / 65535 to nearest.
static uint16_t u15_from_u16(uint32_t value)
{
    return (uint16_t)((value * (uint64_t)MIPMAP_U15_ONE + 32767) / 65535);
}

static uint8_t u8_from_u15(uint32_t value)
{
    return (uint8_t)((value + U15_PER_U8 / 2) / U15_PER_U8);
}

static zt_result make_colour_table(chain_builder *b, picture_format format, zt_error *err)
{
    const uint32_t count = format == PICTURE_RGBA16 ? 65536 : 256;
    uint16_t *table = ARENA_ARRAY_RAW(&b->temporary, uint16_t, count);
    if (!table)
        return arena_fail(&b->temporary, err, "an sRGB table");
    const double last = (double)(count - 1);
    for (uint32_t i = 0; i < count; i++)
        table[i] = (uint16_t)(srgb_decode((double)i / last) * MIPMAP_U15_ONE + 0.5);
    b->colour_table = table;
    return ZT_OK;
}

/// A level of the picture as U15, `count` texels.
static void decode_u15(const chain_builder *b, const picture *source, int32_t level, size_t count,
                       uint16_t *out)
{
    const uint16_t *table = b->content == MIPMAP_COLOR ? b->colour_table : NULL;
    if (source->format == PICTURE_RGBA16) {
        const uint16_t *in = source->level[level];
        for (size_t i = 0; i < 4 * count; i++)
            out[i] = table && i % 4 != 3 ? table[in[i]] : u15_from_u16(in[i]);
        return;
    }
    const uint8_t *in = source->level[level];
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

/// Adds the column and the row that repeat what wrapping would fetch. Rows are stored already.
static void pad_level(uint8_t *texels, int32_t width, int32_t height, size_t texel_size,
                      mipmap_wrap wrap_u, mipmap_wrap wrap_v)
{
    const size_t row_size = ((size_t)width + 1) * texel_size;
    const size_t column = wrap_u == MIPMAP_REPEAT ? 0 : (size_t)width - 1;
    for (int32_t y = 0; y < height; y++) {
        uint8_t *row = texels + (size_t)y * row_size;
        memcpy(row + (size_t)width * texel_size, row + column * texel_size, texel_size);
    }
    const size_t source_row = wrap_v == MIPMAP_REPEAT ? 0 : (size_t)height - 1;
    memcpy(texels + (size_t)height * row_size, texels + source_row * row_size, row_size);
}

static void store_row_u8(const chain_builder *b, const uint16_t *in, int32_t width, uint8_t *out)
{
    for (size_t i = 0; i < 4 * (size_t)width; i++)
        out[i] = u8_from_u15(in[i]);
    for (int32_t x = 0; b->without_z && x < width; x++)
        out[4 * x + 2] = 255; // z of a two-channel normal map follows from x and y when sampled
}

/// Appends a level to the chain.
static zt_result store_level(chain_builder *b, const mipmap_plane *plane, zt_error *err)
{
    mipmap *out = b->out;
    const size_t texel_size = out->format == MIPMAP_U15 ? 8 : 4;
    const size_t row_size = ((size_t)plane->width + 1) * texel_size;
    uint8_t *texels = arena_alloc_raw(b->keep, (size_t)plane->height + 1, row_size);
    if (!texels)
        return arena_fail(b->keep, err, "a texture level");
    for (int32_t y = 0; y < plane->height; y++) {
        const uint16_t *in = plane->texels + 4 * (size_t)y * (size_t)plane->width;
        uint8_t *row = texels + (size_t)y * row_size;
        if (out->format == MIPMAP_U15)
            memcpy(row, in, (size_t)plane->width * texel_size);
        else
            store_row_u8(b, in, plane->width, row);
    }
    pad_level(texels, plane->width, plane->height, texel_size, out->wrap_u, out->wrap_v);
    out->level[out->level_count++] = (mipmap_level){.texels = texels,
                                                    .width = plane->width,
                                                    .height = plane->height,
                                                    .stride = plane->width + 1};
    return ZT_OK;
}

static zt_result build_levels(chain_builder *b, const picture *source, bool all_levels,
                              zt_error *err)
{
    // Two planes take turns; the second one is never larger than level 1.
    mipmap_plane plane = {.width = source->width, .height = source->height};
    mipmap_plane next = {.width = mipmap_half(plane.width), .height = mipmap_half(plane.height)};
    plane.texels = arena_alloc_raw(&b->temporary, (size_t)plane.height, (size_t)plane.width * 8);
    if (plane.texels && all_levels)
        next.texels = arena_alloc_raw(&b->temporary, (size_t)next.height, (size_t)next.width * 8);
    if (!plane.texels || (all_levels && !next.texels))
        return arena_fail(&b->temporary, err, "building mip levels");

    decode_u15(b, source, 0, (size_t)plane.width * (size_t)plane.height, plane.texels);
    ZT_TRY(store_level(b, &plane, err));
    while (all_levels && (plane.width > 1 || plane.height > 1)) {
        next.width = mipmap_half(plane.width);
        next.height = mipmap_half(plane.height);
        if (b->out->level_count < source->level_count)
            decode_u15(b, source, b->out->level_count, (size_t)next.width * (size_t)next.height,
                       next.texels);
        else
            mipmap_reduce(&plane, b->alpha_weighted, &next);
        ZT_TRY(store_level(b, &next, err));
        const mipmap_plane swap = plane;
        plane = next;
        next = swap;
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
                       .content = content,
                       .alpha_weighted = content == MIPMAP_COLOR && source->has_alpha,
                       .without_z = content == MIPMAP_NORMAL && source->two_channel,
                       .out = out};
    arena_init(&b.temporary, a->budget);
    zt_result result = ZT_OK;
    if (content == MIPMAP_COLOR)
        result = make_colour_table(&b, source->format, err);
    if (result == ZT_OK)
        result = build_levels(&b, source, all_levels, err);
    arena_finish(&b.temporary);
    return result;
}
