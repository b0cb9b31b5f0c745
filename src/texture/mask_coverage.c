// SPDX-License-Identifier: MIT
/// Mip levels of masks that let as much through as the picture does.
#include "base/maths.h"
#include "texture/mipmap.h"

#include <string.h>

enum {
    SHIFT = 5, ///< U15 to a bin of the histogram of a level
    BINS = (MIPMAP_U15_ONE >> SHIFT) + 1
};

static void count_alphas(const mipmap_level *l, uint32_t bins[BINS])
{
    const uint16_t *texels = l->texels;
    memset(bins, 0, BINS * sizeof *bins);
    for (int32_t y = 0; y < l->height; y++)
        for (int32_t x = 0; x < l->width; x++)
            bins[texels[4 * ((size_t)y * (size_t)l->stride + (size_t)x) + 3] >> SHIFT]++;
}

/// The share of the counts that passes when alphas are divided by `full`.
static double passing(const uint32_t bins[BINS], double full, double cutoff, double spread)
{
    const double least = cutoff * (1.0 - spread);
    double sum = 0.0, total = 0.0;
    for (int32_t i = 0; i < BINS; i++) {
        const double alpha = (i + 0.5) / (BINS - 1) / full;
        sum += bins[i] * maths_clamp((alpha - least) / spread, 0.0, 1.0);
        total += bins[i];
    }
    return sum / total;
}

/// The alpha that becomes 1.
static double full_alpha(const uint32_t bins[BINS], double share, double cutoff, double spread)
{
    double low = 1.0 / MIPMAP_U15_ONE, high = 4.0; // less and less passes from low to high
    for (int32_t i = 0; i < 20; i++) {
        const double middle = 0.5 * (low + high);
        *(passing(bins, middle, cutoff, spread) >= share ? &low : &high) = middle;
    }
    return low;
}

static void scale_level(const mipmap_level *l, double full)
{
    uint16_t *texels = (uint16_t *)(uintptr_t)l->texels; // that are being made
    for (size_t i = 0; i < (size_t)l->stride * ((size_t)l->height + 1); i++) {
        const double scaled = texels[4 * i + 3] / full + 0.5;
        texels[4 * i + 3] = (uint16_t)(scaled < MIPMAP_U15_ONE ? scaled : MIPMAP_U15_ONE);
    }
}

/// Levels between the picture of a mask and a level.
static double levels_to(const mipmap *m, const mipmap_level *l)
{
    double all = 0.0, texels = (double)l->width * (double)l->height, levels = 0.0;
    if (m->alpha_count)
        for (uint32_t i = 0; i < MIPMAP_ALPHAS; i++)
            all += m->alpha_count[i];
    for (; texels * 1.5 < all; texels *= 4.0)
        levels += 1.0;
    return levels;
}

float mipmap_skipped(const mipmap *m) { return (float)levels_to(m, &m->level[0]); }

void mipmap_keep_coverage(mipmap *m, float cutoff)
{
    double all = 0.0, passed = 0.0;
    if (!m->alpha_count || !m->has_alpha || !(cutoff > 0.0f) || !(cutoff <= 1.0f))
        return;
    m->mask_cutoff = cutoff;
    const uint32_t threshold = (uint32_t)(cutoff * (float)MIPMAP_U15_ONE + 0.5f);
    for (uint32_t i = 0; i < MIPMAP_ALPHAS; i++) {
        all += m->alpha_count[i];
        passed += i * (MIPMAP_U15_ONE / 255) >= threshold ? m->alpha_count[i] : 0;
    }
    if (!(passed > 0.0))
        return;
    for (int32_t i = 0; i < m->level_count; i++) {
        const mipmap_level *l = &m->level[i];
        const double level = levels_to(m, l);
        uint32_t bins[BINS];
        if (level == 0.0 || !l->texels)
            continue; // the picture itself
        count_alphas(l, bins);
        scale_level(l, full_alpha(bins, passed / all, (double)cutoff,
                                  (double)mipmap_mask_spread((float)level)));
    }
}
