// SPDX-License-Identifier: MIT
/// Operations that the vector types of gcc and clang provide, for every width above 1. The header
/// of an instruction set defines ZT_W, then includes this. lanes_scalar.h specifies the operations.
#pragma once

typedef float vf __attribute__((vector_size(4 * ZT_W)));
typedef int32_t vi __attribute__((vector_size(4 * ZT_W)));
typedef uint32_t vu __attribute__((vector_size(4 * ZT_W)));
typedef float qf __attribute__((vector_size(16)));
typedef int32_t qi __attribute__((vector_size(16)));

/// LANE_LIST(f): f(0), f(1) ... f(ZT_W - 1)
#if ZT_W == 4
#define LANE_LIST(f) f(0), f(1), f(2), f(3)
#elif ZT_W == 8
#define LANE_LIST(f) f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7)
#elif ZT_W == 16
#define LANE_LIST(f)                                                                               \
    f(0), f(1), f(2), f(3), f(4), f(5), f(6), f(7), f(8), f(9), f(10), f(11), f(12), f(13), f(14), \
        f(15)
#endif

ZT_LANE_OP vf vf_set1(float x)
{
#define LANE_SAME(i) x
    return (vf){LANE_LIST(LANE_SAME)};
}
ZT_LANE_OP vi vi_set1(int32_t x)
{
    return (vi){LANE_LIST(LANE_SAME)};
#undef LANE_SAME
}
ZT_LANE_OP vi vi_iota(void)
{
#define LANE_INDEX(i) i
    return (vi){LANE_LIST(LANE_INDEX)};
#undef LANE_INDEX
}

ZT_LANE_OP vf vf_load(const float *p)
{
    vf x;
    memcpy(&x, p, sizeof x);
    return x;
}
ZT_LANE_OP vi vi_load(const int32_t *p)
{
    vi x;
    memcpy(&x, p, sizeof x);
    return x;
}
ZT_LANE_OP void vf_store(float *p, vf x) { memcpy(p, &x, sizeof x); }
ZT_LANE_OP void vi_store(int32_t *p, vi x) { memcpy(p, &x, sizeof x); }

ZT_LANE_OP vi vi_bits(vf x) { return (vi)x; }
ZT_LANE_OP vf vf_bits(vi x) { return (vf)x; }
ZT_LANE_OP vi vi_and(vi a, vi b) { return a & b; }
ZT_LANE_OP vi vi_or(vi a, vi b) { return a | b; }
ZT_LANE_OP vi vi_xor(vi a, vi b) { return a ^ b; }
ZT_LANE_OP vi vi_andnot(vi a, vi b) { return a & ~b; }
ZT_LANE_OP vi vi_shl(vi x, int n) { return (vi)((vu)x << (uint32_t)n); }
ZT_LANE_OP vi vi_shr(vi x, int n) { return x >> n; }
ZT_LANE_OP vi vi_shru(vi x, int n) { return (vi)((vu)x >> (uint32_t)n); }
ZT_LANE_OP vi vi_add_wrap(vi a, vi b) { return (vi)((vu)a + (vu)b); }
ZT_LANE_OP vf vf_abs(vf x) { return (vf)((vi)x & vi_set1(0x7fffffff)); }
ZT_LANE_OP vf vf_neg(vf x) { return (vf)((vi)x ^ vi_set1(INT32_MIN)); }

#if ZT_W < 16
// ---- Compares and masks; AVX-512 has mask registers ---------------------------------------------

typedef vi vm; ///< all ones or all zeros in each lane

ZT_LANE_OP vm vf_lt(vf a, vf b) { return a < b; }
ZT_LANE_OP vm vf_le(vf a, vf b) { return a <= b; }
ZT_LANE_OP vm vf_gt(vf a, vf b) { return a > b; }
ZT_LANE_OP vm vf_ge(vf a, vf b) { return a >= b; }
ZT_LANE_OP vm vf_eq(vf a, vf b) { return a == b; }
ZT_LANE_OP vm vi_lt(vi a, vi b) { return a < b; }
ZT_LANE_OP vm vi_gt(vi a, vi b) { return a > b; }
ZT_LANE_OP vm vi_eq(vi a, vi b) { return a == b; }

ZT_LANE_OP vm vm_and(vm a, vm b) { return a & b; }
ZT_LANE_OP vm vm_or(vm a, vm b) { return a | b; }
ZT_LANE_OP vm vm_andnot(vm a, vm b) { return a & ~b; }
ZT_LANE_OP vm vm_not(vm a) { return ~a; }
ZT_LANE_OP vm vm_from_bits(unsigned bits)
{
#define LANE_BIT(i) 1 << (i)
    const vi lane = {LANE_LIST(LANE_BIT)};
#undef LANE_BIT
    return (vi_set1((int32_t)bits) & lane) == lane;
}
/// x + 1 where m.
ZT_LANE_OP vi vi_increment(vi x, vm m) { return x - m; }
#endif

// ---- Moves and gathers --------------------------------------------------------------------------

/// Lane 2 a + b reads lane 2 a + (b + 1) % 2.
ZT_LANE_OP vi vi_rotate2(vi x)
{
#define LANE_ROTATE(i) ((i) ^ 1)
    return __builtin_shufflevector(x, x, LANE_LIST(LANE_ROTATE));
#undef LANE_ROTATE
}
/// Lane 4 a + b reads lane 4 a + (b + k) % 4; k is a constant in 1..3.
ZT_LANE_OP vi vi_rotate4(vi x, int k)
{
#define LANE_ROTATE_1(i) (((i) & ~3) | (((i) + 1) & 3))
#define LANE_ROTATE_2(i) ((i) ^ 2)
#define LANE_ROTATE_3(i) (((i) & ~3) | (((i) + 3) & 3))
    return k == 1   ? __builtin_shufflevector(x, x, LANE_LIST(LANE_ROTATE_1))
           : k == 2 ? __builtin_shufflevector(x, x, LANE_LIST(LANE_ROTATE_2))
                    : __builtin_shufflevector(x, x, LANE_LIST(LANE_ROTATE_3));
#undef LANE_ROTATE_1
#undef LANE_ROTATE_2
#undef LANE_ROTATE_3
}

#ifndef ZT_LANES_GATHER
// Scalar loads and inserts, for instruction sets without gather instructions.
ZT_LANE_OP vi vi_gather(const int32_t *base, vi index)
{
#define LANE_ELEMENT(i) base[index[i]]
    return (vi){LANE_LIST(LANE_ELEMENT)};
}
ZT_LANE_OP vf vf_gather(const float *base, vi index)
{
    return (vf){LANE_LIST(LANE_ELEMENT)};
#undef LANE_ELEMENT
}
#endif

// ---- Four floats, four integers -----------------------------------------------------------------

ZT_LANE_OP qf qf_set1(float x) { return (qf){x, x, x, x}; }
ZT_LANE_OP qf qf_load(const float *p)
{
    qf x;
    memcpy(&x, p, sizeof x);
    return x;
}
ZT_LANE_OP qf qf_load2x2(const float *low, const float *high)
{
    // As doubles pairs stay in vector registers; compilers send integers through memory.
    typedef double pairs __attribute__((vector_size(16)));
    double pair[2];
    memcpy(&pair[0], low, sizeof pair[0]);
    memcpy(&pair[1], high, sizeof pair[1]);
    return (qf)(pairs){pair[0], pair[1]};
}
ZT_LANE_OP void qf_store(float *p, qf x) { memcpy(p, &x, sizeof x); }
ZT_LANE_OP qf qf_add(qf a, qf b) { return a + b; }
ZT_LANE_OP qi qi_add(qi a, qi b) { return a + b; }
ZT_LANE_OP qf qf_sub(qf a, qf b) { return a - b; }
ZT_LANE_OP qf qf_mul(qf a, qf b) { return a * b; }
ZT_LANE_OP qf qf_with_w(qf xyz, qf w)
{
    const qi mask = {-1, -1, -1, 0};
    return (qf)(((qi)xyz & mask) | ((qi)w & ~mask));
}
ZT_LANE_OP qf qf_spread(qf x, int k) { return qf_set1(x[k]); }

// ---- Transposes ---------------------------------------------------------------------------------

/// 4x4 transposes of each four lanes.
ZT_LANE_OP void vf_transpose4(const vf in[4], vf out[4])
{
#define LANE_LOW(i)    (((i) & ~3) + ((i) >> 1 & 1) + ZT_W * ((i)&1)) // of each four: 0 W 1 W+1
#define LANE_HIGH(i)   (LANE_LOW(i) + 2)
#define LANE_FIRST(i)  (((i) & ~3) + ((i)&1) + ZT_W * ((i) >> 1 & 1)) // 0 1 W W+1
#define LANE_SECOND(i) (LANE_FIRST(i) + 2)
    const vf low01 = __builtin_shufflevector(in[0], in[1], LANE_LIST(LANE_LOW));
    const vf low23 = __builtin_shufflevector(in[2], in[3], LANE_LIST(LANE_LOW));
    const vf high01 = __builtin_shufflevector(in[0], in[1], LANE_LIST(LANE_HIGH));
    const vf high23 = __builtin_shufflevector(in[2], in[3], LANE_LIST(LANE_HIGH));
    out[0] = __builtin_shufflevector(low01, low23, LANE_LIST(LANE_FIRST));
    out[1] = __builtin_shufflevector(low01, low23, LANE_LIST(LANE_SECOND));
    out[2] = __builtin_shufflevector(high01, high23, LANE_LIST(LANE_FIRST));
    out[3] = __builtin_shufflevector(high01, high23, LANE_LIST(LANE_SECOND));
#undef LANE_LOW
#undef LANE_HIGH
#undef LANE_FIRST
#undef LANE_SECOND
}

#if ZT_W == 4
ZT_LANE_OP void vf_from_qf4(const qf q[ZT_W], vf out[4]) { vf_transpose4(q, out); }
ZT_LANE_OP void vf_to_qf4(const vf in[4], qf q[ZT_W]) { vf_transpose4(in, q); }
#endif
