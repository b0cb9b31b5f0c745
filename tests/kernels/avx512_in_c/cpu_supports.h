// SPDX-License-Identifier: MIT
/// Included before src/kernels/dispatch.c where the AVX-512 kernels are those in C: a processor has
/// AVX-512. Other features are queried as usual.
#pragma once

#include <string.h>

#define __builtin_cpu_supports(name)                                                               \
    (strncmp(name, "avx512", 6) == 0 || __builtin_cpu_supports(name))
