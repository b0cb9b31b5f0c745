// SPDX-License-Identifier: MIT
/// Lanes: ZT_W floats or integers side by side, one instruction set per translation unit.
///
/// lanes_scalar.h (ZT_W = 1, plain C) is the specification; every other header matches it bit for
/// bit. The rules that make this so:
///  1. Only correctly rounded operations: + - * / sqrt, compares, selects, exact conversions, bit
///     and integer operations. No fused multiply-add (-ffp-contract=off), no estimates of 1/x or
///     1/sqrt(x), no horizontal sums or dot products.
///  2. Lanes never mix: a result depends on the operands of its own lane. Transposes only move.
///  3. min(a, b) is a < b ? a : b and max(a, b) is a > b ? a : b: b when equal or unordered.
///  4. Float -> integer truncates, after the caller has clamped to the range of int32.
///  5. vi + - must not overflow; vi_add_wrap, vi_mul and vi_shl wrap.
///  6. A masked store may rewrite the memory of the other lanes with what it held: all ZT_W lanes
///     must belong to the caller.
///
/// Types: vf (floats), vi (int32), vm (masks, opaque), qf and qi (four floats, four int32: always
/// 128 bits, whatever ZT_W is). vf and vi take + - and vf takes * / as operators; the rest, and
/// everything on vm, qf and qi, goes through the functions.
#ifndef ZT_SIMD_LANES_H
#define ZT_SIMD_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ZT_LANE_OP static inline __attribute__((always_inline))

#if defined(ZT_ISA_SCALAR_BUILD)
#include "simd/lanes_scalar.h"
#elif defined(ZT_ISA_SSE2_BUILD)
#include "simd/lanes_sse2.h"
#elif defined(ZT_ISA_AVX2_BUILD)
#include "simd/lanes_avx2.h"
#elif defined(ZT_ISA_AVX512_BUILD)
#include "simd/lanes_avx512.h"
#elif defined(ZT_ISA_NEON_BUILD)
#include "simd/lanes_neon.h"
#else
#error "define one ZT_ISA_*_BUILD"
#endif

/// What was stored at p is read back from memory. Compilers see through a store and take single
/// lanes out of the register instead, which needs one or two shuffles for each.
ZT_LANE_OP void lanes_to_memory(const void *p)
{
    __asm__ volatile("" : : "r"(p) : "memory");
}

/// x limited to [lo, hi]; lo when x is unordered.
ZT_LANE_OP vf vf_clamp(vf x, vf lo, vf hi)
{
    return vf_min(vf_max(x, lo), hi);
}

/// Largest integer not above x, for |x| < 2^31; a zero result is +0.
ZT_LANE_OP vf vf_floor(vf x)
{
    const vf whole = vf_from_vi(vi_from_vf(x));
    return vf_sel(vf_gt(whole, x), whole - vf_set1(1.0f), whole);
}

#if ZT_W != 16
/// table[index] of 64 numbers, 0 <= index < 64; a permutation where vectors are that wide.
ZT_LANE_OP vi vi_lookup64(const int32_t *table, vi index)
{
    return vi_gather(table, index);
}
#endif

/// Lane i reads 4 floats at p[i] (16-byte aligned); out[c] is channel c.
ZT_LANE_OP void vf_load4(const float *const p[ZT_W], vf out[4])
{
    qf q[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_load(p[i]);
    vf_from_qf4(q, out);
}

/// Lane i reads 8 floats at p[i] (32-byte aligned); out[c] is channel c.
ZT_LANE_OP void vf_load8(const float *const p[ZT_W], vf out[8])
{
    qf q[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_load(p[i]);
    vf_from_qf4(q, out);
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_load(p[i] + 4);
    vf_from_qf4(q, out + 4);
}

#ifndef ZT_LANES_LOOKUP
/// Lane i is table[index_i], index in 0 .. ZT_W - 1.
ZT_LANE_OP vf vf_lookup(const float table[ZT_W], vi index)
{
    return vf_gather(table, index);
}
/// Lane i is table[index_i], index in 0 .. 15.
ZT_LANE_OP vi vi_lookup16(const int32_t table[16], vi index)
{
    return vi_gather(table, index);
}
#endif

#ifndef ZT_LANES_OCTO
// ---- Eight floats -------------------------------------------------------------------------------

typedef struct of {
    qf low, high;
} of;

/// Two texels of eight channels, t0[0..7] and t1[0..7], |values| at most 32640; `weights` holds
/// the first one's in its low half and the second one's in its high half, sum 256:
/// t0[c] w0 + t1[c] w1, exactly.
ZT_LANE_OP of of_filter(const int16_t *two_texels, int32_t weights)
{
    return (of){qf_from_qi(qi_filter_i16(two_texels, two_texels + 8, weights)),
                qf_from_qi(qi_filter_i16(two_texels + 4, two_texels + 12, weights))};
}
/// a + (b - a) t
ZT_LANE_OP of of_mix(of a, of b, float t)
{
    const qf s = qf_set1(t);
    return (of){qf_add(a.low, qf_mul(qf_sub(b.low, a.low), s)),
                qf_add(a.high, qf_mul(qf_sub(b.high, a.high), s))};
}
/// Transposes ZT_W octuples: lane i of out[c] is component c of o[i].
ZT_LANE_OP void vf_from_of8(const of o[ZT_W], vf out[8])
{
    qf q[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        q[i] = o[i].low;
    vf_from_qf4(q, out);
    for (int i = 0; i < ZT_W; i++)
        q[i] = o[i].high;
    vf_from_qf4(q, out + 4);
}
#endif

#endif
