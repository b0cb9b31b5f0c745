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

#ifndef ZT_LANES_FLOOR
/// Largest integer not above x, for |x| < 2^31; a zero result is +0.
ZT_LANE_OP vf vf_floor(vf x)
{
    const vf whole = vf_from_vi(vi_from_vf(x));
    return vf_sel(vf_gt(whole, x), whole - vf_set1(1.0f), whole);
}
#endif

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

#ifndef ZT_LANES_PACK
/// The lanes whose bits are set, in their order, and then any; bits beyond the lanes are 0.
ZT_LANE_OP vi vi_pack(vi x, unsigned bits)
{
    int32_t from[ZT_W], to[ZT_W] = {0};
    vi_store(from, x);
    for (unsigned i = 0, at = 0; i < ZT_W; at += bits >> i & 1u, i++)
        to[at] = from[i];
    return vi_load(to);
}
#endif

/// The number of bits that are set, of ZT_W.
ZT_LANE_OP uint32_t lanes_count(unsigned bits)
{
#if defined(__POPCNT__)
    return (uint32_t)__builtin_popcount(bits);
#else
    bits = bits - (bits >> 1 & 0x5555u);
    bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
    bits = (bits & 0x0f0fu) + (bits >> 4 & 0x0f0fu);
    return (bits & 0xffu) + (bits >> 8);
#endif
}

#ifndef ZT_LANES_OCTO
// ---- Eight sums ---------------------------------------------------------------------------------

/// Sums of eight channels, on their way to lanes: of one pixel, then of a row of ZT_ROW_LANES of
/// them. Lanes k, ZT_ROWS + k, 2 ZT_ROWS + k ... make row k.
#define ZT_ROWS      ZT_W
#define ZT_ROW_LANES 1
typedef struct octo {
    qi low, high;
} octo;
typedef octo octo_row;

/// Four texels of eight channels, |values| at most 32640: top[0..7] is the left one and top[8..15]
/// the right one, as in `bottom`. `left` and `right` hold the weight of the top one in their low
/// halves and that of the bottom one in their high halves, 16384 at most together: exact.
ZT_LANE_OP octo octo_bilinear(const int16_t *top, const int16_t *bottom, int32_t left,
                              int32_t right)
{
    return (octo){
        qi_add(qi_dot_i16(top, bottom, left), qi_dot_i16(top + 8, bottom + 8, right)),
        qi_add(qi_dot_i16(top + 4, bottom + 4, left), qi_dot_i16(top + 12, bottom + 12, right)),
    };
}
ZT_LANE_OP octo octo_add(octo a, octo b)
{
    return (octo){qi_add(a.low, b.low), qi_add(a.high, b.high)};
}
ZT_LANE_OP octo_row octo_row_of(const octo pixels[ZT_ROW_LANES])
{
    return pixels[0];
}
/// out[c] is channel c.
ZT_LANE_OP void vf_from_octo_rows(const octo_row rows[ZT_ROWS], vf out[8])
{
    qf q[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_from_qi(rows[i].low);
    vf_from_qf4(q, out);
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_from_qi(rows[i].high);
    vf_from_qf4(q, out + 4);
}
#endif

#endif
