// SPDX-License-Identifier: MIT
/// The AVX-512 intrinsics of src/simd, in C on the vector types of gcc and clang: what the AVX-512
/// kernels compute, on any machine with AVX2. Found before the compiler's header, it includes that
/// one and then puts functions of its own instead of its AVX-512 ones; one that is missing
/// here does not compile ("target specific option mismatch"). What each does is said by Intel's
/// Software Developer's Manual, volume 2, under the instruction of the intrinsic; intrinsics.c
/// holds each of them to that. Lanes that the manual leaves undefined hold a pattern of their own.
#pragma once

#include_next <immintrin.h>
#include <stdint.h>
#include <string.h>

// The lanes' headers ask for it, as the compiler would say with -mavx512bw.
#ifdef __AVX512BW__
#error "the AVX-512 intrinsics in C stand for those of a processor without them"
#endif
#define __AVX512BW__ 1

#include "intrinsics_lanes.h"
#include "intrinsics_words.h"

// Instead of the compiler's, some of which are macros; in a system header they may be redefined.
#pragma GCC system_header

#define _mm256_permutexvar_epi16    c512_256_permutexvar_epi16
#define _mm512_broadcast_f32x4      c512_broadcast_f32x4
#define _mm512_castps128_ps512      c512_castps128_ps512
#define _mm512_castps256_ps512      c512_castps256_ps512
#define _mm512_castps512_ps128      c512_castps512_ps128
#define _mm512_castsi256_si512      c512_castsi256_si512
#define _mm512_castsi512_si256      c512_castsi512_si256
#define _mm512_cmp_ps_mask          c512_cmp_ps_mask
#define _mm512_cmpeq_epi32_mask     c512_cmpeq_epi32_mask
#define _mm512_cmpgt_epi32_mask     c512_cmpgt_epi32_mask
#define _mm512_cmplt_epi32_mask     c512_cmplt_epi32_mask
#define _mm512_cvtepi32_epi8        c512_cvtepi32_epi8
#define _mm512_cvtepi32_ps          c512_cvtepi32_ps
#define _mm512_cvtepu8_epi32        c512_cvtepu8_epi32
#define _mm512_cvttps_epi32         c512_cvttps_epi32
#define _mm512_extractf32x4_ps      c512_extractf32x4_ps
#define _mm512_extracti64x4_epi64   c512_extracti64x4_epi64
#define _mm512_i32gather_epi32      c512_i32gather_epi32
#define _mm512_i32gather_ps         c512_i32gather_ps
#define _mm512_insertf32x4          c512_insertf32x4
#define _mm512_insertf32x8          c512_insertf32x8
#define _mm512_inserti64x4          c512_inserti64x4
#define _mm512_madd_epi16           c512_madd_epi16
#define _mm512_mask_add_ps          c512_mask_add_ps
#define _mm512_mask_blend_epi32     c512_mask_blend_epi32
#define _mm512_mask_blend_ps        c512_mask_blend_ps
#define _mm512_mask_storeu_epi32    c512_mask_storeu_epi32
#define _mm512_mask_storeu_ps       c512_mask_storeu_ps
#define _mm512_maskz_compress_epi32 c512_maskz_compress_epi32
#define _mm512_max_epi32            c512_max_epi32
#define _mm512_max_ps               c512_max_ps
#define _mm512_min_epi32            c512_min_epi32
#define _mm512_min_epu32            c512_min_epu32
#define _mm512_min_ps               c512_min_ps
#define _mm512_mulhrs_epi16         c512_mulhrs_epi16
#define _mm512_mullo_epi32          c512_mullo_epi32
#define _mm512_permute_ps           c512_permute_ps
#define _mm512_permutex2var_epi16   c512_permutex2var_epi16
#define _mm512_permutex2var_epi32   c512_permutex2var_epi32
#define _mm512_permutex2var_ps      c512_permutex2var_ps
#define _mm512_permutexvar_epi16    c512_permutexvar_epi16
#define _mm512_permutexvar_epi32    c512_permutexvar_epi32
#define _mm512_permutexvar_ps       c512_permutexvar_ps
#define _mm512_roundscale_ps        c512_roundscale_ps
#define _mm512_set1_epi32           c512_set1_epi32
#define _mm512_shuffle_epi8         c512_shuffle_epi8
#define _mm512_shuffle_f32x4        c512_shuffle_f32x4
#define _mm512_shuffle_i64x2        c512_shuffle_i64x2
#define _mm512_sqrt_ps              c512_sqrt_ps
#define _mm512_srai_epi32           c512_srai_epi32
#define _mm512_test_epi32_mask      c512_test_epi32_mask
#define _mm512_unpackhi_epi16       c512_unpackhi_epi16
#define _mm512_unpacklo_epi16       c512_unpacklo_epi16
