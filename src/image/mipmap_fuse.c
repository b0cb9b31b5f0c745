// SPDX-License-Identifier: MIT
// Interleaving of mip chains. 8-bit data v is 128 v in units of 1/32640, and a normal's v * 2 - 255
// is (2 v - 255) * 128: both exact.
#include "image/mipmap_fuse.h"

enum { UNITS_PER_U8 = MIPMAP_U15_ONE / 255 };

static size_t level_texels(const mipmap_level *level)
{
    return (size_t)level->stride * ((size_t)level->height + 1);
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
    const size_t size = MIPMAP_FUSED_CHANNELS * sizeof(int16_t);
    return a->level_count == b->level_count && a->level[0].width == b->level[0].width &&
           a->level[0].height == b->level[0].height && a->wrap_u == b->wrap_u &&
           a->wrap_v == b->wrap_v && chain_texels(a) * size <= INT32_MAX;
}

static void fuse_base(const uint16_t *from, size_t count, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += MIPMAP_FUSED_CHANNELS) {
        to[0] = (int16_t)from[0];
        to[1] = (int16_t)from[1];
        to[2] = (int16_t)from[2];
    }
}

static void fuse_metal_rough(const uint8_t *from, size_t count, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += MIPMAP_FUSED_CHANNELS) {
        to[3] = (int16_t)(from[1] * UNITS_PER_U8);
        to[7] = (int16_t)(from[2] * UNITS_PER_U8);
    }
}

static void fuse_normal(const uint8_t *from, size_t count, int16_t *to)
{
    for (size_t i = 0; i < count; i++, from += 4, to += MIPMAP_FUSED_CHANNELS)
        for (int c = 0; c < 3; c++)
            to[4 + c] = (int16_t)((2 * from[c] - 255) * UNITS_PER_U8);
}

zt_result mipmap_fuse(arena *a, const mipmap *base, const mipmap *metal_rough, const mipmap *normal,
                      mipmap_fused *out, zt_error *err)
{
    const mipmap *any = base ? base : metal_rough ? metal_rough : normal;
    size_t count = 0;
    for (int32_t i = 0; i < any->level_count; i++) {
        out->first[i] = (int32_t)count;
        count += level_texels(&any->level[i]);
    }
    for (int32_t i = any->level_count; i <= MIPMAP_LEVELS; i++)
        out->first[i] = out->first[any->level_count - 1];
    const bool all = base && metal_rough && normal;
    const size_t size = MIPMAP_FUSED_CHANNELS * sizeof(int16_t);
    int16_t *texels = all ? arena_alloc_raw(a, count, size) : arena_alloc(a, count, size);
    if (!texels)
        return arena_fail(a, err, "the texels of a material");
    for (int32_t i = 0; i < any->level_count; i++) {
        const size_t texels_here = level_texels(&any->level[i]);
        int16_t *to = texels + (size_t)out->first[i] * MIPMAP_FUSED_CHANNELS;
        if (base)
            fuse_base(base->level[i].texels, texels_here, to);
        if (metal_rough)
            fuse_metal_rough(metal_rough->level[i].texels, texels_here, to);
        if (normal)
            fuse_normal(normal->level[i].texels, texels_here, to);
    }
    out->texels = texels;
    return ZT_OK;
}
