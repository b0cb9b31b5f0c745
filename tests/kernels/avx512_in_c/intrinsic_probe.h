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

/// OP(intrinsic, function): the function runs it once. Immediates are the last two digits.
#define INTRINSICS(OP)                                                                             \
    OP(_mm512_cmp_ps_mask, cmp_eq)                                                                 \
    OP(_mm512_cmp_ps_mask, cmp_lt)                                                                 \
    OP(_mm512_cmp_ps_mask, cmp_le)                                                                 \
    OP(_mm512_cmp_ps_mask, cmp_ge)                                                                 \
    OP(_mm512_cmp_ps_mask, cmp_gt)                                                                 \
    OP(_mm512_cmplt_epi32_mask, cmplt_epi32)                                                       \
    OP(_mm512_cmpgt_epi32_mask, cmpgt_epi32)                                                       \
    OP(_mm512_cmpeq_epi32_mask, cmpeq_epi32)                                                       \
    OP(_mm512_test_epi32_mask, test_epi32)                                                         \
    OP(_mm512_mask_blend_epi32, blend_epi32)                                                       \
    OP(_mm512_mask_blend_ps, blend_ps)                                                             \
    OP(_mm512_mask_add_ps, mask_add_ps)                                                            \
    OP(_mm512_min_ps, min_ps)                                                                      \
    OP(_mm512_max_ps, max_ps)                                                                      \
    OP(_mm512_sqrt_ps, sqrt_ps)                                                                    \
    OP(_mm512_roundscale_ps, roundscale_ps)                                                        \
    OP(_mm512_min_epi32, min_epi32)                                                                \
    OP(_mm512_max_epi32, max_epi32)                                                                \
    OP(_mm512_min_epu32, min_epu32)                                                                \
    OP(_mm512_mullo_epi32, mullo_epi32)                                                            \
    OP(_mm512_madd_epi16, madd_epi16)                                                              \
    OP(_mm512_mulhrs_epi16, mulhrs_epi16)                                                          \
    OP(_mm512_srai_epi32, srai_epi32_00)                                                           \
    OP(_mm512_srai_epi32, srai_epi32_08)                                                           \
    OP(_mm512_srai_epi32, srai_epi32_28)                                                           \
    OP(_mm512_cvttps_epi32, cvttps_epi32)                                                          \
    OP(_mm512_cvtepi32_ps, cvtepi32_ps)                                                            \
    OP(_mm512_cvtepu8_epi32, cvtepu8_epi32)                                                        \
    OP(_mm512_cvtepi32_epi8, cvtepi32_epi8)                                                        \
    OP(_mm512_maskz_compress_epi32, compress_epi32)                                                \
    OP(_mm512_set1_epi32, set1_epi32)                                                              \
    OP(_mm512_unpacklo_epi16, unpacklo_epi16)                                                      \
    OP(_mm512_unpackhi_epi16, unpackhi_epi16)                                                      \
    OP(_mm512_shuffle_epi8, shuffle_epi8)                                                          \
    OP(_mm512_permute_ps, permute_ps_00)                                                           \
    OP(_mm512_permute_ps, permute_ps_55)                                                           \
    OP(_mm512_permute_ps, permute_ps_ff)                                                           \
    OP(_mm512_permute_ps, permute_ps_72)                                                           \
    OP(_mm512_shuffle_f32x4, shuffle_f32x4_88)                                                     \
    OP(_mm512_shuffle_f32x4, shuffle_f32x4_dd)                                                     \
    OP(_mm512_shuffle_f32x4, shuffle_f32x4_1b)                                                     \
    OP(_mm512_shuffle_f32x4, shuffle_f32x4_72)                                                     \
    OP(_mm512_shuffle_i64x2, shuffle_i64x2_72)                                                     \
    OP(_mm512_permutex2var_epi32, permutex2var_epi32)                                              \
    OP(_mm512_permutex2var_ps, permutex2var_ps)                                                    \
    OP(_mm512_permutex2var_epi16, permutex2var_epi16)                                              \
    OP(_mm512_permutexvar_epi32, permutexvar_epi32)                                                \
    OP(_mm512_permutexvar_ps, permutexvar_ps)                                                      \
    OP(_mm512_permutexvar_epi16, permutexvar_epi16)                                                \
    OP(_mm256_permutexvar_epi16, permutexvar_epi16_256)                                            \
    OP(_mm512_castps128_ps512, castps128_ps512)                                                    \
    OP(_mm512_castps256_ps512, castps256_ps512)                                                    \
    OP(_mm512_castsi256_si512, castsi256_si512)                                                    \
    OP(_mm512_castps512_ps128, castps512_ps128)                                                    \
    OP(_mm512_castsi512_si256, castsi512_si256)                                                    \
    OP(_mm512_insertf32x4, insertf32x4_00)                                                         \
    OP(_mm512_insertf32x4, insertf32x4_01)                                                         \
    OP(_mm512_insertf32x4, insertf32x4_02)                                                         \
    OP(_mm512_insertf32x4, insertf32x4_03)                                                         \
    OP(_mm512_insertf32x8, insertf32x8_00)                                                         \
    OP(_mm512_insertf32x8, insertf32x8_01)                                                         \
    OP(_mm512_inserti64x4, inserti64x4_00)                                                         \
    OP(_mm512_inserti64x4, inserti64x4_01)                                                         \
    OP(_mm512_extractf32x4_ps, extractf32x4_00)                                                    \
    OP(_mm512_extractf32x4_ps, extractf32x4_01)                                                    \
    OP(_mm512_extractf32x4_ps, extractf32x4_02)                                                    \
    OP(_mm512_extractf32x4_ps, extractf32x4_03)                                                    \
    OP(_mm512_extracti64x4_epi64, extracti64x4_00)                                                 \
    OP(_mm512_extracti64x4_epi64, extracti64x4_01)                                                 \
    OP(_mm512_broadcast_f32x4, broadcast_f32x4)                                                    \
    OP(_mm512_mask_storeu_epi32, mask_storeu_epi32)                                                \
    OP(_mm512_mask_storeu_ps, mask_storeu_ps)                                                      \
    OP(_mm512_i32gather_epi32, gather_epi32)                                                       \
    OP(_mm512_i32gather_ps, gather_ps)

#define INTRINSIC_ONE(intrinsic, function) +1
enum { INTRINSIC_COUNT = 0 INTRINSICS(INTRINSIC_ONE) };

extern const intrinsic_probe intrinsic_probes_c[INTRINSIC_COUNT];
extern const intrinsic_probe intrinsic_probes_native[INTRINSIC_COUNT];
