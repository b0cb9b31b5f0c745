// SPDX-License-Identifier: MIT
/// Lanes: vectors of ZT_W floats or integers, one instruction set per translation unit.
///
/// lanes_scalar.h (ZT_W = 1, plain C) is the specification; every other header matches it bit for
/// bit. These rules ensure it:
///  1. Only correctly rounded operations: + - * / sqrt, compares, selects, exact conversions, bit
///     and integer operations. No fused multiply-add (-ffp-contract=off), no estimates of 1/x or
///     1/sqrt(x), no horizontal sums or dot products.
///  2. Lanes are independent: a result depends only on the operands of its lane. Transposes only
///     move values.
///  3. min(a, b) is a < b ? a : b and max(a, b) is a > b ? a : b: b when equal or unordered.
///  4. Float -> integer truncates, after the caller has clamped to the range of int32.
///  5. vi + - must not overflow; vi_add_wrap, vi_mul and vi_shl wrap.
///  6. A masked store may write the other lanes back unchanged: the caller must own the memory of
///     all ZT_W lanes.
///
/// Types: vf (floats), vi (int32), vm (masks, opaque), qf and qi (four floats, four int32: always
/// 128 bits, for every ZT_W). vf and vi take + - and vf takes * / as operators; the rest, and
/// everything on vm, qf and qi, goes through the functions.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ZT_LANE_OP static inline __attribute__((always_inline))

/// The floats `bytes` behind `from`: offsets are free, an index would be shifted per lane.
ZT_LANE_OP const float *floats_at(const void *from, uint32_t bytes)
{
    return (const float *)(const void *)((const uint8_t *)from + bytes);
}

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

/// Makes later reads of memory at p load from memory. Without it compilers extract single lanes
/// from the register that was stored, at one or two shuffles each.
ZT_LANE_OP void lanes_to_memory(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }

/// x limited to [lo, hi]; lo when x is unordered.
ZT_LANE_OP vf vf_clamp(vf x, vf lo, vf hi) { return vf_min(vf_max(x, lo), hi); }

#ifndef ZT_LANES_FLOOR
/// Largest integer not above x, for |x| < 2^31; a zero result is +0.
ZT_LANE_OP vf vf_floor(vf x)
{
    const vf whole = vf_from_vi(vi_from_vf(x));
    return vf_sel(vf_gt(whole, x), whole - vf_set1(1.0f), whole);
}
#endif

#if ZT_W != 16
/// table[index] for tables of 64 elements, 0 <= index < 64. AVX-512 uses permutations.
ZT_LANE_OP vi vi_lookup64(const int32_t *table, vi index) { return vi_gather(table, index); }
#endif

/// Lane i reads 4 floats at p[i] (16-byte aligned); out[c] is channel c.
ZT_LANE_OP void vf_load4(const float *const p[ZT_W], vf out[4])
{
    qf q[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_load(p[i]);
    vf_from_qf4(q, out);
}

/// Lane i reads 2 floats at p[i] and 2 that are `stride` floats on; out[c] is channel c.
ZT_LANE_OP void vf_load2x2(const float *const p[ZT_W], int32_t stride, vf out[4])
{
    qf q[ZT_W];
    for (int i = 0; i < ZT_W; i++)
        q[i] = qf_load2x2(p[i], p[i] + stride);
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
ZT_LANE_OP vf vf_lookup(const float table[ZT_W], vi index) { return vf_gather(table, index); }
/// Lane i is table[index_i], index in 0 .. 15.
ZT_LANE_OP vi vi_lookup16(const int32_t table[16], vi index) { return vi_gather(table, index); }
#endif

#ifndef ZT_LANES_PACK
/// The lanes with set bits, in order; others are unspecified. Bits from ZT_W on must be 0.
ZT_LANE_OP vi vi_pack(vi x, unsigned bits)
{
    int32_t from[ZT_W], to[ZT_W] = {0};
    vi_store(from, x);
    for (unsigned i = 0, at = 0; i < ZT_W; at += bits >> i & 1u, i++)
        to[at] = from[i];
    return vi_load(to);
}
#endif

/// The number of set bits, of at most 16.
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

#ifndef ZT_LANES_PAIRS
/// Lane i reads two groups of four floats top[i] bytes behind `from`, two bottom[i] bytes behind
/// (16-byte aligned), and mixes them, top + (bottom - top) t_i: channel c is left[c] and right[c].
ZT_LANE_OP void vf_mix_pairs(const void *from, const uint32_t top[ZT_W],
                             const uint32_t bottom[ZT_W], vf t, vf left[4], vf right[4])
{
    for (int side = 0; side < 2; side++) {
        const float *a[ZT_W], *b[ZT_W];
        vf *out = side == 0 ? left : right, below[4];
        for (int i = 0; i < ZT_W; i++) {
            a[i] = floats_at(from, top[i]) + 4 * side;
            b[i] = floats_at(from, bottom[i]) + 4 * side;
        }
        vf_load4(a, out);
        vf_load4(b, below);
        for (int c = 0; c < 4; c++)
            out[c] = out[c] + (below[c] - out[c]) * t;
    }
}
#endif

// ---- Eight sums ---------------------------------------------------------------------------------

/// octo_sums: weighted sums of eight channels for ZT_ROW_LANES lanes; octo_row: as floats, by rows.

/// Where each lane reads four texels of eight channels (|values| at most 32640), and their weights.
/// The weights of a lane sum to at most 16384, so its sums are exact.
typedef struct octo_places {
    const uint8_t *texels;
    const uint32_t *top, *bottom; ///< [ZT_W]: bytes from `texels` to the left one of two texels
    const int32_t *left, *right;  ///< [ZT_W]: weights of the columns: top | bottom << 16
} octo_places;

#if defined(ZT_ISA_AVX2_BUILD) || defined(ZT_ISA_AVX512_BUILD)
/// Four adjacent floats for each pixel of the row.
typedef struct octo_row {
    vf low, high;
} octo_row;

#if defined(ZT_ISA_AVX2_BUILD)
#include "simd/lanes_octo_avx2.h"
#else
#include "simd/lanes_octo_avx512.h"
#endif

/// out[c] is channel c.
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
#else
#define ZT_ROWS      ZT_W
#define ZT_ROW_LANES 1
typedef struct octo_sums {
    qi low, high; ///< channels 0..3, 4..7
} octo_sums;
typedef struct octo_row {
    qf low, high;
} octo_row;

ZT_LANE_OP octo_sums octo_sums_at(const octo_places *p, int k)
{
    int16_t top[16], bottom[16];
    memcpy(top, p->texels + p->top[k], sizeof top);
    memcpy(bottom, p->texels + p->bottom[k], sizeof bottom);
    const int32_t left = p->left[k], right = p->right[k];
    return (octo_sums){
        qi_add(qi_dot_i16(top, bottom, left), qi_dot_i16(top + 8, bottom + 8, right)),
        qi_add(qi_dot_i16(top + 4, bottom + 4, left), qi_dot_i16(top + 12, bottom + 12, right)),
    };
}
ZT_LANE_OP octo_sums octo_sums_add(octo_sums a, octo_sums b)
{
    return (octo_sums){qi_add(a.low, b.low), qi_add(a.high, b.high)};
}
ZT_LANE_OP octo_row octo_row_of(octo_sums sums)
{
    return (octo_row){qf_from_qi(sums.low), qf_from_qi(sums.high)};
}
/// out[c] is channel c.
ZT_LANE_OP void vf_from_octo_rows(const octo_row rows[ZT_ROWS], vf out[8])
{
    qf low[ZT_ROWS], high[ZT_ROWS];
    for (int i = 0; i < ZT_W; i++) {
        low[i] = rows[i].low;
        high[i] = rows[i].high;
    }
    vf_from_qf4(low, out);
    vf_from_qf4(high, out + 4);
}
#endif
