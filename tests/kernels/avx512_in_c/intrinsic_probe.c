// SPDX-License-Identifier: MIT
/// Runs every intrinsic of intrinsic_probe.h: in C, or the processor's (INTRINSICS_NATIVE).
#include "intrinsic_probe.h"

#include <immintrin.h>
#include <string.h>

#ifdef INTRINSICS_NATIVE
#define PROBES intrinsic_probes_native
// Without optimization some intrinsics are macros of gcc whose masks trigger the warning.
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#else
#define PROBES intrinsic_probes_c
#endif

#define LOAD(type, from) load_##type(from)
#define DEFINE_LOAD(type)                                                                          \
    static inline __attribute__((always_inline)) type load_##type(const uint32_t *p)               \
    {                                                                                              \
        type x;                                                                                    \
        memcpy(&x, p, sizeof x);                                                                   \
        return x;                                                                                  \
    }
DEFINE_LOAD(__m512)
DEFINE_LOAD(__m512i)
DEFINE_LOAD(__m256)
DEFINE_LOAD(__m256i)
DEFINE_LOAD(__m128)
DEFINE_LOAD(__m128i)

/// A probe whose result is a vector.
#define VECTOR(function, result, ...)                                                              \
    static void function(const intrinsic_input *in, intrinsic_output *out)                         \
    {                                                                                              \
        const result x = __VA_ARGS__;                                                              \
        (void)in;                                                                                  \
        memcpy(out->lane, &x, sizeof x);                                                           \
    }
/// A probe whose result is a mask.
#define MASK(function, ...)                                                                        \
    static void function(const intrinsic_input *in, intrinsic_output *out)                         \
    {                                                                                              \
        out->mask = __VA_ARGS__;                                                                   \
    }
#define A_PS LOAD(__m512, in->a)
#define B_PS LOAD(__m512, in->b)
#define A_I  LOAD(__m512i, in->a)
#define B_I  LOAD(__m512i, in->b)
#define C_I  LOAD(__m512i, in->c)

MASK(cmp_eq, _mm512_cmp_ps_mask(A_PS, B_PS, _CMP_EQ_OQ))
MASK(cmp_lt, _mm512_cmp_ps_mask(A_PS, B_PS, _CMP_LT_OQ))
MASK(cmp_le, _mm512_cmp_ps_mask(A_PS, B_PS, _CMP_LE_OQ))
MASK(cmp_ge, _mm512_cmp_ps_mask(A_PS, B_PS, _CMP_GE_OQ))
MASK(cmp_gt, _mm512_cmp_ps_mask(A_PS, B_PS, _CMP_GT_OQ))
MASK(cmplt_epi32, _mm512_cmplt_epi32_mask(A_I, B_I))
MASK(cmpgt_epi32, _mm512_cmpgt_epi32_mask(A_I, B_I))
MASK(cmpeq_epi32, _mm512_cmpeq_epi32_mask(A_I, B_I))
MASK(test_epi32, _mm512_test_epi32_mask(A_I, B_I))
VECTOR(blend_epi32, __m512i, _mm512_mask_blend_epi32(in->mask, A_I, B_I))
VECTOR(blend_ps, __m512, _mm512_mask_blend_ps(in->mask, A_PS, B_PS))

VECTOR(mask_add_ps, __m512, _mm512_mask_add_ps(LOAD(__m512, in->c), in->mask, A_PS, B_PS))
VECTOR(min_ps, __m512, _mm512_min_ps(A_PS, B_PS))
VECTOR(max_ps, __m512, _mm512_max_ps(A_PS, B_PS))
VECTOR(sqrt_ps, __m512, _mm512_sqrt_ps(A_PS))
VECTOR(roundscale_ps, __m512, _mm512_roundscale_ps(A_PS, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC))
VECTOR(min_epi32, __m512i, _mm512_min_epi32(A_I, B_I))
VECTOR(max_epi32, __m512i, _mm512_max_epi32(A_I, B_I))
VECTOR(min_epu32, __m512i, _mm512_min_epu32(A_I, B_I))
VECTOR(mullo_epi32, __m512i, _mm512_mullo_epi32(A_I, B_I))
VECTOR(madd_epi16, __m512i, _mm512_madd_epi16(A_I, B_I))
VECTOR(mulhrs_epi16, __m512i, _mm512_mulhrs_epi16(A_I, B_I))
VECTOR(srai_epi32_00, __m512i, _mm512_srai_epi32(A_I, 0x00))
VECTOR(srai_epi32_08, __m512i, _mm512_srai_epi32(A_I, 0x08))
VECTOR(srai_epi32_28, __m512i, _mm512_srai_epi32(A_I, 0x28))
VECTOR(cvttps_epi32, __m512i, _mm512_cvttps_epi32(A_PS))
VECTOR(cvtepi32_ps, __m512, _mm512_cvtepi32_ps(A_I))
VECTOR(cvtepu8_epi32, __m512i, _mm512_cvtepu8_epi32(LOAD(__m128i, in->a)))
VECTOR(cvtepi32_epi8, __m128i, _mm512_cvtepi32_epi8(A_I))

VECTOR(compress_epi32, __m512i, _mm512_maskz_compress_epi32((__mmask16)in->mask, A_I))
VECTOR(set1_epi32, __m512i, _mm512_set1_epi32((int)in->a[0]))
VECTOR(unpacklo_epi16, __m512i, _mm512_unpacklo_epi16(A_I, B_I))
VECTOR(unpackhi_epi16, __m512i, _mm512_unpackhi_epi16(A_I, B_I))
VECTOR(shuffle_epi8, __m512i, _mm512_shuffle_epi8(A_I, C_I))
VECTOR(permute_ps_00, __m512, _mm512_permute_ps(A_PS, 0x00))
VECTOR(permute_ps_55, __m512, _mm512_permute_ps(A_PS, 0x55))
VECTOR(permute_ps_ff, __m512, _mm512_permute_ps(A_PS, 0xff))
VECTOR(permute_ps_72, __m512, _mm512_permute_ps(A_PS, 0x72))
VECTOR(shuffle_f32x4_88, __m512, _mm512_shuffle_f32x4(A_PS, B_PS, 0x88))
VECTOR(shuffle_f32x4_dd, __m512, _mm512_shuffle_f32x4(A_PS, B_PS, 0xdd))
VECTOR(shuffle_f32x4_1b, __m512, _mm512_shuffle_f32x4(A_PS, B_PS, 0x1b))
VECTOR(shuffle_f32x4_72, __m512, _mm512_shuffle_f32x4(A_PS, B_PS, 0x72))
VECTOR(shuffle_i64x2_72, __m512i, _mm512_shuffle_i64x2(A_I, B_I, 0x72))
VECTOR(permutex2var_epi32, __m512i, _mm512_permutex2var_epi32(A_I, C_I, B_I))
VECTOR(permutex2var_ps, __m512, _mm512_permutex2var_ps(A_PS, C_I, B_PS))
VECTOR(permutex2var_epi16, __m512i, _mm512_permutex2var_epi16(A_I, C_I, B_I))
VECTOR(permutexvar_epi32, __m512i, _mm512_permutexvar_epi32(C_I, A_I))
VECTOR(permutexvar_ps, __m512, _mm512_permutexvar_ps(C_I, A_PS))
VECTOR(permutexvar_epi16, __m512i, _mm512_permutexvar_epi16(C_I, A_I))
VECTOR(permutexvar_epi16_256, __m256i,
       _mm256_permutexvar_epi16(LOAD(__m256i, in->c), LOAD(__m256i, in->a)))

/// The defined lanes of a vector that was cast to a wider one.
#define PART(function, type, size, ...)                                                            \
    static void function(const intrinsic_input *in, intrinsic_output *out)                         \
    {                                                                                              \
        const type x = __VA_ARGS__;                                                                \
        memcpy(out->lane, &x, size);                                                               \
    }
PART(castps128_ps512, __m512, 16, _mm512_castps128_ps512(LOAD(__m128, in->a)))
PART(castps256_ps512, __m512, 32, _mm512_castps256_ps512(LOAD(__m256, in->a)))
PART(castsi256_si512, __m512i, 32, _mm512_castsi256_si512(LOAD(__m256i, in->a)))
VECTOR(castps512_ps128, __m128, _mm512_castps512_ps128(A_PS))
VECTOR(castsi512_si256, __m256i, _mm512_castsi512_si256(A_I))
VECTOR(insertf32x4_00, __m512, _mm512_insertf32x4(A_PS, LOAD(__m128, in->b), 0))
VECTOR(insertf32x4_01, __m512, _mm512_insertf32x4(A_PS, LOAD(__m128, in->b), 1))
VECTOR(insertf32x4_02, __m512, _mm512_insertf32x4(A_PS, LOAD(__m128, in->b), 2))
VECTOR(insertf32x4_03, __m512, _mm512_insertf32x4(A_PS, LOAD(__m128, in->b), 3))
VECTOR(insertf32x8_00, __m512, _mm512_insertf32x8(A_PS, LOAD(__m256, in->b), 0))
VECTOR(insertf32x8_01, __m512, _mm512_insertf32x8(A_PS, LOAD(__m256, in->b), 1))
VECTOR(inserti64x4_00, __m512i, _mm512_inserti64x4(A_I, LOAD(__m256i, in->b), 0))
VECTOR(inserti64x4_01, __m512i, _mm512_inserti64x4(A_I, LOAD(__m256i, in->b), 1))
VECTOR(extractf32x4_00, __m128, _mm512_extractf32x4_ps(A_PS, 0))
VECTOR(extractf32x4_01, __m128, _mm512_extractf32x4_ps(A_PS, 1))
VECTOR(extractf32x4_02, __m128, _mm512_extractf32x4_ps(A_PS, 2))
VECTOR(extractf32x4_03, __m128, _mm512_extractf32x4_ps(A_PS, 3))
VECTOR(extracti64x4_00, __m256i, _mm512_extracti64x4_epi64(A_I, 0))
VECTOR(extracti64x4_01, __m256i, _mm512_extracti64x4_epi64(A_I, 1))
VECTOR(broadcast_f32x4, __m512, _mm512_broadcast_f32x4(LOAD(__m128, in->a)))

static void mask_storeu_epi32(const intrinsic_input *in, intrinsic_output *out)
{
    _mm512_mask_storeu_epi32(out->lane, in->mask, A_I);
}
static void mask_storeu_ps(const intrinsic_input *in, intrinsic_output *out)
{
    _mm512_mask_storeu_ps(out->lane, in->mask, A_PS);
}
VECTOR(gather_epi32, __m512i,
       _mm512_i32gather_epi32(LOAD(__m512i, in->index), in->table + INTRINSIC_TABLE / 2, 4))
VECTOR(gather_ps, __m512,
       _mm512_i32gather_ps(LOAD(__m512i, in->index), in->table + INTRINSIC_TABLE / 2, 4))

#define PROBE(intrinsic, function) {#intrinsic, #function, function},
const intrinsic_probe PROBES[INTRINSIC_COUNT] = {INTRINSICS(PROBE)};
