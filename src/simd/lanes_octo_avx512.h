// SPDX-License-Identifier: MIT
/// Sums of eight channels with AVX-512: two lanes in a register. See lanes.h.
#pragma once

#define ZT_ROWS      4
#define ZT_ROW_LANES 4

/// [0]: lanes k, 8 + k; [1]: 4 + k, 12 + k; two quarters each: left texels' sums, right ones'.
typedef struct octo_sums {
    __m512i low[2], high[2]; ///< channels 0..3, 4..7
} octo_sums;

/// 32 bytes at a in the low half, and those at b.
ZT_LANE_OP __m512i octo_load(const uint8_t *a, const uint8_t *b)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(_mm256_loadu_si256((const __m256i_u *)a)),
                              _mm256_loadu_si256((const __m256i_u *)b), 1);
}
ZT_LANE_OP octo_sums octo_sums_at(const octo_places *p, int k)
{
    const __m512i left = (__m512i)vi_load(p->left), right = (__m512i)vi_load(p->right);
    const vi first = {0, 0, 0, 0, 16, 16, 16, 16, 8, 8, 8, 8, 24, 24, 24, 24};
    octo_sums sums;
    for (int i = 0; i < 2; i++) {
        const int lane = 4 * i + k;
        const __m512i of = (__m512i)(first + vi_set1(lane));
        const __m512i weights = _mm512_permutex2var_epi32(left, of, right);
        const __m512i top = octo_load(p->texels + p->top[lane], p->texels + p->top[lane + 8]);
        const __m512i bottom =
            octo_load(p->texels + p->bottom[lane], p->texels + p->bottom[lane + 8]);
        sums.low[i] = _mm512_madd_epi16(_mm512_unpacklo_epi16(top, bottom), weights);
        sums.high[i] = _mm512_madd_epi16(_mm512_unpackhi_epi16(top, bottom), weights);
    }
    return sums;
}
ZT_LANE_OP octo_sums octo_sums_add(octo_sums a, octo_sums b)
{
    for (int i = 0; i < 2; i++) {
        a.low[i] = (__m512i)((vi)a.low[i] + (vi)b.low[i]);
        a.high[i] = (__m512i)((vi)a.high[i] + (vi)b.high[i]);
    }
    return a;
}
/// Adds the quarters of each lane: lanes k, 4 + k, 8 + k, 12 + k.
ZT_LANE_OP vf octo_quarters(__m512i a, __m512i b)
{
    const vi swapped = {4, 5, 6, 7, 16, 17, 18, 19, 12, 13, 14, 15, 24, 25, 26, 27};
    const __m512i outer = _mm512_mask_blend_epi32(0xf0f0, a, b);
    const __m512i inner = _mm512_permutex2var_epi32(a, (__m512i)swapped, b);
    return vf_from_vi((vi)outer + (vi)inner);
}
ZT_LANE_OP octo_row octo_row_of(octo_sums sums)
{
    return (octo_row){octo_quarters(sums.low[0], sums.low[1]),
                      octo_quarters(sums.high[0], sums.high[1])};
}
