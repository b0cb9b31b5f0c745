// SPDX-License-Identifier: MIT
/// Exact box reduction of a picture to half its size, the step between two mip levels.
#ifndef ZT_IMAGE_MIPMAP_BOX_H
#define ZT_IMAGE_MIPMAP_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Four channels in U15 (0..32640), tightly packed, row 0 on top.
typedef struct mipmap_plane {
    uint16_t *texels;
    int32_t width, height;
} mipmap_plane;

static inline int32_t mipmap_half(int32_t side)
{
    return side > 1 ? side / 2 : 1;
}

/// Fills `out`, which is mipmap_half() of `in` on both sides. Every output texel is the average of
/// `in` over the area that it covers, rounded to nearest. With `alpha_weighted` colour is weighted
/// by alpha, so that transparent texels lend no colour; where all are transparent it is not.
void mipmap_reduce(const mipmap_plane *in, bool alpha_weighted, mipmap_plane *out);

#endif
