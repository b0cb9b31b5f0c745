// SPDX-License-Identifier: MIT
/// The 128-bit part of the three x86 headers: SSE2 intrinsics only.
#pragma once

ZT_LANE_OP qf qf_from_qi(qi x) { return (qf)_mm_cvtepi32_ps((__m128i)x); }

ZT_LANE_OP qi qi_dot_i16(const int16_t *a, const int16_t *b, int32_t weights)
{
    int64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    const __m128i pairs = _mm_unpacklo_epi16(_mm_cvtsi64_si128(x), _mm_cvtsi64_si128(y));
    return (qi)_mm_madd_epi16(pairs, _mm_set1_epi32(weights));
}
ZT_LANE_OP qi qi_dot_u8(const uint8_t *a, const uint8_t *b, int32_t weights)
{
    int32_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    const __m128i bytes = _mm_unpacklo_epi8(_mm_cvtsi32_si128(x), _mm_cvtsi32_si128(y));
    const __m128i pairs = _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
    return (qi)_mm_madd_epi16(pairs, _mm_set1_epi32(weights));
}
