// SPDX-License-Identifier: MIT
/// Rows of mip levels in U15: common to chains (mipmap.c) and interleaved ones.
#pragma once

#include "texture/mipmap.h"

#include <string.h>

enum { U15_PER_U8 = MIPMAP_U15_ONE / 255 };

/// The side of the next level.
int32_t mipmap_half(int32_t side);

/// The footprint of an output texel along one axis: `count` texels from `first`, with weights.
typedef struct mipmap_taps {
    int32_t first;
    int32_t count;      ///< 1 to 3
    uint32_t weight[3]; ///< sum = total
    uint32_t total;
} mipmap_taps;

/// The taps of texel `i` of half a side.
mipmap_taps mipmap_taps_of(int32_t side, int32_t i);
/// The row of the half that row `y` completes, or -1: the inverse of mipmap_taps_of().
int32_t mipmap_row_completed(int32_t height, int32_t y);

/// A row of the half: `rows` are the vertical->count rows that it covers, `width` texels of four
/// channels in U15 (0..32640). Fills mipmap_half(width) texels of `out`, each the area's average,
/// to nearest. `alpha_weighted`: transparent texels add no colour, unless all are transparent.
void mipmap_reduce_row(const uint16_t *const rows[3], const mipmap_taps *vertical, int32_t width,
                       bool alpha_weighted, uint16_t *out);

/// U15 of each encoded value of a colour: [256], or [65536] for pixels of 16 bits.
zt_result mipmap_colour_table(arena *a, const picture *source, const uint16_t **out, zt_error *err);
/// Row `y` of a level of the picture. `table`: of colours; NULL: plain numbers.
void mipmap_decode_row(const picture *p, const uint16_t *table, int32_t level, int32_t y,
                       int32_t width, uint16_t *out);

/// Four channels of 16 bits, the first lowest: kernels read them as little-endian machines do.
static inline uint64_t mipmap_load(const uint16_t *texel)
{
    uint64_t packed;
    memcpy(&packed, texel, sizeof packed);
    return packed;
}

static inline bool mipmap_is_color(mipmap_content content)
{
    return content == MIPMAP_COLOR || content == MIPMAP_TINT;
}
