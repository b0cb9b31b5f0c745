// SPDX-License-Identifier: MIT
/// Exact box reduction of a picture to half its size, the step between two mip levels, a row at a
/// time.
#ifndef ZT_IMAGE_MIPMAP_BOX_H
#define ZT_IMAGE_MIPMAP_BOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int32_t mipmap_half(int32_t side)
{
    return side > 1 ? side / 2 : 1;
}

/// What an output texel covers along one axis: `count` texels from `first`, with weights.
typedef struct mipmap_taps {
    int32_t first;
    int32_t count;      ///< 1 to 3
    uint32_t weight[3]; ///< sum = total
    uint32_t total;
} mipmap_taps;

/// The taps of texel `i` of mipmap_half(side).
mipmap_taps mipmap_taps_of(int32_t side, int32_t i);

/// One row of the half: `rows` are the vertical->count rows that it covers, `width` texels of four
/// channels in U15 (0..32640). Fills mipmap_half(width) texels of `out`, each the average over the
/// area that it covers, rounded to nearest. With `alpha_weighted` colour is weighted by alpha, so
/// that transparent texels lend no colour; where all are transparent it is not.
void mipmap_reduce_row(const uint16_t *const rows[3], const mipmap_taps *vertical, int32_t width,
                       bool alpha_weighted, uint16_t *out);

#endif
