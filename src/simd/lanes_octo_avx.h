// SPDX-License-Identifier: MIT
/// Sums of eight channels in two 256-bit registers, for AVX2 and AVX-512. See lanes.h.
#ifndef ZT_SIMD_LANES_OCTO_AVX_H
#define ZT_SIMD_LANES_OCTO_AVX_H

#define ZT_LANES_OCTO
#define ZT_ROWS      4
#define ZT_ROW_LANES (ZT_W / ZT_ROWS)

/// In each register, the sums of the left texels in the low half and of the right in the high half.
typedef struct octo {
    __m256i low, high; ///< channels 0..3, 4..7
} octo;
/// Four adjacent floats for each pixel of the row.
typedef struct octo_row {
    vf low, high;
} octo_row;

ZT_LANE_OP octo octo_bilinear(const int16_t *top, const int16_t *bottom, int32_t left,
                              int32_t right)
{
    __m256i t, b;
    memcpy(&t, top, sizeof t);
    memcpy(&b, bottom, sizeof b);
    const __m256i weights =
        _mm256_blend_epi32(_mm256_set1_epi32(left), _mm256_set1_epi32(right), 0xf0);
    return (octo){_mm256_madd_epi16(_mm256_unpacklo_epi16(t, b), weights),
                  _mm256_madd_epi16(_mm256_unpackhi_epi16(t, b), weights)};
}
ZT_LANE_OP octo octo_add(octo a, octo b)
{
    return (octo){_mm256_add_epi32(a.low, b.low), _mm256_add_epi32(a.high, b.high)};
}
ZT_LANE_OP void vf_from_octo_rows(const octo_row rows[ZT_ROWS], vf out[8])
{
    vf low[ZT_ROWS], high[ZT_ROWS];
    for (int k = 0; k < ZT_ROWS; k++) {
        low[k] = rows[k].low;
        high[k] = rows[k].high;
    }
    vf_transpose4(low, out);
    vf_transpose4(high, out + 4);
}

#endif
