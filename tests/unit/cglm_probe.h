// SPDX-License-Identifier: MIT
/// The copies of cglm_probe.c.
#pragma once

#include <stdint.h>

uint64_t cglm_probe_o0(void);
uint64_t cglm_probe_o2(void);
#if defined(__x86_64__)
uint64_t cglm_probe_fma(void); ///< -O3 -mavx2 -mfma
#endif
