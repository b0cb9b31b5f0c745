// SPDX-License-Identifier: MIT
/// Textures as the sampler reads them: a mip chain whose texels can be filtered in linear light
/// with integer weights.
///
/// Each level is row-major, with one extra column and one extra row that repeat the texels that
/// wrapping would fetch (the first ones for repeat, the last ones otherwise), so that the right and
/// lower neighbours of a texel always follow it in memory.
///   MIPMAP_U8:  4 x uint8_t  per texel, value = texel / 255 (linear data: normals, roughness...)
///   MIPMAP_U15: 4 x uint16_t per texel, value = texel / 32640 (128 x 255, so that 8-bit data is
///               exact): colour decoded from sRGB to linear light, alpha linear.
/// 15 bits, because the kernel multiplies them by 8-bit weights with a signed 16-bit multiply-add.
#pragma once

#include "base/jobs.h"
#include "image/picture.h"

enum { MIPMAP_LEVELS = 15, MIPMAP_U15_ONE = 32640, MIPMAP_ALPHAS = 256 };

typedef enum mipmap_format { MIPMAP_U8, MIPMAP_U15 } mipmap_format;
typedef enum mipmap_wrap { MIPMAP_REPEAT, MIPMAP_CLAMP, MIPMAP_MIRROR } mipmap_wrap;
/// The meaning of the data, which decides how texels are decoded and averaged.
typedef enum mipmap_content {
    MIPMAP_COLOR,  ///< sRGB colour with linear alpha: U15, averaged in linear light
    MIPMAP_TINT,   ///< the same, but alpha is a number that is independent of the colour
    MIPMAP_LINEAR, ///< plain numbers: U8
    MIPMAP_NORMAL, ///< unit vectors as v * 2 / 255 - 1: U8; averaged as vectors, not renormalised
} mipmap_content;

typedef struct mipmap_level {
    const void *texels;    ///< NULL: only measured
    int32_t width, height; ///< without the extra column and row
    int32_t stride;        ///< texels per row: width + 1
} mipmap_level;

typedef struct mipmap {
    mipmap_format format;
    mipmap_wrap wrap_u, wrap_v;
    bool has_alpha; ///< of MIPMAP_COLOR: alpha is not 1 everywhere
    /// The pixels of the picture by alpha / 128; NULL: it has no alpha.
    uint32_t *alpha_count; ///< [MIPMAP_ALPHAS]
    float mask_cutoff;     ///< mipmap_keep_coverage() got it; 0: no mask
    int32_t level_count;
    mipmap_level level[MIPMAP_LEVELS];
} mipmap;

/// The result that mipmap_build() would fill, but for the texels of the levels and has_alpha.
void mipmap_measure(const picture *source, mipmap_content content, mipmap_wrap wrap_u,
                    mipmap_wrap wrap_v, bool all_levels, mipmap *out);

/// Builds the chain down to 1x1, or level 0 alone unless `all_levels`. Levels of the picture are
/// used; others are exact box averages (2x2, three taps for odd sizes). With `all_levels` the first
/// source->skip levels are left out. Allocates from `a`; ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result mipmap_build(arena *a, const picture *source, mipmap_content content, mipmap_wrap wrap_u,
                       mipmap_wrap wrap_v, bool all_levels, mipmap *out, zt_error *err);

/// The same on the threads of `pool`, where that pays; NULL: none.
zt_result mipmap_build_shared(job_pool *pool, arena *a, const picture *source,
                              mipmap_content content, mipmap_wrap wrap_u, mipmap_wrap wrap_v,
                              bool all_levels, mipmap *out, zt_error *err);

/// Samples of a mask that is minified by `level` levels pass a test against cutoff + (u - cutoff) *
/// the spread, with u even from 0 to 1: one cutoff for means of small holes would be below or above
/// all of them. Edges of large holes stay sharp where little is minified.
static inline float mipmap_mask_spread(float level)
{
    return level < 1.75f ? level * (1.0f / 1.75f) : 1.0f;
}

/// Scales the alphas of each level so that as large a share passes this test as of the picture
/// passes one against `cutoff` (0 to 1). For masks (after Castano, "Computing alpha mipmaps", 2010,
/// who tests against one cutoff).
void mipmap_keep_coverage(mipmap *m, float cutoff);

/// Levels between the picture of a mask and level 0; 0 for other textures.
float mipmap_skipped(const mipmap *m);

/// By how much the vectors of a normal map are too short: the mean of 1 - |n|^2 above 0, over at
/// most 64 x 64 pixels of level 0. 0 with two channels, whose vectors have no length.
float mipmap_shortness(const picture *normals);
