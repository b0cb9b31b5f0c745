// SPDX-License-Identifier: MIT
/// Eight lanes of AVX2. See lanes.h for the rules.
#ifndef ZT_SIMD_LANES_AVX2_H
#define ZT_SIMD_LANES_AVX2_H

#include <immintrin.h>

#define ZT_W 8
#include "simd/lanes_operators.h"
#include "simd/lanes_x86.h"

typedef vi vm; ///< all ones or all zeros in each lane

ZT_LANE_OP vi vi_load_u8(const uint8_t *p)
{
    int64_t eight;
    memcpy(&eight, p, sizeof eight);
    return (vi)_mm256_cvtepu8_epi32(_mm_cvtsi64_si128(eight));
}

ZT_LANE_OP vm vf_lt(vf a, vf b)
{
    return a < b;
}
ZT_LANE_OP vm vf_le(vf a, vf b)
{
    return a <= b;
}
ZT_LANE_OP vm vf_gt(vf a, vf b)
{
    return a > b;
}
ZT_LANE_OP vm vf_ge(vf a, vf b)
{
    return a >= b;
}
ZT_LANE_OP vm vf_eq(vf a, vf b)
{
    return a == b;
}
ZT_LANE_OP vm vi_lt(vi a, vi b)
{
    return a < b;
}
ZT_LANE_OP vm vi_gt(vi a, vi b)
{
    return a > b;
}
ZT_LANE_OP vm vi_eq(vi a, vi b)
{
    return a == b;
}

ZT_LANE_OP vm vm_and(vm a, vm b)
{
    return a & b;
}
ZT_LANE_OP vm vm_or(vm a, vm b)
{
    return a | b;
}
ZT_LANE_OP vm vm_andnot(vm a, vm b)
{
    return a & ~b;
}
ZT_LANE_OP vm vm_not(vm a)
{
    return ~a;
}
ZT_LANE_OP unsigned vm_bits(vm a)
{
    return (unsigned)_mm256_movemask_ps((__m256)a);
}
ZT_LANE_OP bool vm_any(vm a)
{
    return vm_bits(a) != 0;
}
ZT_LANE_OP bool vm_all(vm a)
{
    return vm_bits(a) == 255;
}
ZT_LANE_OP vm vm_from_bits(unsigned bits)
{
    const vi lane = {1, 2, 4, 8, 16, 32, 64, 128};
    return (vi_set1((int32_t)bits) & lane) == lane;
}

ZT_LANE_OP vf vf_sel(vm m, vf a, vf b)
{
    return (vf)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
ZT_LANE_OP vi vi_sel(vm m, vi a, vi b)
{
    return (vi)_mm256_blendv_epi8((__m256i)b, (__m256i)a, (__m256i)m);
}
ZT_LANE_OP vf vf_min(vf a, vf b)
{
    return (vf)_mm256_min_ps((__m256)a, (__m256)b);
}
ZT_LANE_OP vf vf_max(vf a, vf b)
{
    return (vf)_mm256_max_ps((__m256)a, (__m256)b);
}
ZT_LANE_OP vi vi_min(vi a, vi b)
{
    return (vi)_mm256_min_epi32((__m256i)a, (__m256i)b);
}
ZT_LANE_OP vi vi_max(vi a, vi b)
{
    return (vi)_mm256_max_epi32((__m256i)a, (__m256i)b);
}
ZT_LANE_OP vf vf_sqrt(vf x)
{
    return (vf)_mm256_sqrt_ps((__m256)x);
}
ZT_LANE_OP vi vi_from_vf(vf x)
{
    return (vi)_mm256_cvttps_epi32((__m256)x);
}
ZT_LANE_OP vf vf_from_vi(vi x)
{
    return (vf)_mm256_cvtepi32_ps((__m256i)x);
}
ZT_LANE_OP vi vi_mul(vi a, vi b)
{
    return (vi)_mm256_mullo_epi32((__m256i)a, (__m256i)b);
}

// Load, blend, store: the masked store instruction is microcoded on some processors.
ZT_LANE_OP void vf_store_mask(float *p, vm m, vf x)
{
    vf_store(p, vf_sel(m, x, vf_load(p)));
}
ZT_LANE_OP void vi_store_mask(int32_t *p, vm m, vi x)
{
    vi_store(p, vi_sel(m, x, vi_load(p)));
}

/// 4x4 transposes within each half.
ZT_LANE_OP void vf_transpose4(const vf in[4], vf out[4])
{
    const __m256 low01 = _mm256_unpacklo_ps((__m256)in[0], (__m256)in[1]);
    const __m256 low23 = _mm256_unpacklo_ps((__m256)in[2], (__m256)in[3]);
    const __m256 high01 = _mm256_unpackhi_ps((__m256)in[0], (__m256)in[1]);
    const __m256 high23 = _mm256_unpackhi_ps((__m256)in[2], (__m256)in[3]);
    out[0] = (vf)_mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(1, 0, 1, 0));
    out[1] = (vf)_mm256_shuffle_ps(low01, low23, _MM_SHUFFLE(3, 2, 3, 2));
    out[2] = (vf)_mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(1, 0, 1, 0));
    out[3] = (vf)_mm256_shuffle_ps(high01, high23, _MM_SHUFFLE(3, 2, 3, 2));
}
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

#endif
