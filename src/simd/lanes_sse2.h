// SPDX-License-Identifier: MIT
/// Four lanes of SSE2, the x86-64 baseline. See lanes.h for the rules.
#pragma once

#include <emmintrin.h>

#define ZT_W 4
#include "simd/lanes_operators.h"
#include "simd/lanes_x86.h"

ZT_LANE_OP vi vi_load_u8(const uint8_t *p)
{
    int32_t four;
    memcpy(&four, p, sizeof four);
    const __m128i zero = _mm_setzero_si128();
    const __m128i wide = _mm_unpacklo_epi8(_mm_cvtsi32_si128(four), zero);
    return (vi)_mm_unpacklo_epi16(wide, zero);
}

ZT_LANE_OP void vi_store_u8(uint8_t *p, vi x) ///< x in 0..255
{
    const __m128i words = _mm_packs_epi32((__m128i)x, (__m128i)x);
    const int32_t four = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(p, &four, sizeof four);
}

ZT_LANE_OP unsigned vm_bits(vm a) { return (unsigned)_mm_movemask_ps((__m128)a); }
ZT_LANE_OP bool vm_any(vm a) { return vm_bits(a) != 0; }
ZT_LANE_OP bool vm_all(vm a) { return vm_bits(a) == 15; }

ZT_LANE_OP vi vi_sel(vm m, vi a, vi b) { return (m & a) | (~m & b); }
ZT_LANE_OP vf vf_sel(vm m, vf a, vf b) { return (vf)vi_sel(m, (vi)a, (vi)b); }
ZT_LANE_OP vf vf_min(vf a, vf b) { return (vf)_mm_min_ps((__m128)a, (__m128)b); }
ZT_LANE_OP vf vf_max(vf a, vf b) { return (vf)_mm_max_ps((__m128)a, (__m128)b); }
ZT_LANE_OP vi vi_min(vi a, vi b) { return vi_sel(a < b, a, b); }
ZT_LANE_OP vi vi_max(vi a, vi b) { return vi_sel(a > b, a, b); }
ZT_LANE_OP vi vi_min_unsigned(vi a, vi b)
{
    const vi sign = vi_set1(INT32_MIN);
    return vi_sel((a ^ sign) < (b ^ sign), a, b);
}
ZT_LANE_OP vf vf_sqrt(vf x) { return (vf)_mm_sqrt_ps((__m128)x); }
ZT_LANE_OP vi vi_from_vf(vf x) { return (vi)_mm_cvttps_epi32((__m128)x); }
ZT_LANE_OP vf vf_from_vi(vi x) { return (vf)_mm_cvtepi32_ps((__m128i)x); }

/// Two widening multiplications, even and odd lanes; the low halves do not depend on the signs.
ZT_LANE_OP vi vi_mul(vi a, vi b)
{
    const __m128i even = _mm_mul_epu32((__m128i)a, (__m128i)b);
    const __m128i odd =
        _mm_mul_epu32(_mm_srli_epi64((__m128i)a, 32), _mm_srli_epi64((__m128i)b, 32));
    return (vi)_mm_unpacklo_epi32(_mm_shuffle_epi32(even, _MM_SHUFFLE(0, 0, 2, 0)),
                                  _mm_shuffle_epi32(odd, _MM_SHUFFLE(0, 0, 2, 0)));
}

// A product with 2^-n, which is exact, truncated.
ZT_LANE_OP vi vi_shru_each(vi x, vi n)
{
    const __m128i power = _mm_slli_epi32((__m128i)(vi_set1(127) - n), 23);
    return (vi)_mm_cvttps_epi32(_mm_mul_ps(_mm_cvtepi32_ps((__m128i)x), _mm_castsi128_ps(power)));
}

ZT_LANE_OP vi vi_madd16(vi a, vi b) { return (vi)_mm_madd_epi16((__m128i)a, (__m128i)b); }

ZT_LANE_OP void vf_store_mask(float *p, vm m, vf x) { vf_store(p, vf_sel(m, x, vf_load(p))); }
ZT_LANE_OP void vi_store_mask(int32_t *p, vm m, vi x) { vi_store(p, vi_sel(m, x, vi_load(p))); }

#include "simd/lanes_fours.h"
