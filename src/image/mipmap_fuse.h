// SPDX-License-Identifier: MIT
/// Mip chains of one size interleaved, so that one fetch brings base colour, metal-rough and normal
/// together. The values are those of the chains, exactly.
#ifndef ZT_IMAGE_MIPMAP_FUSE_H
#define ZT_IMAGE_MIPMAP_FUSE_H

#include "image/mipmap.h"

enum { MIPMAP_FUSED_CHANNELS = 8 };

/// Texels of 8 x int16_t in units of 1 / MIPMAP_U15_ONE: base r, g, b, roughness, normal x, y, z
/// (signed), metalness. Rows and columns are padded like those of the chains; all levels lie in one
/// block, level i from texel first[i] on.
typedef struct mipmap_fused {
    const int16_t *texels;
    int32_t first[MIPMAP_LEVELS + 1]; ///< entries past the last level repeat its own
} mipmap_fused;

/// True when the chains have the same levels and wrap the same way, and are small enough to be
/// interleaved: below 2^31 bytes.
bool mipmap_fits(const mipmap *a, const mipmap *b);

/// Interleaves chains that fit each other: `base` MIPMAP_COLOR, `metal_rough` MIPMAP_LINEAR,
/// `normal` MIPMAP_NORMAL; any may be NULL, then its channels are zeros, but not all.
zt_result mipmap_fuse(arena *a, const mipmap *base, const mipmap *metal_rough, const mipmap *normal,
                      mipmap_fused *out, zt_error *err);

#endif
