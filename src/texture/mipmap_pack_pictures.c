// SPDX-License-Identifier: MIT
// Interleaved chains straight from pictures. Rows of all pictures flow through the levels side by
// side and are interleaved while they are in cache, so that no chain is ever stored.
//
// Bands of rows are independent down to the level where a band is one row; the rows of that level
// are kept, and the levels below it follow when all bands are done.
#include "texture/mipmap_pack.h"
#include "texture/mipmap_rows.h"

#include <string.h>

enum {
    BANDS = 8,       // worked on at the same time: what they take does not depend on threads
    SPLIT_LEVEL = 6, // rows of a band: 1 << SPLIT_LEVEL
    SPLIT_LEVEL_MIN = 3,
    ASKED_ROWS = 64,      // between two questions; a band may be the whole picture
    SHARED_ROWS_MIN = 256 // of a picture: below it, starting threads takes longer
};

/// One of the chains that are interleaved.
typedef struct pack_source {
    const picture *picture; ///< NULL: its channels are zeros
    const uint16_t *table;  ///< of colours, or NULL
    int same;               ///< the first source with the same rows
    int32_t start;          ///< the level that the picture is: decoders reduce pictures, too
    bool alpha_weighted, without_z;
    bool rounded;       ///< to 8 bits
    bool first_rounded; ///< `start` too: the picture has more, or a channel is replaced
} pack_source;

/// Rows of each level, for each source; of one band, or of what follows the bands.
typedef struct pack_rows {
    uint16_t *ring[MIPMAP_LEVELS][MIPMAP_PACK_COUNT][3];
    uint16_t *rounded[MIPMAP_PACK_COUNT];
} pack_rows;

typedef struct pack_builder {
    pack_source source[MIPMAP_PACK_COUNT];
    mipmap_wrap wrap_u;
    int32_t width[MIPMAP_LEVELS], height[MIPMAP_LEVELS]; ///< of the largest picture's levels
    int32_t level_count;
    int32_t first; ///< the first level that is kept
    int32_t split; ///< the level where a band is one row; the last level: nothing follows
    int32_t bands, band_rows;
    uint16_t *below[MIPMAP_PACK_COUNT]; ///< all rows of the level `split`
    pack_rows rows[BANDS];
    int16_t *texels, *emissive_occlusion; ///< or NULL
    const mipmap_packed *out;
    budget *work;
} pack_builder;

static size_t packed_row(int32_t width) { return (size_t)width + MIPMAP_PACKED_PADDING; }

/// Row y of a level in the ring of a band, or among those that are kept for what follows.
static uint16_t *row_of(const pack_builder *b, const pack_rows *r, int32_t level, int k, int32_t y)
{
    if (level == b->split && b->below[k])
        return b->below[k] + 4 * (size_t)y * (size_t)b->width[level];
    return r->ring[level][k][y % 3];
}

/// Values of 8 bits in U15, rounded as mipmap_build() rounds them.
static void round_row(const uint16_t *from, size_t count, bool without_z, uint16_t *to)
{
    const uint16_t half = U15_PER_U8 / 2;
    for (size_t i = 0; i < 4 * count; i++) {
        const uint16_t up = (uint16_t)(half - (from[i] < MIPMAP_U15_ONE / 2 ? 1 : 0));
        to[i] = (uint16_t)((uint16_t)(from[i] + up) / U15_PER_U8 * U15_PER_U8);
    }
    if (without_z)
        for (size_t i = 0; i < count; i++)
            to[4 * i + 2] = MIPMAP_U15_ONE;
}

static const uint64_t THREE = UINT64_C(0x0000ffffffffffff);

static void interleave(const uint16_t *base, const uint16_t *metal_rough, const uint16_t *normal,
                       size_t count, int16_t *to)
{
    for (size_t i = 0; i < 4 * count; i += 4) {
        const uint64_t m = mipmap_load(metal_rough + i);
        const uint64_t low = (mipmap_load(base + i) & THREE) | (m << 32 & ~THREE);
        const uint64_t high = (mipmap_load(normal + i) & THREE) | (m << 16 & ~THREE);
        memcpy(to + 2 * i, &low, sizeof low);
        memcpy(to + 2 * i + 4, &high, sizeof high);
    }
}

static void interleave_emissive(const uint16_t *emissive, const uint16_t *occlusion, size_t count,
                                int16_t *to)
{
    for (size_t i = 0; i < 4 * count; i += 4) {
        const uint64_t texel = (mipmap_load(emissive + i) & THREE) | mipmap_load(occlusion + i)
                                                                         << 48;
        memcpy(to + i, &texel, sizeof texel);
    }
}

/// The stored texels of a source in row y of a level: zeros for none.
static const uint16_t *final_row(const pack_builder *b, const pack_rows *r, int32_t level, int k,
                                 int32_t y)
{
    const pack_source *s = &b->source[k];
    const size_t width = (size_t)b->width[level];
    if (!s->picture)
        return r->rounded[k];
    const uint16_t *row = row_of(b, r, level, s->same, y);
    if (level > s->start ? s->rounded : s->first_rounded) {
        round_row(row, width, s->without_z, r->rounded[k]);
        row = r->rounded[k];
    }
    if (k != MIPMAP_PACK_NORMAL)
        return row;
    for (size_t i = 0; i < 4 * width; i++)
        r->rounded[k][i] = (uint16_t)(2 * row[i] - MIPMAP_U15_ONE); // signed
    return r->rounded[k];
}

/// Stores row y of a level, and the texel that wrapping would fetch.
static void store_rows(const pack_builder *b, const pack_rows *r, int32_t level, int32_t y)
{
    const size_t width = (size_t)b->width[level];
    const uint16_t *row[MIPMAP_PACK_COUNT];
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
        row[k] = final_row(b, r, level, k, y);
    const size_t at =
        (size_t)b->out->first[level - b->first] + (size_t)y * packed_row(b->width[level]);
    const size_t from = b->wrap_u == MIPMAP_REPEAT ? 0 : width - 1;
    int16_t *to = b->texels + at * MIPMAP_PACKED_CHANNELS;
    interleave(row[MIPMAP_PACK_BASE], row[MIPMAP_PACK_METAL_ROUGH], row[MIPMAP_PACK_NORMAL], width,
               to);
    memcpy(to + width * MIPMAP_PACKED_CHANNELS, to + from * MIPMAP_PACKED_CHANNELS,
           MIPMAP_PACKED_CHANNELS * sizeof *to);
    if (!b->emissive_occlusion)
        return;
    to = b->emissive_occlusion + at * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS;
    interleave_emissive(row[MIPMAP_PACK_EMISSIVE], row[MIPMAP_PACK_OCCLUSION], width, to);
    memcpy(to + width * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS,
           to + from * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS,
           MIPMAP_EMISSIVE_OCCLUSION_CHANNELS * sizeof *to);
}

/// Decodes row y of a level into the rings of the sources whose pictures are that level.
static void decode_rows(const pack_builder *b, const pack_rows *r, int32_t level, int32_t y)
{
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++) {
        const pack_source *s = &b->source[k];
        if (s->picture && s->same == k && s->start == level)
            mipmap_decode_row(s->picture, s->table, 0, y, b->width[level],
                              row_of(b, r, level, k, y));
    }
}

/// Stores row y of `level` of each source, and rows of further levels up to `last` that it ends.
static void push_rows(const pack_builder *b, const pack_rows *r, int32_t level, int32_t last,
                      int32_t y)
{
    for (;;) {
        const bool comes_again = level == last && last + 1 < b->level_count; // in build()
        if (level >= b->first && !comes_again)
            store_rows(b, r, level, y);
        const int32_t next_y = level < last ? mipmap_row_completed(b->height[level], y) : -1;
        if (next_y < 0)
            return;
        const mipmap_taps taps = mipmap_taps_of(b->height[level], next_y);
        for (int k = 0; k < MIPMAP_PACK_COUNT; k++) {
            const pack_source *s = &b->source[k];
            const uint16_t *rows[3] = {NULL};
            if (!s->picture || s->same != k || s->start > level)
                continue;
            for (int32_t j = 0; j < taps.count; j++)
                rows[j] = row_of(b, r, level, k, taps.first + j);
            mipmap_reduce_row(rows, &taps, b->width[level], s->alpha_weighted,
                              row_of(b, r, level + 1, k, next_y));
        }
        level++;
        y = next_y;
        decode_rows(b, r, level, y);
    }
}

/// Every BANDS-th band, from `index` on.
static void fill_bands(void *user, int64_t index, int32_t worker)
{
    const pack_builder *b = user;
    const pack_rows *r = &b->rows[index];
    (void)worker;
    for (int32_t band = (int32_t)index; band < b->bands; band += BANDS) {
        const int32_t begin = band * b->band_rows, end = begin + b->band_rows;
        for (int32_t y = begin; y < end && y < b->height[0]; y++) {
            if ((y - begin) % ASKED_ROWS == 0 && budget_cancelled(b->work))
                return;
            decode_rows(b, r, 0, y);
            push_rows(b, r, 0, b->split, y);
        }
    }
}

/// Stores the row of each level that wrapping would fetch.
static void pad_levels(const pack_builder *b, mipmap_wrap wrap_v)
{
    for (int32_t level = b->first; level < b->level_count; level++) {
        const size_t height = (size_t)b->height[level], row = packed_row(b->width[level]);
        const size_t used = (size_t)b->width[level] + 1;
        const size_t first = (size_t)b->out->first[level - b->first];
        const size_t from = first + (wrap_v == MIPMAP_REPEAT ? 0 : height - 1) * row;
        const size_t to = first + height * row;
        memcpy(b->texels + to * MIPMAP_PACKED_CHANNELS, b->texels + from * MIPMAP_PACKED_CHANNELS,
               used * MIPMAP_PACKED_CHANNELS * sizeof *b->texels);
        if (b->emissive_occlusion)
            memcpy(b->emissive_occlusion + to * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS,
                   b->emissive_occlusion + from * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS,
                   used * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS * sizeof *b->emissive_occlusion);
    }
}

// ---- Preparation --------------------------------------------------------------------------------

static zt_result prepare_sources(pack_builder *b, arena *temporary,
                                 const picture *const from[MIPMAP_PACK_COUNT], zt_error *err)
{
    const uint16_t *narrow = NULL;
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++) {
        const bool color = k == MIPMAP_PACK_BASE || k == MIPMAP_PACK_EMISSIVE;
        const picture *p = from[k];
        pack_source *s = &b->source[k];
        *s = (pack_source){.picture = p, .same = k, .rounded = !color};
        if (!p)
            continue;
        s->alpha_weighted = color && p->has_alpha;
        s->without_z = k == MIPMAP_PACK_NORMAL && p->two_channel;
        s->first_rounded = s->rounded && (p->format == PICTURE_RGBA16 || s->without_z);
        for (int i = 0; i < k && s->same == k; i++)
            if (from[i] == p && b->source[i].rounded == s->rounded)
                s->same = i;
        if (color && p->format == PICTURE_RGBA16) {
            ZT_TRY(mipmap_colour_table(temporary, p, &s->table, err));
        } else if (color) {
            if (!narrow)
                ZT_TRY(mipmap_colour_table(temporary, p, &narrow, err));
            s->table = narrow;
        }
    }
    return ZT_OK;
}

/// The levels of the picture, and how they are split into bands.
static void plan_levels(pack_builder *b, const picture *p, int32_t first, int32_t kept_count)
{
    b->first = first;
    b->level_count = first + kept_count;
    b->width[0] = p->width;
    b->height[0] = p->height;
    for (int32_t i = 1; i < b->level_count; i++) {
        b->width[i] = mipmap_half(b->width[i - 1]);
        b->height[i] = mipmap_half(b->height[i - 1]);
    }
    const int32_t last = b->level_count - 1;
    int32_t split = 0;
    while (split < SPLIT_LEVEL && split < last && b->height[0] % (2 << split) == 0)
        split++;
    b->split = last;
    b->bands = 1;
    b->band_rows = b->height[0];
    if (b->height[0] < SHARED_ROWS_MIN || (split < SPLIT_LEVEL_MIN && split < last))
        return;
    b->split = split;
    b->band_rows = 1 << SPLIT_LEVEL; // of whole rows of the level `split`
    b->bands = (b->height[0] + b->band_rows - 1) / b->band_rows;
}

static bool prepare_band(const pack_builder *b, arena *temporary, pack_rows *r)
{
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++) {
        const pack_source *s = &b->source[k];
        if (!s->picture || s->rounded) {
            r->rounded[k] = ARENA_ARRAY(temporary, uint16_t, 4 * (size_t)b->width[0]);
            if (!r->rounded[k])
                return false;
        }
        if (!s->picture || s->same != k)
            continue;
        for (int32_t level = 0; level < b->level_count; level++)
            for (int i = 0; i < 3; i++) {
                r->ring[level][k][i] =
                    ARENA_ARRAY_RAW(temporary, uint16_t, 4 * (size_t)b->width[level]);
                if (!r->ring[level][k][i])
                    return false;
            }
    }
    return true;
}

static zt_result prepare_rows(pack_builder *b, arena *temporary, zt_error *err)
{
    if (b->split + 1 < b->level_count)
        for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
            if (b->source[k].picture && b->source[k].same == k) {
                const size_t count = (size_t)b->width[b->split] * (size_t)b->height[b->split];
                ZT_TRY(
                    ARENA_TAKE_RAW(temporary, &b->below[k], 4 * count, "building mip levels", err));
            }
    for (int32_t i = 0; i < BANDS && i < b->bands; i++)
        if (!prepare_band(b, temporary, &b->rows[i]))
            return arena_fail(temporary, err, "building mip levels");
    return ZT_OK;
}

bool mipmap_picture_fits(const picture *largest, const picture *p)
{
    int32_t width = largest->width, height = largest->height;
    for (int32_t i = p->skip; i < largest->skip; i++) {
        width = mipmap_half(width);
        height = mipmap_half(height);
    }
    return largest->level_count == 1 && p->level_count == 1 && p->skip <= largest->skip &&
           p->width == width && p->height == height;
}

static zt_result build(job_pool *pool, arena *temporary,
                       const picture *const source[MIPMAP_PACK_COUNT], const mipmap *like,
                       pack_builder *b, zt_error *err)
{
    const picture *largest = NULL;
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
        if (source[k] && (!largest || source[k]->skip > largest->skip))
            largest = source[k];
    ZT_TRY(prepare_sources(b, temporary, source, err));
    plan_levels(b, largest, like->level_count > 1 ? largest->skip : 0, like->level_count);
    for (int k = 0; k < MIPMAP_PACK_COUNT; k++)
        if (source[k])
            b->source[k].start = largest->skip - source[k]->skip;
    ZT_TRY(prepare_rows(b, temporary, err));
    const int64_t jobs = b->bands < BANDS ? b->bands : BANDS;
    job_pool_run(jobs > 1 ? pool : NULL, jobs, fill_bands, b);
    if (budget_cancelled(b->work)) // some bands were left out
        return cancel_fail(err);
    for (int32_t y = 0; b->split + 1 < b->level_count && y < b->height[b->split]; y++)
        push_rows(b, &b->rows[0], b->split, b->level_count - 1, y);
    pad_levels(b, like->wrap_v);
    return ZT_OK;
}

zt_result mipmap_pack_pictures(job_pool *pool, arena *a,
                               const picture *const source[MIPMAP_PACK_COUNT], const mipmap *like,
                               mipmap_packed *out, zt_error *err)
{
    arena temporary;
    arena_init(&temporary, a->budget);
    pack_builder *b = ARENA_ARRAY(&temporary, pack_builder, 1);
    zt_result result = b ? ZT_OK : arena_fail(&temporary, err, "building mip levels");
    if (b) {
        const bool more = source[MIPMAP_PACK_EMISSIVE] || source[MIPMAP_PACK_OCCLUSION];
        b->wrap_u = like->wrap_u;
        b->out = out;
        b->work = a->budget;
        result = mipmap_packed_alloc(a, like, more, out, &b->texels, &b->emissive_occlusion, err);
    }
    if (result == ZT_OK)
        result = build(pool, &temporary, source, like, b, err);
    arena_finish(&temporary);
    return result;
}
