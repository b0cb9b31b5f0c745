// SPDX-License-Identifier: MIT
/// Mip levels of masks that let as much through as the picture does.
#include "texture/mipmap.h"

#include <string.h>

enum {
    SHIFT = 5,                ///< U15 to a bin of the histogram of a level
    COUNTED_TEXELS = 1 << 16, ///< about as many are enough
    BINS = (MIPMAP_U15_ONE >> SHIFT) + 1
};

static uint32_t alpha_at(const mipmap_level *l, int32_t x, int32_t y)
{
    const uint16_t *texels = l->texels;
    return texels[4 * ((size_t)y * (size_t)l->stride + (size_t)x) + 3];
}

/// Alphas of 4 x 4 places between texels, in some rows of a large level: regular patterns have few
/// alphas at texels.
static void count_between(const mipmap_level *l, uint32_t bins[BINS])
{
    const int32_t step = l->width * l->height / COUNTED_TEXELS | 1;
    memset(bins, 0, BINS * sizeof *bins);
    for (int32_t y = 0; y < l->height; y += step)
        for (int32_t x = 0; x < l->width; x++) {
            const uint32_t a = alpha_at(l, x, y), b = alpha_at(l, x + 1, y);
            const uint32_t c = alpha_at(l, x, y + 1), d = alpha_at(l, x + 1, y + 1);
            for (uint32_t v = 1; v < 8; v += 2)
                for (uint32_t u = 1; u < 8; u += 2) {
                    const uint32_t top = a * (8 - u) + b * u, bottom = c * (8 - u) + d * u;
                    bins[(top * (8 - v) + bottom * v) / 64 >> SHIFT]++;
                }
        }
}

/// The alpha that the share passed / all of the counts reaches, at the nearest bin.
static uint32_t passing_alpha(const uint32_t bins[BINS], uint64_t passed, uint64_t all)
{
    uint64_t total = 0, above = 0;
    for (int32_t i = 0; i < BINS; i++)
        total += bins[i];
    const uint64_t want = (passed * total + all / 2) / all;
    int32_t i = BINS;
    while (i > 0 && above + bins[i - 1] / 2 < want)
        above += bins[--i];
    return (uint32_t)i << SHIFT;
}

static void scale_level(const mipmap_level *l, uint32_t to, uint32_t from)
{
    uint16_t *texels = (uint16_t *)(uintptr_t)l->texels; // that are being made
    for (size_t i = 0; i < (size_t)l->stride * ((size_t)l->height + 1); i++) {
        const uint64_t scaled = (uint64_t)texels[4 * i + 3] * to / from;
        texels[4 * i + 3] = (uint16_t)(scaled < MIPMAP_U15_ONE ? scaled : MIPMAP_U15_ONE);
    }
}

void mipmap_keep_coverage(const mipmap *m, float cutoff)
{
    uint64_t all = 0, passed = 0;
    if (!m->alpha_count || !m->has_alpha || !(cutoff > 0.0f) || !(cutoff <= 1.0f))
        return;
    const uint32_t threshold = (uint32_t)(cutoff * (float)MIPMAP_U15_ONE + 0.5f);
    for (uint32_t i = 0; i < MIPMAP_ALPHAS; i++) {
        all += m->alpha_count[i];
        passed += i * (MIPMAP_U15_ONE / 255) >= threshold ? m->alpha_count[i] : 0;
    }
    for (int32_t i = 0; i < m->level_count; i++) {
        const mipmap_level *l = &m->level[i];
        uint32_t bins[BINS];
        if ((uint64_t)l->width * (uint64_t)l->height == all || !l->texels)
            continue; // the picture itself
        count_between(l, bins);
        const uint32_t from = passing_alpha(bins, passed, all);
        if (from > 0 && passed > 0)
            scale_level(l, threshold, from);
    }
}
