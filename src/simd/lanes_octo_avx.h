// SPDX-License-Identifier: MIT
/// Eight floats in one 256-bit register, for AVX2 and AVX-512. See lanes.h.
#ifndef ZT_SIMD_LANES_OCTO_AVX_H
#define ZT_SIMD_LANES_OCTO_AVX_H

#define ZT_LANES_OCTO
typedef float of __attribute__((vector_size(32)));

/// The words (t0 c0..c7 | t1 c0..c7) as pairs (t0 c, t1 c), multiplied and added: pmaddwd.
ZT_LANE_OP of of_filter(const int16_t *two_texels, int32_t weights)
{
    __m256i t;
    memcpy(&t, two_texels, sizeof t);
#ifdef __AVX512BW__
    const __m256i order = _mm256_set_epi16(15, 7, 14, 6, 13, 5, 12, 4, 11, 3, 10, 2, 9, 1, 8, 0);
    const __m256i pairs = _mm256_permutexvar_epi16(order, t);
#else
    const __m256i order = _mm256_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15, 0,
                                           1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15);
    const __m256i crossed = _mm256_permute4x64_epi64(t, _MM_SHUFFLE(3, 1, 2, 0));
    const __m256i pairs = _mm256_shuffle_epi8(crossed, order);
#endif
    return (of)_mm256_cvtepi32_ps(_mm256_madd_epi16(pairs, _mm256_set1_epi32(weights)));
}
ZT_LANE_OP of of_mix(of a, of b, float t)
{
    return a + (b - a) * (of)_mm256_set1_ps(t);
}

#endif
