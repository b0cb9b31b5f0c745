// SPDX-License-Identifier: MIT
/// Pictures -> mip chains as the sampler reads them. Each level is the exact box average of the
/// level above, in integers of U15, in linear light for colour; 8-bit levels are rounded from U15
/// once, so that errors do not add up along the chain. Rows flow through all levels while they are
/// in cache; bands of rows of a colour without alpha do so side by side. Reference: Guthe and
/// Heckbert, "Non-Power-of-Two Mipmapping", NVIDIA 2005, for odd sizes.
#include "texture/mipmap_rows.h"

#include <string.h>

enum {
    BANDS = 8,       // worked on at the same time
    BAND_LEVELS = 6, // rows of a band: 1 << BAND_LEVELS
    BAND_LEVELS_MIN = 3,
    SHARED_ROWS_MIN = 256 // of a picture: below it, starting threads takes longer
};

/// A level under construction: rows arrive from the top, are stored if the level is kept, and are
/// reduced into the next level as soon as enough of them are complete, while they are in cache.
typedef struct chain_level {
    int32_t width, height;
    uint8_t *texels; ///< NULL: the level is not kept
    /// The last three rows as U15, of each band; unused where texels are U15 themselves.
    uint16_t *ring[BANDS][3];
} chain_level;

/// The state of building one chain.
typedef struct chain_builder {
    arena *keep;
    arena temporary;
    const picture *source;
    mipmap_content content;
    bool alpha_weighted, without_z;
    uint16_t *passed[3];          ///< rows of a mask's picture with the alpha 0 or 1; NULL: no mask
    int32_t picture_level;        ///< from which levels are halved
    int32_t split;                ///< the level where a band is one row; 0: there is one band
    const uint16_t *colour_table; ///< U15 of an encoded value, [256] or [65536]
    int32_t level_count;
    chain_level level[MIPMAP_LEVELS];
    mipmap *out;
} chain_builder;

/// Rounds ties away from the middle: inverting a channel (255 - v) inverts all levels exactly.
static uint8_t u8_from_u15(uint32_t value)
{
    const uint32_t half = U15_PER_U8 / 2 - (value < MIPMAP_U15_ONE / 2 ? 1 : 0);
    return (uint8_t)((value + half) / U15_PER_U8);
}

/// The memory of row `y` of a level as U15, for one of the bands that are worked on.
static uint16_t *row_of(const chain_builder *b, const chain_level *level, int64_t band, int32_t y)
{
    if (level->texels && b->out->format == MIPMAP_U15)
        return (uint16_t *)(void *)level->texels + 4 * (size_t)y * ((size_t)level->width + 1);
    return level->ring[band][y % 3];
}

/// Counts the alphas of a row. Many pictures have an unused alpha channel.
static void note_alpha(const chain_builder *b, const uint16_t *row, int32_t width)
{
    uint32_t *count = b->out->alpha_count;
    unsigned others = 0;
    for (int32_t x = 0; x < width; x++)
        others |= row[4 * x + 3] ^ MIPMAP_U15_ONE;
    b->out->has_alpha |= others != 0;
    if (!others)
        count[MIPMAP_ALPHAS - 1] += (uint32_t)width;
    else
        for (int32_t x = 0; x < width; x++)
            count[row[4 * x + 3] / U15_PER_U8]++;
}

/// Stores row `y` from row_of(), and the extra texel that wrapping would fetch.
static void store_row(const chain_builder *b, const chain_level *level, int32_t y)
{
    const size_t width = (size_t)level->width;
    const size_t texel_size = b->out->format == MIPMAP_U15 ? 8 : 4;
    uint8_t *out = level->texels + (size_t)y * (width + 1) * texel_size;
    if (b->out->format == MIPMAP_U8) {
        const uint16_t *in = row_of(b, level, 0, y);
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

/// A row whose alpha is what passes the test of a mask.
static const uint16_t *passed_row(const chain_builder *b, const uint16_t *row, int32_t width,
                                  uint16_t *out)
{
    const float cutoff = b->source->mask_cutoff * (float)MIPMAP_U15_ONE;
    memcpy(out, row, (size_t)width * 4 * sizeof *row);
    for (size_t x = 0; x < (size_t)width; x++)
        out[4 * x + 3] = (float)row[4 * x + 3] + 0.5f >= cutoff ? MIPMAP_U15_ONE : 0;
    return out;
}

/// Stores row `y` of level `index` from row_of(), and all rows that it ends of levels below, up to
/// `last`.
static void push_row(const chain_builder *b, int64_t band, int32_t index, int32_t last, int32_t y)
{
    for (;;) {
        const chain_level *level = &b->level[index];
        if (level->texels)
            store_row(b, level, y);
        if (index == last)
            return;
        const int32_t next_y = mipmap_row_completed(level->height, y);
        if (next_y < 0)
            return;
        const mipmap_taps taps = mipmap_taps_of(level->height, next_y);
        const uint16_t *rows[3] = {NULL};
        for (int32_t j = 0; j < taps.count; j++)
            rows[j] = row_of(b, level, band, taps.first + j);
        if (b->passed[0] && index == b->picture_level)
            for (int32_t j = 0; j < taps.count; j++)
                rows[j] = passed_row(b, rows[j], level->width, b->passed[j]);
        index++;
        y = next_y;
        mipmap_reduce_row(rows, &taps, level->width, b->alpha_weighted,
                          row_of(b, &b->level[index], band, y));
    }
}

/// Bands go down to a level whose rows are stored as they are. There are as many without threads:
/// what they take does not depend on these.
static void plan_bands(chain_builder *b, int32_t first, bool all_levels)
{
    const picture *p = b->source;
    int32_t split = 0;
    if (b->out->format != MIPMAP_U15 || b->alpha_weighted || p->level_count > 1 || !all_levels ||
        p->height < SHARED_ROWS_MIN)
        return;
    while (split < BAND_LEVELS && p->height % (2 << split) == 0)
        split++;
    if (split >= BAND_LEVELS_MIN && split >= first)
        b->split = split;
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
        const bool in_place = kept && out->format == MIPMAP_U15;
        for (int i = 0; i < (b->split > 0 ? 3 * BANDS : 3) && !in_place; i++) {
            ZT_TRY(ARENA_TAKE_RAW(&b->temporary, &level->ring[i / 3][i % 3], 4 * (size_t)width,
                                  "building mip levels", err));
        }
        if (kept)
            out->level[out->level_count++] =
                (mipmap_level){level->texels, width, height, width + 1};
        b->level_count++;
        if (!all_levels || (width == 1 && height == 1))
            return ZT_OK;
    }
}

/// Finds the level from which others are halved, and memory for rows of a mask.
static zt_result plan_mask(chain_builder *b, zt_error *err)
{
    const int32_t last = b->level_count - 1, has = b->source->level_count - 1;
    b->picture_level = has < last ? has : last;
    const size_t width = (size_t)b->level[b->picture_level].width;
    if (!b->alpha_weighted || !(b->source->mask_cutoff > 0.0f) || b->picture_level == last)
        return ZT_OK;
    for (int i = 0; i < 3; i++)
        ZT_TRY(ARENA_TAKE_RAW(&b->temporary, &b->passed[i], 4 * width, "mip levels", err));
    return ZT_OK;
}

/// Every BANDS-th band, from `index` on.
static void fill_bands(void *user, int64_t index, int32_t worker)
{
    const chain_builder *b = user;
    const chain_level *level = &b->level[0];
    const int32_t rows = 1 << b->split;
    (void)worker;
    for (int32_t begin = (int32_t)index * rows; begin < level->height; begin += BANDS * rows)
        for (int32_t y = begin; y < begin + rows; y++) {
            if (budget_cancelled(b->keep->budget))
                return;
            mipmap_decode_row(b->source, b->colour_table, 0, y, level->width,
                              row_of(b, level, index, y));
            push_row(b, index, 0, b->split, y);
        }
}

/// The same as fill_levels() in bands, then the levels below them. False: cancelled.
static bool fill_levels_shared(chain_builder *b, job_pool *pool, int32_t first)
{
    job_pool_run_helped(pool, BANDS, fill_bands, b);
    if (budget_cancelled(b->keep->budget)) // some rows were left out
        return false;
    for (int32_t y = 0; y < b->level[b->split].height; y++)
        push_row(b, 0, b->split, b->level_count - 1, y);
    for (int32_t index = first; index < b->level_count; index++)
        pad_level(b->out, &b->level[index]);
    return true;
}

/// Decodes the picture's levels from the first kept; the last is halved on. False: cancelled.
static bool fill_levels(chain_builder *b, int32_t first)
{
    const int32_t last = b->picture_level;
    for (int32_t index = first < last ? first : last; index <= last; index++) {
        const chain_level *level = &b->level[index];
        for (int32_t y = 0; y < level->height; y++) {
            if (budget_cancelled(b->keep->budget))
                return false;
            mipmap_decode_row(b->source, b->colour_table, index, y, level->width,
                              row_of(b, level, 0, y));
            if (b->alpha_weighted && index == (first < last ? first : last))
                note_alpha(b, row_of(b, level, 0, y), level->width);
            if (index < last)
                store_row(b, level, y);
            else
                push_row(b, 0, index, b->level_count - 1, y);
        }
    }
    for (int32_t index = first; index < b->level_count; index++)
        pad_level(b->out, &b->level[index]);
    return true;
}

void mipmap_measure(const picture *source, mipmap_content content, mipmap_wrap wrap_u,
                    mipmap_wrap wrap_v, bool all_levels, mipmap *out)
{
    const int32_t first = all_levels ? source->skip : 0;
    int32_t width = source->width, height = source->height;
    *out = (mipmap){.format = mipmap_is_color(content) ? MIPMAP_U15 : MIPMAP_U8,
                    .wrap_u = wrap_u,
                    .wrap_v = wrap_v};
    for (int32_t i = 0;; i++, width = mipmap_half(width), height = mipmap_half(height)) {
        if (i >= first)
            out->level[out->level_count++] =
                (mipmap_level){.width = width, .height = height, .stride = width + 1};
        if (!all_levels || (width == 1 && height == 1))
            return;
    }
}

zt_result mipmap_build(arena *a, const picture *source, mipmap_content content, mipmap_wrap wrap_u,
                       mipmap_wrap wrap_v, bool all_levels, mipmap *out, zt_error *err)
{
    return mipmap_build_shared(NULL, a, source, content, wrap_u, wrap_v, all_levels, out, err);
}

zt_result mipmap_build_shared(job_pool *pool, arena *a, const picture *source,
                              mipmap_content content, mipmap_wrap wrap_u, mipmap_wrap wrap_v,
                              bool all_levels, mipmap *out, zt_error *err)
{
    *out = (mipmap){.format = mipmap_is_color(content) ? MIPMAP_U15 : MIPMAP_U8,
                    .wrap_u = wrap_u,
                    .wrap_v = wrap_v};
    if (source->width < 1 || source->height < 1 || source->width > PICTURE_SIDE_LIMIT ||
        source->height > PICTURE_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_INTERNAL, "texture of %d x %d pixels", source->width,
                       source->height);
    ZT_TRY(arena_work(a, picture_steps(source), "textures", err));
    const int32_t first = all_levels ? source->skip : 0;
    chain_builder b = {.keep = a,
                       .source = source,
                       .content = content,
                       .alpha_weighted = content == MIPMAP_COLOR && source->has_alpha,
                       .without_z = content == MIPMAP_NORMAL && source->two_channel,
                       .out = out};
    arena_init(&b.temporary, a->budget);
    zt_result result = mipmap_is_color(content)
                           ? mipmap_colour_table(&b.temporary, source, &b.colour_table, err)
                           : ZT_OK;
    if (result == ZT_OK && b.alpha_weighted)
        result = ARENA_TAKE(a, &out->alpha_count, MIPMAP_ALPHAS, "a texture", err);
    plan_bands(&b, first, all_levels);
    if (result == ZT_OK)
        result = plan_levels(&b, first, all_levels, err);
    if (result == ZT_OK)
        result = plan_mask(&b, err);
    if (result == ZT_OK &&
        !(b.split > 0 ? fill_levels_shared(&b, pool, first) : fill_levels(&b, first)))
        result = cancel_fail(err);
    arena_finish(&b.temporary);
    return result;
}
