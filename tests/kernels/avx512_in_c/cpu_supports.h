// SPDX-License-Identifier: MIT
/// Included before src/kernels/dispatch.c for AVX-512 in C: a processor has AVX-512.
#pragma once

#include <string.h>

#define __builtin_cpu_supports(name)                                                               \
    (strncmp(name, "avx512", 6) == 0 || __builtin_cpu_supports(name))
