// SPDX-License-Identifier: MIT
/// One lane in plain C: the specification of every lane operation. See lanes.h for the rules.
#pragma once

#define ZT_W 1

typedef float vf;
typedef int32_t vi;
typedef bool vm;

ZT_LANE_OP vf vf_set1(float x) { return x; }
ZT_LANE_OP vi vi_set1(int32_t x) { return x; }
ZT_LANE_OP vf vf_load(const float *p) { return *p; }
ZT_LANE_OP vi vi_load(const int32_t *p) { return *p; }
ZT_LANE_OP vi vi_load_u8(const uint8_t *p) { return *p; }
ZT_LANE_OP void vi_store_u8(uint8_t *p, vi x) ///< x in 0..255
{
    *p = (uint8_t)x;
}
ZT_LANE_OP void vf_store(float *p, vf x) { *p = x; }
ZT_LANE_OP void vi_store(int32_t *p, vi x) { *p = x; }
ZT_LANE_OP vi vi_iota(void) { return 0; }

ZT_LANE_OP vm vf_lt(vf a, vf b) { return a < b; }
ZT_LANE_OP vm vf_le(vf a, vf b) { return a <= b; }
ZT_LANE_OP vm vf_gt(vf a, vf b) { return a > b; }
ZT_LANE_OP vm vf_ge(vf a, vf b) { return a >= b; }
ZT_LANE_OP vm vf_eq(vf a, vf b) { return a == b; }
ZT_LANE_OP vm vi_lt(vi a, vi b) { return a < b; }
ZT_LANE_OP vm vi_gt(vi a, vi b) { return a > b; }
ZT_LANE_OP vm vi_eq(vi a, vi b) { return a == b; }

ZT_LANE_OP vm vm_and(vm a, vm b) { return a && b; }
ZT_LANE_OP vm vm_or(vm a, vm b) { return a || b; }
ZT_LANE_OP vm vm_andnot(vm a, vm b) { return a && !b; } ///< a & ~b
ZT_LANE_OP vm vm_not(vm a) { return !a; }
ZT_LANE_OP bool vm_any(vm a) { return a; }
ZT_LANE_OP bool vm_all(vm a) { return a; }
ZT_LANE_OP unsigned vm_bits(vm a) { return a; } ///< lane i is bit i
ZT_LANE_OP vm vm_from_bits(unsigned bits) { return (bits & 1u) != 0; }

/// x + 1 where m.
ZT_LANE_OP vi vi_increment(vi x, vm m) { return m ? x + 1 : x; }

ZT_LANE_OP vf vf_sel(vm m, vf a, vf b) { return m ? a : b; }
ZT_LANE_OP vi vi_sel(vm m, vi a, vi b) { return m ? a : b; }
ZT_LANE_OP vf vf_min(vf a, vf b) { return a < b ? a : b; }
ZT_LANE_OP vf vf_max(vf a, vf b) { return a > b ? a : b; }
ZT_LANE_OP vi vi_min(vi a, vi b) { return a < b ? a : b; }
ZT_LANE_OP vi vi_max(vi a, vi b) { return a > b ? a : b; }
ZT_LANE_OP vi vi_min_unsigned(vi a, vi b) { return (uint32_t)a < (uint32_t)b ? a : b; }
ZT_LANE_OP vf vf_sqrt(vf x) { return __builtin_sqrtf(x); }

ZT_LANE_OP vi vi_bits(vf x)
{
    vi r;
    memcpy(&r, &x, sizeof r);
    return r;
}
ZT_LANE_OP vf vf_bits(vi x)
{
    vf r;
    memcpy(&r, &x, sizeof r);
    return r;
}
ZT_LANE_OP vf vf_abs(vf x) { return vf_bits(vi_bits(x) & 0x7fffffff); }
ZT_LANE_OP vf vf_neg(vf x) { return vf_bits(vi_bits(x) ^ INT32_MIN); }
ZT_LANE_OP vi vi_from_vf(vf x) { return (int32_t)x; } ///< truncates; the caller clamps before
ZT_LANE_OP vf vf_from_vi(vi x) { return (float)x; }   ///< to the nearest, ties to even

ZT_LANE_OP vi vi_and(vi a, vi b) { return a & b; }
ZT_LANE_OP vi vi_or(vi a, vi b) { return a | b; }
ZT_LANE_OP vi vi_xor(vi a, vi b) { return a ^ b; }
ZT_LANE_OP vi vi_andnot(vi a, vi b) { return a & ~b; } ///< a & ~b
ZT_LANE_OP vi vi_shl(vi x, int n) { return (int32_t)((uint32_t)x << n); }
ZT_LANE_OP vi vi_shr(vi x, int n) { return x >> n; } ///< arithmetic, as gcc and clang define it
ZT_LANE_OP vi vi_shru(vi x, int n) { return (int32_t)((uint32_t)x >> n); }
ZT_LANE_OP vi vi_mul(vi a, vi b) { return (int32_t)((uint32_t)a * (uint32_t)b); } ///< low 32 bits

/// The products of the low halves and of the high halves, as int16, added; must not overflow.
ZT_LANE_OP vi vi_madd16(vi a, vi b)
{
    return (int32_t)(int16_t)a * (int16_t)b + (a >> 16) * (b >> 16);
}

/// Each lane of x, 0 <= x < 2^24, shifted right by its own 0 <= n < 24 bits.
ZT_LANE_OP vi vi_shru_each(vi x, vi n) { return x >> n; }

/// a + b modulo 2^32; the operator must not overflow.
ZT_LANE_OP vi vi_add_wrap(vi a, vi b) { return (int32_t)((uint32_t)a + (uint32_t)b); }

// With one lane there is nothing to rotate.
ZT_LANE_OP vi vi_rotate2(vi x) { return x; }
ZT_LANE_OP vi vi_rotate4(vi x, int k)
{
    (void)k;
    return x;
}

ZT_LANE_OP vi vi_gather(const int32_t *base, vi index) { return base[index]; }
ZT_LANE_OP vf vf_gather(const float *base, vi index) { return base[index]; }

ZT_LANE_OP void vf_store_mask(float *p, vm m, vf x)
{
    if (m)
        *p = x;
}
ZT_LANE_OP void vi_store_mask(int32_t *p, vm m, vi x)
{
    if (m)
        *p = x;
}

// ---- Four floats, four integers -----------------------------------------------------------------

typedef struct qf {
    float v[4];
} qf;
typedef struct qi {
    int32_t v[4];
} qi;

ZT_LANE_OP qf qf_set1(float x) { return (qf){{x, x, x, x}}; }
ZT_LANE_OP qf qf_load(const float *p) { return (qf){{p[0], p[1], p[2], p[3]}}; }
ZT_LANE_OP qf qf_load2x2(const float *low, const float *high)
{
    return (qf){{low[0], low[1], high[0], high[1]}};
}
ZT_LANE_OP void qf_store(float *p, qf x) { memcpy(p, x.v, sizeof x.v); }
ZT_LANE_OP qf qf_add(qf a, qf b)
{
    return (qf){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
ZT_LANE_OP qf qf_sub(qf a, qf b)
{
    return (qf){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
ZT_LANE_OP qf qf_mul(qf a, qf b)
{
    return (qf){{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
/// x, y, z of the first; w of the second.
ZT_LANE_OP qf qf_with_w(qf xyz, qf w) { return (qf){{xyz.v[0], xyz.v[1], xyz.v[2], w.v[3]}}; }
/// Component k in all four components.
ZT_LANE_OP qf qf_spread(qf x, int k) { return qf_set1(x.v[k]); }
ZT_LANE_OP qf qf_from_qi(qi x)
{
    return (qf){{(float)x.v[0], (float)x.v[1], (float)x.v[2], (float)x.v[3]}};
}

/// a[c] low + b[c] high, with |a[c]|, |b[c]| <= 32640 and the low and high half of `weights`, which
/// are not negative and sum to at most 16384.
ZT_LANE_OP qi qi_dot_i16(const int16_t *a, const int16_t *b, int32_t weights)
{
    qi r;
    for (int c = 0; c < 4; c++)
        r.v[c] = a[c] * (weights & 0xffff) + b[c] * (weights >> 16);
    return r;
}
ZT_LANE_OP qi qi_dot_u8(const uint8_t *a, const uint8_t *b, int32_t weights)
{
    qi r;
    for (int c = 0; c < 4; c++)
        r.v[c] = a[c] * (weights & 0xffff) + b[c] * (weights >> 16);
    return r;
}
ZT_LANE_OP qi qi_add(qi a, qi b)
{
    return (qi){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}

/// Transposes ZT_W four-vectors: lane i of out[c] is component c of q[i].
ZT_LANE_OP void vf_from_qf4(const qf q[ZT_W], vf out[4])
{
    for (int c = 0; c < 4; c++)
        out[c] = q[0].v[c];
}
/// The inverse of vf_from_qf4.
ZT_LANE_OP void vf_to_qf4(const vf in[4], qf q[ZT_W])
{
    for (int c = 0; c < 4; c++)
        q[0].v[c] = in[c];
}

#include "simd/lanes_fours.h"
