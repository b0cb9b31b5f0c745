// SPDX-License-Identifier: MIT
/// The 128-bit part of the three x86 headers: SSE2 intrinsics only.
#ifndef ZT_SIMD_LANES_X86_H
#define ZT_SIMD_LANES_X86_H

ZT_LANE_OP qf qf_from_qi(qi x)
{
    return (qf)_mm_cvtepi32_ps((__m128i)x);
}

/// Pairs (t[c], t[4 + c]) times (256 - f, f), added: pmaddwd. Signed 16 bits hold 32640 and 256.
ZT_LANE_OP qi qi_filter_pairs(__m128i two_texels, int32_t f)
{
    const __m128i pairs = _mm_unpacklo_epi16(two_texels, _mm_srli_si128(two_texels, 8));
    return (qi)_mm_madd_epi16(pairs, _mm_set1_epi32((f << 16) | (256 - f)));
}
ZT_LANE_OP qi qi_filter_u16(const uint16_t *two_texels, int32_t f)
{
    __m128i t;
    memcpy(&t, two_texels, sizeof t);
    return qi_filter_pairs(t, f);
}
ZT_LANE_OP qi qi_filter_u8(const uint8_t *two_texels, int32_t f)
{
    int64_t t;
    memcpy(&t, two_texels, sizeof t);
    return qi_filter_pairs(_mm_unpacklo_epi8(_mm_cvtsi64_si128(t), _mm_setzero_si128()), f);
}
ZT_LANE_OP qi qi_filter_i16(const int16_t *t0, const int16_t *t1, int32_t weights)
{
    int64_t a, b;
    memcpy(&a, t0, sizeof a);
    memcpy(&b, t1, sizeof b);
    const __m128i pairs = _mm_unpacklo_epi16(_mm_cvtsi64_si128(a), _mm_cvtsi64_si128(b));
    return (qi)_mm_madd_epi16(pairs, _mm_set1_epi32(weights));
}

#endif
