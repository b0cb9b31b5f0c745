// SPDX-License-Identifier: MIT
// Interleaving of mip chains. 8-bit data v is 128 v in units of 1/32640, and a normal's v * 2 - 255
// is (2 v - 255) * 128: both exact.
#include "texture/mipmap_pack.h"

#include <string.h>

enum { UNITS_PER_U8 = MIPMAP_U15_ONE / 255 };

static size_t row_texels(const mipmap_level *level)
{
    return (size_t)level->width + MIPMAP_PACKED_PADDING;
}

static size_t level_texels(const mipmap_level *level)
{
    return row_texels(level) * ((size_t)level->height + 1);
}

static size_t chain_texels(const mipmap *m)
{
    size_t count = 0;
    for (int32_t i = 0; i < m->level_count; i++)
        count += level_texels(&m->level[i]);
    return count;
}

bool mipmap_fits(const mipmap *a, const mipmap *b)
{
    const size_t size = MIPMAP_PACKED_CHANNELS * sizeof(int16_t);
    return a->level_count == b->level_count && a->level[0].width == b->level[0].width &&
           a->level[0].height == b->level[0].height && a->wrap_u == b->wrap_u &&
           a->wrap_v == b->wrap_v && chain_texels(a) * size <= INT32_MAX;
}

/// Red, green and blue, into texels of so many channels.
static void pack_color(const uint16_t *from, size_t count, size_t channels, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += channels) {
        to[0] = (int16_t)from[0];
        to[1] = (int16_t)from[1];
        to[2] = (int16_t)from[2];
    }
}

static void pack_metal_rough(const uint8_t *from, size_t count, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += MIPMAP_PACKED_CHANNELS) {
        to[3] = (int16_t)(from[1] * UNITS_PER_U8);
        to[7] = (int16_t)(from[2] * UNITS_PER_U8);
    }
}

static void pack_normal(const uint8_t *from, size_t count, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += MIPMAP_PACKED_CHANNELS)
        for (int c = 0; c < 3; c++)
            to[4 + c] = (int16_t)((2 * from[c] - 255) * UNITS_PER_U8);
}

static void pack_occlusion(const uint8_t *from, size_t count, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += MIPMAP_EMISSIVE_OCCLUSION_CHANNELS)
        to[3] = (int16_t)(from[0] * UNITS_PER_U8);
}

/// Where the levels begin. Returns the number of texels.
static size_t packed_places(const mipmap *like, mipmap_packed *out)
{
    size_t count = 0;
    for (int32_t i = 0; i < like->level_count; i++) {
        out->first[i] = (int32_t)count;
        count += level_texels(&like->level[i]);
    }
    for (int32_t i = like->level_count; i <= MIPMAP_LEVELS; i++)
        out->first[i] = out->first[like->level_count - 1];
    return count;
}

zt_result mipmap_packed_alloc(arena *a, const mipmap *like, bool emissive_occlusion,
                              mipmap_packed *out, int16_t **out_texels,
                              int16_t **out_emissive_occlusion, zt_error *err)
{
    const size_t count = packed_places(like, out);
    const size_t size = sizeof(int16_t);
    *out_texels = arena_alloc_raw(a, count, MIPMAP_PACKED_CHANNELS * size);
    *out_emissive_occlusion = NULL;
    if (emissive_occlusion)
        *out_emissive_occlusion =
            arena_alloc_raw(a, count, MIPMAP_EMISSIVE_OCCLUSION_CHANNELS * size);
    if (!*out_texels || (emissive_occlusion && !*out_emissive_occlusion))
        return arena_fail(a, err, "the texels of a material");
    out->texels = *out_texels;
    out->emissive_occlusion = *out_emissive_occlusion;
    return ZT_OK;
}

/// Row y of a level of a chain.
static const void *chain_row(const mipmap *m, int32_t level, size_t y)
{
    const size_t texel = m->format == MIPMAP_U15 ? 4 * sizeof(uint16_t) : 4;
    const mipmap_level *l = &m->level[level];
    return (const uint8_t *)l->texels + y * (size_t)l->stride * texel;
}

/// Row y of a level; texels after the first `count` are never read. Channels without a map are 0.
static void pack_row(const mipmap *const chain[MIPMAP_PACK_COUNT], int32_t level, size_t y,
                     size_t count, int16_t *texels, int16_t *emissive_occlusion)
{
    const mipmap *base = chain[MIPMAP_PACK_BASE], *metal_rough = chain[MIPMAP_PACK_METAL_ROUGH],
                 *normal = chain[MIPMAP_PACK_NORMAL], *emissive = chain[MIPMAP_PACK_EMISSIVE],
                 *occlusion = chain[MIPMAP_PACK_OCCLUSION];
    if (!base || !metal_rough || !normal)
        memset(texels, 0, count * MIPMAP_PACKED_CHANNELS * sizeof *texels);
    if (emissive_occlusion && (!emissive || !occlusion))
        memset(emissive_occlusion, 0,
               count * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS * sizeof *emissive_occlusion);
    if (base)
        pack_color(chain_row(base, level, y), count, MIPMAP_PACKED_CHANNELS, texels);
    if (metal_rough)
        pack_metal_rough(chain_row(metal_rough, level, y), count, texels);
    if (normal)
        pack_normal(chain_row(normal, level, y), count, texels);
    if (emissive)
        pack_color(chain_row(emissive, level, y), count, MIPMAP_EMISSIVE_OCCLUSION_CHANNELS,
                   emissive_occlusion);
    if (occlusion)
        pack_occlusion(chain_row(occlusion, level, y), count, emissive_occlusion);
}

/// The input of packing: strips of PACK_ROWS rows of a level, one after another.
typedef struct pack_loop {
    const mipmap *const *chain;
    const mipmap *like; ///< any of the chains
    const int32_t *first;
    int16_t *texels, *emissive_occlusion;
    budget *work;
} pack_loop;

enum {
    PACK_ROWS = 64,
    SHARED_ROWS_MIN = 256, // below it, starting threads takes longer
};

static int64_t strips_of(const mipmap_level *level)
{
    return (level->height + PACK_ROWS) / PACK_ROWS; // of height + 1 rows
}

static void pack_strip(void *user, int64_t index, int32_t worker)
{
    (void)worker;
    const pack_loop *f = user;
    int32_t level = 0;
    if (budget_cancelled(f->work))
        return;
    for (; index >= strips_of(&f->like->level[level]); level++)
        index -= strips_of(&f->like->level[level]);
    const mipmap_level *like = &f->like->level[level];
    const size_t rows = (size_t)like->height + 1, begin = (size_t)index * PACK_ROWS;
    const size_t end = begin + PACK_ROWS < rows ? begin + PACK_ROWS : rows;
    for (size_t y = begin; y < end; y++) {
        const size_t texel = (size_t)f->first[level] + y * row_texels(like);
        pack_row(f->chain, level, y, (size_t)like->stride,
                 f->texels + texel * MIPMAP_PACKED_CHANNELS,
                 f->emissive_occlusion
                     ? f->emissive_occlusion + texel * MIPMAP_EMISSIVE_OCCLUSION_CHANNELS
                     : NULL);
    }
}

zt_result mipmap_pack(job_pool *pool, arena *a, const mipmap *const chain[MIPMAP_PACK_COUNT],
                      mipmap_packed *out, zt_error *err)
{
    const mipmap *base = chain[MIPMAP_PACK_BASE], *metal_rough = chain[MIPMAP_PACK_METAL_ROUGH],
                 *normal = chain[MIPMAP_PACK_NORMAL], *emissive = chain[MIPMAP_PACK_EMISSIVE],
                 *occlusion = chain[MIPMAP_PACK_OCCLUSION];
    const mipmap *any = base ? base : metal_rough ? metal_rough : normal;
    int16_t *texels, *emissive_occlusion;
    ZT_TRY(
        mipmap_packed_alloc(a, any, emissive || occlusion, out, &texels, &emissive_occlusion, err));
    pack_loop loop = {chain, any, out->first, texels, emissive_occlusion, a->budget};
    int64_t strips = 0;
    for (int32_t i = 0; i < any->level_count; i++)
        strips += strips_of(&any->level[i]);
    const bool alone = any->level[0].height < SHARED_ROWS_MIN;
    job_pool_run(alone ? NULL : pool, strips, pack_strip, &loop);
    if (budget_cancelled(a->budget)) // some strips were left out
        return cancel_fail(err);
    return ZT_OK;
}
