// SPDX-License-Identifier: MIT
/// Sums of eight channels with AVX2. See lanes.h.
#pragma once

#define ZT_ROWS      4
#define ZT_ROW_LANES 2

/// [0]: lane k, [1]: 4 + k; sums of left texels in the low half, of right ones in the high.
typedef struct octo_sums {
    __m256i low[2], high[2]; ///< channels 0..3, 4..7
} octo_sums;

ZT_LANE_OP octo_sums octo_sums_at(const octo_places *p, int k)
{
    octo_sums sums;
    for (int i = 0; i < ZT_ROW_LANES; i++) {
        const int lane = i * ZT_ROWS + k;
        __m256i top, bottom;
        memcpy(&top, p->texels + p->top[lane], sizeof top);
        memcpy(&bottom, p->texels + p->bottom[lane], sizeof bottom);
        const __m256i weights = _mm256_blend_epi32(_mm256_set1_epi32(p->left[lane]),
                                                   _mm256_set1_epi32(p->right[lane]), 0xf0);
        sums.low[i] = _mm256_madd_epi16(_mm256_unpacklo_epi16(top, bottom), weights);
        sums.high[i] = _mm256_madd_epi16(_mm256_unpackhi_epi16(top, bottom), weights);
    }
    return sums;
}
ZT_LANE_OP octo_sums octo_sums_add(octo_sums a, octo_sums b)
{
    for (int i = 0; i < ZT_ROW_LANES; i++) {
        a.low[i] = _mm256_add_epi32(a.low[i], b.low[i]);
        a.high[i] = _mm256_add_epi32(a.high[i], b.high[i]);
    }
    return a;
}
/// Adds the halves of a, and those of b.
ZT_LANE_OP vf octo_halves(__m256i a, __m256i b)
{
    const __m256i outer = _mm256_blend_epi32(a, b, 0xf0);
    const __m256i inner = _mm256_permute2x128_si256(a, b, 0x21);
    return (vf)_mm256_cvtepi32_ps(_mm256_add_epi32(outer, inner));
}
ZT_LANE_OP octo_row octo_row_of(octo_sums sums)
{
    return (octo_row){octo_halves(sums.low[0], sums.low[1]),
                      octo_halves(sums.high[0], sums.high[1])};
}
