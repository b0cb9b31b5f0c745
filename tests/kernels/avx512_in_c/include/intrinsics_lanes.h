// SPDX-License-Identifier: MIT
/// Part of immintrin.h: sixteen lanes of 32 bits.
#pragma once

#define C512_OP static inline __attribute__((always_inline))

typedef float c512_f32 __attribute__((vector_size(64)));
typedef int32_t c512_i32 __attribute__((vector_size(64)));
typedef uint32_t c512_u32 __attribute__((vector_size(64)));

/// An undefined value: as a float a NaN, as an index far out of range.
enum { C512_UNDEFINED = 0x7fdeadbe };

// ---- Parts --------------------------------------------------------------------------------------

C512_OP c512_i32 c512_same(int32_t x)
{
    return (c512_i32){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
}
/// Bit i of the result: whether lane i, 0 or -1, is set.
C512_OP __mmask16 c512_bits(c512_i32 lanes)
{
    uint32_t bits = 0;
    for (int i = 0; i < 16; i++)
        bits |= ((uint32_t)lanes[i] & 1u) << i;
    return (__mmask16)bits;
}
/// Lane i is -1 where bit i is set, 0 elsewhere.
C512_OP c512_i32 c512_lanes(__mmask16 bits)
{
    const c512_i32 bit = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                          1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};
    return (c512_i32)((c512_same(bits) & bit) != c512_same(0));
}
/// a where `lanes` are -1, b where they are 0.
C512_OP c512_i32 c512_select(c512_i32 lanes, c512_i32 a, c512_i32 b)
{
    return (a & lanes) | (b & ~lanes);
}
/// Lane i is lane index_i of the 32 lanes of a and b.
C512_OP c512_i32 c512_pick(c512_i32 a, c512_i32 b, const uint8_t index[16])
{
    int32_t from[32], to[16];
    c512_i32 result;
    memcpy(from, &a, sizeof a);
    memcpy(from + 16, &b, sizeof b);
    for (int i = 0; i < 16; i++)
        to[i] = from[index[i]];
    memcpy(&result, to, sizeof result);
    return result;
}
/// The same four choices, 0..3 of a and 4..7 of b, in each 128-bit quarter.
C512_OP c512_i32 c512_pick_quarters(c512_i32 a, c512_i32 b, int i0, int i1, int i2, int i3)
{
    const int choice[4] = {i0, i1, i2, i3};
    uint8_t index[16];
    for (int i = 0; i < 16; i++)
        index[i] = (uint8_t)(i / 4 * 4 + choice[i % 4] % 4 + choice[i % 4] / 4 * 16);
    return c512_pick(a, b, index);
}
/// x with `size` bytes of `part` in place `at`, counted in parts.
C512_OP c512_i32 c512_insert(c512_i32 x, const void *part, size_t size, int at)
{
    memcpy((char *)&x + size * (size_t)at, part, size);
    return x;
}

// ---- Compares and masks -------------------------------------------------------------------------

C512_OP __mmask16 c512_cmp_ps_mask(__m512 x, __m512 y, int predicate)
{
    const c512_f32 a = (c512_f32)x, b = (c512_f32)y;
    switch (predicate) {
    case _CMP_EQ_OQ: return c512_bits((c512_i32)(a == b));
    case _CMP_LT_OQ: return c512_bits((c512_i32)(a < b));
    case _CMP_LE_OQ: return c512_bits((c512_i32)(a <= b));
    case _CMP_GE_OQ: return c512_bits((c512_i32)(a >= b));
    case _CMP_GT_OQ: return c512_bits((c512_i32)(a > b));
    default: __builtin_trap(); // nobody asked for it yet
    }
}
#define C512_COMPARE(name, condition)                                                              \
    C512_OP __mmask16 c512_##name##_mask(__m512i x, __m512i y)                                     \
    {                                                                                              \
        const c512_i32 a = (c512_i32)x, b = (c512_i32)y;                                           \
        return c512_bits((c512_i32)(condition));                                                   \
    }
C512_COMPARE(cmplt_epi32, a < b)
C512_COMPARE(cmpgt_epi32, a > b)
C512_COMPARE(cmpeq_epi32, a == b)
C512_COMPARE(test_epi32, (a & b) != c512_same(0))
C512_OP __m512i c512_mask_blend_epi32(__mmask16 k, __m512i a, __m512i b)
{
    return (__m512i)c512_select(c512_lanes(k), (c512_i32)b, (c512_i32)a);
}
C512_OP __m512 c512_mask_blend_ps(__mmask16 k, __m512 a, __m512 b)
{
    return (__m512)c512_select(c512_lanes(k), (c512_i32)b, (c512_i32)a);
}

// ---- Arithmetic ---------------------------------------------------------------------------------

C512_OP __m512 c512_mask_add_ps(__m512 keep, __mmask16 k, __m512 a, __m512 b)
{
    return (__m512)c512_select(c512_lanes(k), (c512_i32)((c512_f32)a + (c512_f32)b),
                               (c512_i32)keep);
}
/// The first where the condition holds, so the second of equal (zeros of both signs) or unordered
/// ones.
#define C512_CHOICE(name, vector, lanes, condition)                                                \
    C512_OP vector c512_##name(vector x, vector y)                                                 \
    {                                                                                              \
        const lanes a = (lanes)x, b = (lanes)y;                                                    \
        return (vector)c512_select((c512_i32)(condition), (c512_i32)x, (c512_i32)y);               \
    }
C512_CHOICE(min_ps, __m512, c512_f32, a < b)
C512_CHOICE(max_ps, __m512, c512_f32, a > b)
C512_CHOICE(min_epi32, __m512i, c512_i32, a < b)
C512_CHOICE(max_epi32, __m512i, c512_i32, a > b)
C512_CHOICE(min_epu32, __m512i, c512_u32, a < b)
C512_OP __m512 c512_sqrt_ps(__m512 x)
{
    c512_f32 result = (c512_f32)x;
    for (int i = 0; i < 16; i++)
        result[i] = __builtin_sqrtf(result[i]);
    return (__m512)result;
}
/// Downwards to whole numbers, the only way that the kernels round.
C512_OP __m512 c512_roundscale_ps(__m512 x, int how)
{
    c512_f32 result = (c512_f32)x;
    for (int i = 0; i < 16; i++)
        result[i] = how == (_MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC) ? __builtin_floorf(result[i])
                                                                       : __builtin_nanf("");
    return (__m512)result;
}
C512_OP __m512i c512_mullo_epi32(__m512i a, __m512i b)
{
    return (__m512i)((c512_u32)a * (c512_u32)b);
}
/// -2^15 squared twice wraps to -2^31.
C512_OP __m512i c512_madd_epi16(__m512i a, __m512i b)
{
    const c512_i32 x = (c512_i32)a, y = (c512_i32)b, half = c512_same(16);
    const c512_i32 x_low = (c512_i32)((c512_u32)x << (c512_u32)half) >> half;
    const c512_i32 y_low = (c512_i32)((c512_u32)y << (c512_u32)half) >> half;
    return (__m512i)((c512_u32)(x_low * y_low) + (c512_u32)((x >> half) * (y >> half)));
}

// ---- Conversions --------------------------------------------------------------------------------

/// 0x80000000 where the truncated number is outside of int32, and for NaN.
C512_OP __m512i c512_cvttps_epi32(__m512 x)
{
    const c512_f32 f = (c512_f32)x, limit = (c512_f32)c512_same(0x4f000000); // 2^31
    const c512_i32 within = (c512_i32)(f >= -limit) & (c512_i32)(f < limit);
    const c512_f32 safe = (c512_f32)((c512_i32)f & within);
    return (__m512i)c512_select(within, __builtin_convertvector(safe, c512_i32),
                                c512_same(INT32_MIN));
}
C512_OP __m512 c512_cvtepi32_ps(__m512i x)
{
    return (__m512) __builtin_convertvector((c512_i32)x, c512_f32);
}
C512_OP __m512i c512_cvtepu8_epi32(__m128i x)
{
    uint8_t bytes[16];
    c512_i32 result;
    memcpy(bytes, &x, sizeof bytes);
    for (int i = 0; i < 16; i++)
        result[i] = bytes[i];
    return (__m512i)result;
}
C512_OP __m128i c512_cvtepi32_epi8(__m512i x)
{
    uint8_t bytes[16];
    __m128i result;
    for (int i = 0; i < 16; i++)
        bytes[i] = (uint8_t)((c512_i32)x)[i];
    memcpy(&result, bytes, sizeof result);
    return result;
}

// ---- Moves --------------------------------------------------------------------------------------

C512_OP __m512i c512_maskz_compress_epi32(__mmask16 m, __m512i x)
{
    int32_t to[16] = {0};
    c512_i32 result;
    for (int i = 0, at = 0; i < 16; at += m >> i & 1, i++)
        to[at] = m >> i & 1 ? ((c512_i32)x)[i] : 0;
    memcpy(&result, to, sizeof result);
    return (__m512i)result;
}
C512_OP __m512i c512_set1_epi32(int x) { return (__m512i)c512_same(x); }
C512_OP __m512 c512_permute_ps(__m512 a, int choice)
{
    return (__m512)c512_pick_quarters((c512_i32)a, (c512_i32)a, choice & 3, choice >> 2 & 3,
                                      choice >> 4 & 3, choice >> 6 & 3);
}
/// Quarters: two of a, then two of b.
C512_OP __m512 c512_shuffle_f32x4(__m512 a, __m512 b, int choice)
{
    uint8_t index[16];
    for (int i = 0; i < 16; i++)
        index[i] = (uint8_t)((choice >> i / 4 * 2 & 3) * 4 + i % 4 + i / 8 * 16);
    return (__m512)c512_pick((c512_i32)a, (c512_i32)b, index);
}
C512_OP __m512i c512_permutex2var_epi32(__m512i a, __m512i choice, __m512i b)
{
    uint8_t index[16];
    for (int i = 0; i < 16; i++)
        index[i] = (uint8_t)(((c512_i32)choice)[i] & 31);
    return (__m512i)c512_pick((c512_i32)a, (c512_i32)b, index);
}
C512_OP __m512 c512_permutex2var_ps(__m512 a, __m512i choice, __m512 b)
{
    return (__m512)c512_permutex2var_epi32((__m512i)a, choice, (__m512i)b);
}
C512_OP __m512i c512_permutexvar_epi32(__m512i choice, __m512i a)
{
    uint8_t index[16];
    for (int i = 0; i < 16; i++)
        index[i] = (uint8_t)(((c512_i32)choice)[i] & 15);
    return (__m512i)c512_pick((c512_i32)a, (c512_i32)a, index);
}
C512_OP __m512 c512_permutexvar_ps(__m512i choice, __m512 a)
{
    return (__m512)c512_permutexvar_epi32(choice, (__m512i)a);
}
C512_OP __m256i c512_256_permutexvar_epi16(__m256i choice, __m256i a)
{
    uint16_t index[16], from[16], to[16];
    __m256i result;
    memcpy(index, &choice, sizeof index);
    memcpy(from, &a, sizeof from);
    for (int i = 0; i < 16; i++)
        to[i] = from[index[i] & 15];
    memcpy(&result, to, sizeof result);
    return result;
}

C512_OP __m512 c512_castps128_ps512(__m128 x)
{
    return (__m512)c512_insert(c512_same(C512_UNDEFINED), &x, sizeof x, 0);
}
C512_OP __m512 c512_castps256_ps512(__m256 x)
{
    return (__m512)c512_insert(c512_same(C512_UNDEFINED), &x, sizeof x, 0);
}
C512_OP __m512 c512_insertf32x4(__m512 x, __m128 part, int at)
{
    return (__m512)c512_insert((c512_i32)x, &part, sizeof part, at & 3);
}
C512_OP __m512 c512_insertf32x8(__m512 x, __m256 part, int at)
{
    return (__m512)c512_insert((c512_i32)x, &part, sizeof part, at & 1);
}
C512_OP __m512 c512_broadcast_f32x4(__m128 x)
{
    c512_i32 result = c512_same(0);
    for (int quarter = 0; quarter < 4; quarter++)
        result = c512_insert(result, &x, sizeof x, quarter);
    return (__m512)result;
}
C512_OP __m128 c512_extractf32x4_ps(__m512 x, int at)
{
    __m128 part;
    memcpy(&part, (const char *)&x + sizeof part * (size_t)(at & 3), sizeof part);
    return part;
}
C512_OP __m128 c512_castps512_ps128(__m512 x) { return c512_extractf32x4_ps(x, 0); }

// ---- Memory -------------------------------------------------------------------------------------

/// Memory of the lanes that are not stored is not touched.
C512_OP void c512_mask_storeu_epi32(void *p, __mmask16 k, __m512i x)
{
    for (int i = 0; i < 16; i++) {
        const int32_t lane = ((c512_i32)x)[i];
        if (k >> i & 1)
            memcpy((char *)p + 4 * i, &lane, sizeof lane);
    }
}
C512_OP void c512_mask_storeu_ps(void *p, __mmask16 k, __m512 x)
{
    c512_mask_storeu_epi32(p, k, (__m512i)x);
}
C512_OP __m512i c512_i32gather_epi32(__m512i index, const void *base, int scale)
{
    c512_i32 result = (c512_i32)index;
    for (int i = 0; i < 16; i++) {
        int32_t element;
        memcpy(&element, (const char *)base + (int64_t)result[i] * scale, sizeof element);
        result[i] = element;
    }
    return (__m512i)result;
}
C512_OP __m512 c512_i32gather_ps(__m512i index, const void *base, int scale)
{
    return (__m512)c512_i32gather_epi32(index, base, scale);
}
