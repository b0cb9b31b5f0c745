// SPDX-License-Identifier: MIT
/// Every lane operation on 16 elements: lane_probe.c is compiled once for each set.
#pragma once

#include <stdint.h>

enum { PROBE_LANES = 16, PROBE_RESULTS = 116 };

typedef struct probe_input {
    _Alignas(64) float a[PROBE_LANES], b[PROBE_LANES]; ///< any bits
    float small[PROBE_LANES];                          ///< |x| < 2^31
    int32_t i[PROBE_LANES], j[PROBE_LANES];            ///< any
    int32_t half[PROBE_LANES];                         ///< |x| < 2^30
    int32_t index[PROBE_LANES];                        ///< 0..15
    uint8_t bytes[PROBE_LANES];
    uint16_t texels16[8]; ///< at most 32640
    uint8_t texels8[8];
    int32_t weight; ///< 0..256
    float table[PROBE_LANES][8];
} probe_input;

/// One row per operation, 16 results each.
typedef struct probe_output {
    uint32_t result[PROBE_RESULTS][PROBE_LANES];
    uint32_t count;                 ///< rows used
    uint32_t masks[16], mask_count; ///< bits of compares, 16 lanes each
} probe_output;

typedef void lane_probe_fn(const probe_input *in, probe_output *out);

/// Those of sets that are not built are NULL.
__attribute__((weak)) lane_probe_fn lane_probe_scalar, lane_probe_sse2, lane_probe_avx2,
    lane_probe_avx512, lane_probe_neon;
