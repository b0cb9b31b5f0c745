// SPDX-License-Identifier: MIT
/// Every AVX-512 intrinsic that the lanes use, on one input: intrinsic_probe.c is compiled with
/// those in C, and with those of the compiler for processors that have them.
#pragma once

#include <stdint.h>

enum { INTRINSIC_LANES = 16, INTRINSIC_TABLE = 64 };

typedef struct intrinsic_input {
    _Alignas(64) uint32_t a[INTRINSIC_LANES], b[INTRINSIC_LANES], c[INTRINSIC_LANES]; ///< any bits
    uint32_t index[INTRINSIC_LANES]; ///< within -32..31
    uint32_t table[INTRINSIC_TABLE]; ///< the probe gets its middle
    uint16_t mask;
} intrinsic_input;

/// A result of fewer than 16 lanes is the first of them. `around` is not written.
typedef struct intrinsic_output {
    uint32_t before[INTRINSIC_LANES];
    uint32_t lane[INTRINSIC_LANES];
    uint32_t around[INTRINSIC_LANES];
    uint32_t mask;
} intrinsic_output;

typedef struct intrinsic_probe {
    const char *name; ///< of the intrinsic
    const char *test; ///< name of the case
    void (*run)(const intrinsic_input *in, intrinsic_output *out);
} intrinsic_probe;

/// OP(kind, type, function, intrinsic, arguments): the function, of that kind, runs it once; the
/// result has the type. Immediates are the last two digits.
#define INTRINSICS(OP)                                                                             \
    OP(MASK, __mmask16, cmp_eq, _mm512_cmp_ps_mask, (A_PS, B_PS, _CMP_EQ_OQ))                      \
    OP(MASK, __mmask16, cmp_lt, _mm512_cmp_ps_mask, (A_PS, B_PS, _CMP_LT_OQ))                      \
    OP(MASK, __mmask16, cmp_le, _mm512_cmp_ps_mask, (A_PS, B_PS, _CMP_LE_OQ))                      \
    OP(MASK, __mmask16, cmp_ge, _mm512_cmp_ps_mask, (A_PS, B_PS, _CMP_GE_OQ))                      \
    OP(MASK, __mmask16, cmp_gt, _mm512_cmp_ps_mask, (A_PS, B_PS, _CMP_GT_OQ))                      \
    OP(MASK, __mmask16, cmplt_epi32, _mm512_cmplt_epi32_mask, (A_I, B_I))                          \
    OP(MASK, __mmask16, cmpgt_epi32, _mm512_cmpgt_epi32_mask, (A_I, B_I))                          \
    OP(MASK, __mmask16, cmpeq_epi32, _mm512_cmpeq_epi32_mask, (A_I, B_I))                          \
    OP(MASK, __mmask16, test_epi32, _mm512_test_epi32_mask, (A_I, B_I))                            \
    OP(VECTOR, __m512i, blend_epi32, _mm512_mask_blend_epi32, (in->mask, A_I, B_I))                \
    OP(VECTOR, __m512, blend_ps, _mm512_mask_blend_ps, (in->mask, A_PS, B_PS))                     \
    OP(VECTOR, __m512, mask_add_ps, _mm512_mask_add_ps,                                            \
       (LOAD(__m512, in->c), in->mask, A_PS, B_PS))                                                \
    OP(VECTOR, __m512, min_ps, _mm512_min_ps, (A_PS, B_PS))                                        \
    OP(VECTOR, __m512, max_ps, _mm512_max_ps, (A_PS, B_PS))                                        \
    OP(VECTOR, __m512, sqrt_ps, _mm512_sqrt_ps, (A_PS))                                            \
    OP(VECTOR, __m512, roundscale_ps, _mm512_roundscale_ps,                                        \
       (A_PS, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC))                                          \
    OP(VECTOR, __m512i, min_epi32, _mm512_min_epi32, (A_I, B_I))                                   \
    OP(VECTOR, __m512i, max_epi32, _mm512_max_epi32, (A_I, B_I))                                   \
    OP(VECTOR, __m512i, min_epu32, _mm512_min_epu32, (A_I, B_I))                                   \
    OP(VECTOR, __m512i, mullo_epi32, _mm512_mullo_epi32, (A_I, B_I))                               \
    OP(VECTOR, __m512i, madd_epi16, _mm512_madd_epi16, (A_I, B_I))                                 \
    OP(VECTOR, __m512i, mulhrs_epi16, _mm512_mulhrs_epi16, (A_I, B_I))                             \
    OP(VECTOR, __m512i, srai_epi32_00, _mm512_srai_epi32, (A_I, 0x00))                             \
    OP(VECTOR, __m512i, srai_epi32_08, _mm512_srai_epi32, (A_I, 0x08))                             \
    OP(VECTOR, __m512i, srai_epi32_28, _mm512_srai_epi32, (A_I, 0x28))                             \
    OP(VECTOR, __m512i, cvttps_epi32, _mm512_cvttps_epi32, (A_PS))                                 \
    OP(VECTOR, __m512, cvtepi32_ps, _mm512_cvtepi32_ps, (A_I))                                     \
    OP(VECTOR, __m512i, cvtepu8_epi32, _mm512_cvtepu8_epi32, (LOAD(__m128i, in->a)))               \
    OP(VECTOR, __m128i, cvtepi32_epi8, _mm512_cvtepi32_epi8, (A_I))                                \
    OP(VECTOR, __m512i, compress_epi32, _mm512_maskz_compress_epi32, ((__mmask16)in->mask, A_I))   \
    OP(VECTOR, __m512i, set1_epi32, _mm512_set1_epi32, ((int)in->a[0]))                            \
    OP(VECTOR, __m512i, unpacklo_epi16, _mm512_unpacklo_epi16, (A_I, B_I))                         \
    OP(VECTOR, __m512i, unpackhi_epi16, _mm512_unpackhi_epi16, (A_I, B_I))                         \
    OP(VECTOR, __m512i, shuffle_epi8, _mm512_shuffle_epi8, (A_I, C_I))                             \
    OP(VECTOR, __m512, permute_ps_00, _mm512_permute_ps, (A_PS, 0x00))                             \
    OP(VECTOR, __m512, permute_ps_55, _mm512_permute_ps, (A_PS, 0x55))                             \
    OP(VECTOR, __m512, permute_ps_ff, _mm512_permute_ps, (A_PS, 0xff))                             \
    OP(VECTOR, __m512, permute_ps_72, _mm512_permute_ps, (A_PS, 0x72))                             \
    OP(VECTOR, __m512, shuffle_f32x4_88, _mm512_shuffle_f32x4, (A_PS, B_PS, 0x88))                 \
    OP(VECTOR, __m512, shuffle_f32x4_dd, _mm512_shuffle_f32x4, (A_PS, B_PS, 0xdd))                 \
    OP(VECTOR, __m512, shuffle_f32x4_1b, _mm512_shuffle_f32x4, (A_PS, B_PS, 0x1b))                 \
    OP(VECTOR, __m512, shuffle_f32x4_72, _mm512_shuffle_f32x4, (A_PS, B_PS, 0x72))                 \
    OP(VECTOR, __m512i, shuffle_i64x2_72, _mm512_shuffle_i64x2, (A_I, B_I, 0x72))                  \
    OP(VECTOR, __m512i, permutex2var_epi32, _mm512_permutex2var_epi32, (A_I, C_I, B_I))            \
    OP(VECTOR, __m512, permutex2var_ps, _mm512_permutex2var_ps, (A_PS, C_I, B_PS))                 \
    OP(VECTOR, __m512i, permutex2var_epi16, _mm512_permutex2var_epi16, (A_I, C_I, B_I))            \
    OP(VECTOR, __m512i, permutexvar_epi32, _mm512_permutexvar_epi32, (C_I, A_I))                   \
    OP(VECTOR, __m512, permutexvar_ps, _mm512_permutexvar_ps, (C_I, A_PS))                         \
    OP(VECTOR, __m512i, permutexvar_epi16, _mm512_permutexvar_epi16, (C_I, A_I))                   \
    OP(VECTOR, __m256i, permutexvar_epi16_256, _mm256_permutexvar_epi16,                           \
       (LOAD(__m256i, in->c), LOAD(__m256i, in->a)))                                               \
    OP(PART_16, __m512, castps128_ps512, _mm512_castps128_ps512, (LOAD(__m128, in->a)))            \
    OP(PART_32, __m512, castps256_ps512, _mm512_castps256_ps512, (LOAD(__m256, in->a)))            \
    OP(PART_32, __m512i, castsi256_si512, _mm512_castsi256_si512, (LOAD(__m256i, in->a)))          \
    OP(VECTOR, __m128, castps512_ps128, _mm512_castps512_ps128, (A_PS))                            \
    OP(VECTOR, __m256i, castsi512_si256, _mm512_castsi512_si256, (A_I))                            \
    OP(VECTOR, __m512, insertf32x4_00, _mm512_insertf32x4, (A_PS, LOAD(__m128, in->b), 0))         \
    OP(VECTOR, __m512, insertf32x4_01, _mm512_insertf32x4, (A_PS, LOAD(__m128, in->b), 1))         \
    OP(VECTOR, __m512, insertf32x4_02, _mm512_insertf32x4, (A_PS, LOAD(__m128, in->b), 2))         \
    OP(VECTOR, __m512, insertf32x4_03, _mm512_insertf32x4, (A_PS, LOAD(__m128, in->b), 3))         \
    OP(VECTOR, __m512, insertf32x8_00, _mm512_insertf32x8, (A_PS, LOAD(__m256, in->b), 0))         \
    OP(VECTOR, __m512, insertf32x8_01, _mm512_insertf32x8, (A_PS, LOAD(__m256, in->b), 1))         \
    OP(VECTOR, __m512i, inserti64x4_00, _mm512_inserti64x4, (A_I, LOAD(__m256i, in->b), 0))        \
    OP(VECTOR, __m512i, inserti64x4_01, _mm512_inserti64x4, (A_I, LOAD(__m256i, in->b), 1))        \
    OP(VECTOR, __m128, extractf32x4_00, _mm512_extractf32x4_ps, (A_PS, 0))                         \
    OP(VECTOR, __m128, extractf32x4_01, _mm512_extractf32x4_ps, (A_PS, 1))                         \
    OP(VECTOR, __m128, extractf32x4_02, _mm512_extractf32x4_ps, (A_PS, 2))                         \
    OP(VECTOR, __m128, extractf32x4_03, _mm512_extractf32x4_ps, (A_PS, 3))                         \
    OP(VECTOR, __m256i, extracti64x4_00, _mm512_extracti64x4_epi64, (A_I, 0))                      \
    OP(VECTOR, __m256i, extracti64x4_01, _mm512_extracti64x4_epi64, (A_I, 1))                      \
    OP(VECTOR, __m512, broadcast_f32x4, _mm512_broadcast_f32x4, (LOAD(__m128, in->a)))             \
    OP(STORE, void, mask_storeu_epi32, _mm512_mask_storeu_epi32, (out->lane, in->mask, A_I))       \
    OP(STORE, void, mask_storeu_ps, _mm512_mask_storeu_ps, (out->lane, in->mask, A_PS))            \
    OP(VECTOR, __m512i, gather_epi32, _mm512_i32gather_epi32,                                      \
       (LOAD(__m512i, in->index), in->table + INTRINSIC_TABLE / 2, 4))                             \
    OP(VECTOR, __m512, gather_ps, _mm512_i32gather_ps,                                             \
       (LOAD(__m512i, in->index), in->table + INTRINSIC_TABLE / 2, 4))

#define INTRINSIC_ONE(...) +1
enum { INTRINSIC_COUNT = 0 INTRINSICS(INTRINSIC_ONE) };

extern const intrinsic_probe intrinsic_probes_c[INTRINSIC_COUNT];
extern const intrinsic_probe intrinsic_probes_native[INTRINSIC_COUNT];
