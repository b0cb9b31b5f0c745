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

#define RUN(function, ...)                                                                         \
    static void function(const intrinsic_input *in, intrinsic_output *out) { __VA_ARGS__ }
/// Kinds of probes: the result is a mask, a vector, or in memory.
#define MASK(function, type, ...)   RUN(function, out->mask = __VA_ARGS__;)
#define VECTOR(function, type, ...) PART(function, type, sizeof x, __VA_ARGS__)
#define STORE(function, type, ...)  RUN(function, __VA_ARGS__;)
/// Of a vector that was cast to a wider one, some bytes are defined.
#define PART(function, type, size, ...)                                                            \
    RUN(function, (void)in; const type x = __VA_ARGS__; memcpy(out->lane, &x, size);)
#define PART_16(function, type, ...) PART(function, type, 16, __VA_ARGS__)
#define PART_32(function, type, ...) PART(function, type, 32, __VA_ARGS__)

#define A_PS LOAD(__m512, in->a)
#define B_PS LOAD(__m512, in->b)
#define A_I  LOAD(__m512i, in->a)
#define B_I  LOAD(__m512i, in->b)
#define C_I  LOAD(__m512i, in->c)

#define DEFINE(kind, type, function, intrinsic, arguments) kind(function, type, intrinsic arguments)
INTRINSICS(DEFINE)

#define PROBE(kind, type, function, intrinsic, ...) {#intrinsic, #function, function},
const intrinsic_probe PROBES[INTRINSIC_COUNT] = {INTRINSICS(PROBE)};
