// SPDX-License-Identifier: MIT
/// Sixteen lanes of AVX-512 (F, BW, DQ, VL). Masks stay in mask registers. See lanes.h.
#pragma once

#include <immintrin.h>

#define ZT_W 16
#define ZT_LANES_GATHER
#include "simd/lanes_operators.h"
#include "simd/lanes_x86.h"

typedef __mmask16 vm;

ZT_LANE_OP vi vi_load_u8(const uint8_t *p)
{
    __m128i bytes;
    memcpy(&bytes, p, sizeof bytes);
    return (vi)_mm512_cvtepu8_epi32(bytes);
}

ZT_LANE_OP void vi_store_u8(uint8_t *p, vi x) ///< x in 0..255
{
    const __m128i bytes = _mm512_cvtepi32_epi8((__m512i)x);
    memcpy(p, &bytes, sizeof bytes);
}

ZT_LANE_OP vm vf_lt(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ); }
ZT_LANE_OP vm vf_le(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ); }
ZT_LANE_OP vm vf_gt(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GT_OQ); }
ZT_LANE_OP vm vf_ge(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_GE_OQ); }
ZT_LANE_OP vm vf_eq(vf a, vf b) { return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_EQ_OQ); }
ZT_LANE_OP vm vi_lt(vi a, vi b) { return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b); }
ZT_LANE_OP vm vi_gt(vi a, vi b) { return _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b); }
ZT_LANE_OP vm vi_eq(vi a, vi b) { return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b); }

ZT_LANE_OP vm vm_and(vm a, vm b) { return (vm)(a & b); }
ZT_LANE_OP vm vm_or(vm a, vm b) { return (vm)(a | b); }
ZT_LANE_OP vm vm_andnot(vm a, vm b) { return (vm)(a & ~(unsigned)b); }
ZT_LANE_OP vm vm_not(vm a) { return (vm) ~(unsigned)a; }
ZT_LANE_OP unsigned vm_bits(vm a) { return a; }
ZT_LANE_OP bool vm_any(vm a) { return a != 0; }
ZT_LANE_OP bool vm_all(vm a) { return a == 0xffff; }
ZT_LANE_OP vm vm_from_bits(unsigned bits) { return (vm)bits; }

ZT_LANE_OP vf vf_sel(vm m, vf a, vf b) { return (vf)_mm512_mask_blend_ps(m, (__m512)b, (__m512)a); }
ZT_LANE_OP vi vi_sel(vm m, vi a, vi b)
{
    return (vi)_mm512_mask_blend_epi32(m, (__m512i)b, (__m512i)a);
}
/// x + 1 where m.
ZT_LANE_OP vi vi_increment(vi x, vm m) { return x + vi_sel(m, vi_set1(1), vi_set1(0)); }
ZT_LANE_OP vf vf_min(vf a, vf b) { return (vf)_mm512_min_ps((__m512)a, (__m512)b); }
ZT_LANE_OP vf vf_max(vf a, vf b) { return (vf)_mm512_max_ps((__m512)a, (__m512)b); }
ZT_LANE_OP vi vi_min(vi a, vi b) { return (vi)_mm512_min_epi32((__m512i)a, (__m512i)b); }
ZT_LANE_OP vi vi_max(vi a, vi b) { return (vi)_mm512_max_epi32((__m512i)a, (__m512i)b); }
ZT_LANE_OP vi vi_min_unsigned(vi a, vi b) { return (vi)_mm512_min_epu32((__m512i)a, (__m512i)b); }
ZT_LANE_OP vf vf_sqrt(vf x) { return (vf)_mm512_sqrt_ps((__m512)x); }
// The instruction keeps the sign of a zero; adding 0 makes it +0.
#define ZT_LANES_FLOOR
// Without optimization this is a macro of gcc 12 whose mask of -1 triggers the warning.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
ZT_LANE_OP vf vf_floor(vf x)
{
    return (vf)_mm512_roundscale_ps((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC) +
           vf_set1(0.0f);
}
#pragma GCC diagnostic pop
ZT_LANE_OP vi vi_from_vf(vf x) { return (vi)_mm512_cvttps_epi32((__m512)x); }
ZT_LANE_OP vf vf_from_vi(vi x) { return (vf)_mm512_cvtepi32_ps((__m512i)x); }
ZT_LANE_OP vi vi_mul(vi a, vi b) { return (vi)_mm512_mullo_epi32((__m512i)a, (__m512i)b); }

ZT_LANE_OP vi vi_shru_each(vi x, vi n) { return (vi)((vu)x >> (vu)n); }
ZT_LANE_OP vi vi_madd16(vi a, vi b) { return (vi)_mm512_madd_epi16((__m512i)a, (__m512i)b); }

/// table[index] of 64 numbers, 0 <= index < 64.
ZT_LANE_OP vi vi_lookup64(const int32_t *table, vi index)
{
    const __m512i low = _mm512_permutex2var_epi32((__m512i)vi_load(table), (__m512i)index,
                                                  (__m512i)vi_load(table + 16));
    const __m512i high = _mm512_permutex2var_epi32((__m512i)vi_load(table + 32), (__m512i)index,
                                                   (__m512i)vi_load(table + 48));
    const __mmask16 upper = _mm512_test_epi32_mask((__m512i)index, _mm512_set1_epi32(32));
    return (vi)_mm512_mask_blend_epi32(upper, low, high);
}

ZT_LANE_OP void vf_store_mask(float *p, vm m, vf x) { _mm512_mask_storeu_ps(p, m, (__m512)x); }
ZT_LANE_OP void vi_store_mask(int32_t *p, vm m, vi x)
{
    _mm512_mask_storeu_epi32(p, m, (__m512i)x);
}

ZT_LANE_OP void vf_from_qf4(const qf q[ZT_W], vf out[4])
{
    vf rows[4]; // quarter j of row k is q[4 j + k]
    for (int k = 0; k < 4; k++) {
        __m512 row = _mm512_castps128_ps512((__m128)q[k]);
        row = _mm512_insertf32x4(row, (__m128)q[4 + k], 1);
        row = _mm512_insertf32x4(row, (__m128)q[8 + k], 2);
        rows[k] = (vf)_mm512_insertf32x4(row, (__m128)q[12 + k], 3);
    }
    vf_transpose4(rows, out);
}
ZT_LANE_OP void vf_to_qf4(const vf in[4], qf q[ZT_W])
{
    vf rows[4];
    vf_transpose4(in, rows);
    for (int k = 0; k < 4; k++) {
        q[k] = (qf)_mm512_castps512_ps128((__m512)rows[k]);
        q[4 + k] = (qf)_mm512_extractf32x4_ps((__m512)rows[k], 1);
        q[8 + k] = (qf)_mm512_extractf32x4_ps((__m512)rows[k], 2);
        q[12 + k] = (qf)_mm512_extractf32x4_ps((__m512)rows[k], 3);
    }
}

// ---- Groups of four four-vectors; see lanes_fours.h ---------------------------------------------

#define ZT_Q       4
#define ZT_Q_AHEAD false

typedef vf wf;
typedef struct wm {
    vf all; ///< a whole matrix
} wm;

ZT_LANE_OP wf wf_load(const float *p) { return vf_load(p); }
ZT_LANE_OP void wf_store(float *p, wf x) { vf_store(p, x); }
ZT_LANE_OP wf wf_add(wf a, wf b) { return a + b; }
ZT_LANE_OP wf wf_mul(wf a, wf b) { return a * b; }
ZT_LANE_OP wf wf_add_xyz(wf a, wf b, wf keep)
{
    return (wf)_mm512_mask_add_ps((__m512)keep, 0x7777, (__m512)a, (__m512)b);
}
ZT_LANE_OP wf wf_spread_x(wf v) { return (wf)_mm512_permute_ps((__m512)v, 0x00); }
ZT_LANE_OP wf wf_spread_y(wf v) { return (wf)_mm512_permute_ps((__m512)v, 0x55); }
ZT_LANE_OP wf wf_spread_z(wf v) { return (wf)_mm512_permute_ps((__m512)v, 0xaa); }
ZT_LANE_OP wf wf_spread_w(wf v) { return (wf)_mm512_permute_ps((__m512)v, 0xff); }
ZT_LANE_OP wf wf_repeat(const float *p) { return (wf)_mm512_broadcast_f32x4(_mm_loadu_ps(p)); }

// Pairs stay in memory order, two a wf: fewer moves than to separate and join them.
ZT_LANE_OP void wf_load_pairs(const float *p, wf out[2])
{
    out[0] = vf_load(p);
    out[1] = vf_load(p + 16);
}
ZT_LANE_OP void wf_store_pairs(float *p, const wf pairs[2])
{
    vf_store(p, pairs[0]);
    vf_store(p + 16, pairs[1]);
}
ZT_LANE_OP wf wf_pairs_first(const wf pairs[2])
{
    return (wf)_mm512_shuffle_f32x4((__m512)pairs[0], (__m512)pairs[1], _MM_SHUFFLE(2, 0, 2, 0));
}
ZT_LANE_OP void wf_pairs_mix(const wf a[2], const wf b[2], wf out[2])
{
    out[0] = vf_sel(0x0f0f, a[0], b[0]);
    out[1] = vf_sel(0x0f0f, a[1], b[1]);
}

ZT_LANE_OP void wf_load_mixed(const float *p, wf out[2]) { wf_load_pairs(p, out); }
ZT_LANE_OP void wf_store_mixed(float *p, const wf mixed[2]) { wf_store_pairs(p, mixed); }

ZT_LANE_OP wm wm_load(const float *p) { return (wm){vf_load(p)}; }
ZT_LANE_OP wm wm_add(wm a, wm b) { return (wm){a.all + b.all}; }
ZT_LANE_OP wm wm_scale(wm a, float s) { return (wm){a.all * vf_set1(s)}; }
ZT_LANE_OP void wm_pairs(const wm m[ZT_Q], int column, wf out[2])
{
    const vi twice = {0, 1, 2, 3, 0, 1, 2, 3, 16, 17, 18, 19, 16, 17, 18, 19};
    const __m512i from = (__m512i)(twice + vi_set1(4 * column));
    out[0] = (wf)_mm512_permutex2var_ps((__m512)m[0].all, from, (__m512)m[1].all);
    out[1] = (wf)_mm512_permutex2var_ps((__m512)m[2].all, from, (__m512)m[3].all);
}

// Without optimization these are macros of gcc 12 whose mask triggers the warning.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
/// 32-bit elements at base[index].
ZT_LANE_OP vi vi_gather(const int32_t *base, vi index)
{
    return (vi)_mm512_i32gather_epi32((__m512i)index, base, 4);
}
ZT_LANE_OP vf vf_gather(const float *base, vi index)
{
    return (vf)_mm512_i32gather_ps((__m512i)index, base, 4);
}
#pragma GCC diagnostic pop

/// A table of ZT_W elements fits a register.
#define ZT_LANES_LOOKUP
ZT_LANE_OP vf vf_lookup(const float table[ZT_W], vi index)
{
    return (vf)_mm512_permutexvar_ps((__m512i)index, (__m512)vf_load(table));
}
ZT_LANE_OP vi vi_lookup16(const int32_t table[16], vi index)
{
    return (vi)_mm512_permutexvar_epi32((__m512i)index, (__m512i)vi_load(table));
}

#define ZT_LANES_PACK
ZT_LANE_OP vi vi_pack(vi x, unsigned bits)
{
    return (vi)_mm512_maskz_compress_epi32((__mmask16)bits, (__m512i)x);
}

/// Eight floats from a in the low half, and eight from b.
ZT_LANE_OP __m512 pairs_load(const float *a, const float *b)
{
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(a)), _mm256_loadu_ps(b), 1);
}
/// The pairs of lanes i and i + 4, mixed.
ZT_LANE_OP __m512 pairs_mix(const void *from, const uint32_t top[ZT_W], const uint32_t bottom[ZT_W],
                            vf t, int i)
{
    const __m512i lanes = _mm512_inserti64x4(_mm512_set1_epi32(i), _mm256_set1_epi32(i + 4), 1);
    const __m512 a = pairs_load(floats_at(from, top[i]), floats_at(from, top[i + 4]));
    const __m512 b = pairs_load(floats_at(from, bottom[i]), floats_at(from, bottom[i + 4]));
    return a + (b - a) * _mm512_permutexvar_ps(lanes, (__m512)t);
}
#define ZT_LANES_PAIRS
ZT_LANE_OP void vf_mix_pairs(const void *from, const uint32_t top[ZT_W],
                             const uint32_t bottom[ZT_W], vf t, vf left[4], vf right[4])
{
    vf first[4], second[4]; // quarter j of row k is of lane 4 j + k
    for (int k = 0; k < 4; k++) {
        const __m512 low = pairs_mix(from, top, bottom, t, k);
        const __m512 high = pairs_mix(from, top, bottom, t, k + 8);
        first[k] = (vf)_mm512_shuffle_f32x4(low, high, _MM_SHUFFLE(2, 0, 2, 0));
        second[k] = (vf)_mm512_shuffle_f32x4(low, high, _MM_SHUFFLE(3, 1, 3, 1));
    }
    vf_transpose4(first, left);
    vf_transpose4(second, right);
}
