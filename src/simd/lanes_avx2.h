// SPDX-License-Identifier: MIT
/// Eight lanes of AVX2. See lanes.h for the rules.
#pragma once

#include <immintrin.h>

#define ZT_W 8
#define ZT_LANES_GATHER
#include "simd/lanes_operators.h"
#include "simd/lanes_x86.h"

ZT_LANE_OP vi vi_load_u8(const uint8_t *p)
{
    int64_t eight;
    memcpy(&eight, p, sizeof eight);
    return (vi)_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(eight));
}

ZT_LANE_OP void vi_store_u8(uint8_t *p, vi x) ///< x in 0..255
{
    const __m128i low = _mm256_castsi256_si128((__m256i)x);
    const __m128i words = _mm_packs_epi32(low, _mm256_extracti128_si256((__m256i)x, 1));
    const int64_t eight = _mm_cvtsi128_si64(_mm_packus_epi16(words, words));
    memcpy(p, &eight, sizeof eight);
}

ZT_LANE_OP unsigned vm_bits(vm a) { return (unsigned)_mm256_movemask_ps((__m256)a); }
ZT_LANE_OP bool vm_any(vm a) { return vm_bits(a) != 0; }
ZT_LANE_OP bool vm_all(vm a) { return vm_bits(a) == 255; }

ZT_LANE_OP vf vf_sel(vm m, vf a, vf b)
{
    return (vf)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
ZT_LANE_OP vi vi_sel(vm m, vi a, vi b)
{
    return (vi)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m);
}
ZT_LANE_OP vf vf_min(vf a, vf b) { return (vf)_mm256_min_ps((__m256)a, (__m256)b); }
ZT_LANE_OP vf vf_max(vf a, vf b) { return (vf)_mm256_max_ps((__m256)a, (__m256)b); }
ZT_LANE_OP vi vi_min(vi a, vi b) { return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b); }
ZT_LANE_OP vi vi_max(vi a, vi b) { return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b); }
ZT_LANE_OP vi vi_min_unsigned(vi a, vi b) { return (vi)_mm256_min_epu32((__m256i)a, (__m256i)b); }
ZT_LANE_OP vf vf_sqrt(vf x) { return (vf)_mm256_sqrt_ps((__m256)x); }
// The instruction keeps the sign of a zero; adding 0 makes it +0.
#define ZT_LANES_FLOOR
ZT_LANE_OP vf vf_floor(vf x) { return (vf)_mm256_floor_ps((__m256)x) + vf_set1(0.0f); }
ZT_LANE_OP vi vi_from_vf(vf x) { return (vi)_mm256_cvttps_epi32((__m256)x); }
ZT_LANE_OP vf vf_from_vi(vi x) { return (vf)_mm256_cvtepi32_ps((__m256i)x); }
ZT_LANE_OP vi vi_mul(vi a, vi b) { return (vi)_mm256_mullo_epi32((__m256i)a, (__m256i)b); }

ZT_LANE_OP vi vi_shru_each(vi x, vi n) { return (vi)((vu)x >> (vu)n); }
ZT_LANE_OP vi vi_madd16(vi a, vi b) { return (vi)_mm256_madd_epi16((__m256i)a, (__m256i)b); }

// Load, blend, store: the masked store instruction is microcoded on some processors.
ZT_LANE_OP void vf_store_mask(float *p, vm m, vf x) { vf_store(p, vf_sel(m, x, vf_load(p))); }
ZT_LANE_OP void vi_store_mask(int32_t *p, vm m, vi x) { vi_store(p, vi_sel(m, x, vi_load(p))); }

ZT_LANE_OP void vf_from_qf4(const qf q[ZT_W], vf out[4])
{
    vf rows[4];
    for (int k = 0; k < 4; k++)
        rows[k] =
            (vf)_mm256_insertf128_ps(_mm256_castps128_ps256((__m128)q[k]), (__m128)q[4 + k], 1);
    vf_transpose4(rows, out);
}
ZT_LANE_OP void vf_to_qf4(const vf in[4], qf q[ZT_W])
{
    vf rows[4];
    vf_transpose4(in, rows);
    for (int k = 0; k < 4; k++) {
        q[k] = (qf)_mm256_castps256_ps128((__m256)rows[k]);
        q[4 + k] = (qf)_mm256_extractf128_ps((__m256)rows[k], 1);
    }
}

// ---- Groups of two four-vectors; see lanes_fours.h ----------------------------------------------

#define ZT_Q       2
#define ZT_Q_AHEAD true

typedef vf wf;
typedef struct wm {
    vf c01, c23; ///< columns 0 and 1, 2 and 3
} wm;

ZT_LANE_OP wf wf_load(const float *p) { return vf_load(p); }
ZT_LANE_OP void wf_store(float *p, wf x) { vf_store(p, x); }
ZT_LANE_OP wf wf_add(wf a, wf b) { return a + b; }
ZT_LANE_OP wf wf_mul(wf a, wf b) { return a * b; }
ZT_LANE_OP wf wf_add_xyz(wf a, wf b, wf keep)
{
    return (wf)_mm256_blend_ps((__m256)(a + b), (__m256)keep, 0x88);
}
ZT_LANE_OP wf wf_spread_x(wf v) { return (wf)_mm256_permute_ps((__m256)v, 0x00); }
ZT_LANE_OP wf wf_spread_y(wf v) { return (wf)_mm256_permute_ps((__m256)v, 0x55); }
ZT_LANE_OP wf wf_spread_z(wf v) { return (wf)_mm256_permute_ps((__m256)v, 0xaa); }
ZT_LANE_OP wf wf_spread_w(wf v) { return (wf)_mm256_permute_ps((__m256)v, 0xff); }
ZT_LANE_OP wf wf_repeat(const float *p)
{
    return (wf)_mm256_broadcast_ps((const __m128 *)(const void *)p);
}

// Pairs (a, b) and (c, d) are stored as [a d] and [b c]: blends separate them, without moves across
// halves, which can use only one of the two ports that multiply.
ZT_LANE_OP void wf_load_pairs(const float *p, wf out[2])
{
    out[0] = (wf)_mm256_blend_ps((__m256)vf_load(p), (__m256)vf_load(p + 8), 0xf0);
    out[1] = vf_load(p + 4);
}
ZT_LANE_OP void wf_store_pairs(float *p, const wf pairs[2])
{
    _mm_storeu_ps(p, _mm256_castps256_ps128((__m256)pairs[0]));
    vf_store(p + 4, pairs[1]);
    _mm_storeu_ps(p + 12, _mm256_extractf128_ps((__m256)pairs[0], 1));
}
ZT_LANE_OP wf wf_pairs_first(const wf pairs[2]) { return pairs[0]; }
// Mixed pairs are stored as [a c] and [b d].
ZT_LANE_OP void wf_pairs_mix(const wf a[2], const wf b[2], wf out[2])
{
    out[0] = a[0];
    out[1] = b[1];
}
ZT_LANE_OP void wf_load_mixed(const float *p, wf out[2])
{
    const __m256 inner = (__m256)vf_load(p + 4);
    out[0] = (wf)_mm256_blend_ps((__m256)vf_load(p), inner, 0xf0);
    out[1] = (wf)_mm256_blend_ps(inner, (__m256)vf_load(p + 8), 0xf0);
}
ZT_LANE_OP void wf_store_mixed(float *p, const wf mixed[2])
{
    const __m256 a = (__m256)mixed[0], b = (__m256)mixed[1];
    const wf pairs[2] = {(wf)_mm256_blend_ps(a, b, 0xf0), (wf)_mm256_blend_ps(b, a, 0xf0)};
    wf_store_pairs(p, pairs);
}

ZT_LANE_OP wm wm_load(const float *p) { return (wm){vf_load(p), vf_load(p + 8)}; }
ZT_LANE_OP wm wm_add(wm a, wm b) { return (wm){a.c01 + b.c01, a.c23 + b.c23}; }
ZT_LANE_OP wm wm_scale(wm a, float s)
{
    const vf w = vf_set1(s);
    return (wm){a.c01 * w, a.c23 * w};
}
ZT_LANE_OP void wm_pairs(const wm m[ZT_Q], int column, wf out[2])
{
    const __m256 a = (__m256)(column < 2 ? m[0].c01 : m[0].c23);
    const __m256 b = (__m256)(column < 2 ? m[1].c01 : m[1].c23);
    out[0] = out[1] =
        (wf)(column & 1 ? _mm256_permute2f128_ps(a, b, 0x31) : _mm256_permute2f128_ps(a, b, 0x20));
}

ZT_LANE_OP vi vi_gather(const int32_t *base, vi index)
{
    return (vi)_mm256_i32gather_epi32(base, (__m256i)index, 4);
}
ZT_LANE_OP vf vf_gather(const float *base, vi index)
{
    return (vf)_mm256_i32gather_ps(base, (__m256i)index, 4);
}

/// A table of ZT_W elements fits a register.
#define ZT_LANES_LOOKUP
ZT_LANE_OP vf vf_lookup(const float table[ZT_W], vi index)
{
    return (vf)_mm256_permutevar8x32_ps((__m256)vf_load(table), (__m256i)index);
}
ZT_LANE_OP vi vi_lookup16(const int32_t table[16], vi index)
{
    const __m256i low = _mm256_permutevar8x32_epi32((__m256i)vi_load(table), (__m256i)index);
    const __m256i high = _mm256_permutevar8x32_epi32((__m256i)vi_load(table + 8), (__m256i)index);
    return vi_sel(index > vi_set1(7), (vi)high, (vi)low);
}

/// For each byte the numbers of its set bits, in ascending order, four bits each.
static const uint32_t lanes_set_bits[256] = {
#define LANE_BEFORE(m, i)                                                                          \
    (((m)&1u) * ((i) > 0) + ((m) >> 1 & 1u) * ((i) > 1) + ((m) >> 2 & 1u) * ((i) > 2) +            \
     ((m) >> 3 & 1u) * ((i) > 3) + ((m) >> 4 & 1u) * ((i) > 4) + ((m) >> 5 & 1u) * ((i) > 5) +     \
     ((m) >> 6 & 1u) * ((i) > 6))
#define LANE_SET_BIT(m, i) (((m) >> (i)&1u) * (i##u) << 4 * LANE_BEFORE(m, i))
#define LANE_SET_BITS(m)                                                                           \
    (LANE_SET_BIT(m, 1) | LANE_SET_BIT(m, 2) | LANE_SET_BIT(m, 3) | LANE_SET_BIT(m, 4) |           \
     LANE_SET_BIT(m, 5) | LANE_SET_BIT(m, 6) | LANE_SET_BIT(m, 7))
#define LANE_SET_BITS_4(m)                                                                         \
    LANE_SET_BITS(m), LANE_SET_BITS(m + 1u), LANE_SET_BITS(m + 2u), LANE_SET_BITS(m + 3u)
#define LANE_SET_BITS_16(m)                                                                        \
    LANE_SET_BITS_4(m), LANE_SET_BITS_4(m + 4u), LANE_SET_BITS_4(m + 8u), LANE_SET_BITS_4(m + 12u)
#define LANE_SET_BITS_64(m)                                                                        \
    LANE_SET_BITS_16(m), LANE_SET_BITS_16(m + 16u), LANE_SET_BITS_16(m + 32u),                     \
        LANE_SET_BITS_16(m + 48u)
    LANE_SET_BITS_64(0u), LANE_SET_BITS_64(64u), LANE_SET_BITS_64(128u), LANE_SET_BITS_64(192u)};

#define ZT_LANES_PACK
ZT_LANE_OP vi vi_pack(vi x, unsigned bits)
{
    // The permutation uses only the low three bits of each lane.
    const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    const __m256i from =
        _mm256_srlv_epi32(_mm256_set1_epi32((int32_t)lanes_set_bits[bits]), shifts);
    return (vi)_mm256_permutevar8x32_epi32((__m256i)x, from);
}

#define ZT_LANES_PAIRS
ZT_LANE_OP void vf_mix_pairs(const void *from, const uint32_t top[ZT_W],
                             const uint32_t bottom[ZT_W], vf t, vf left[4], vf right[4])
{
    float weight[ZT_W];
    __m256 mixed[ZT_W];
    vf first[4], second[4]; // half j of row k is of lane 4 j + k
    _mm256_storeu_ps(weight, (__m256)t);
    for (int i = 0; i < ZT_W; i++) {
        const __m256 a = _mm256_loadu_ps(floats_at(from, top[i]));
        const __m256 b = _mm256_loadu_ps(floats_at(from, bottom[i]));
        mixed[i] = a + (b - a) * _mm256_broadcast_ss(&weight[i]);
    }
    for (int k = 0; k < 4; k++) {
        first[k] = (vf)_mm256_permute2f128_ps(mixed[k], mixed[4 + k], 0x20);
        second[k] = (vf)_mm256_permute2f128_ps(mixed[k], mixed[4 + k], 0x31);
    }
    vf_transpose4(first, left);
    vf_transpose4(second, right);
}
