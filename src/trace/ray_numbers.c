// SPDX-License-Identifier: MIT
// The Sobol sequence in pairs of dimensions, shuffled and scrambled as Owen does by hashing
// (Burley, "Practical Hash-based Owen Scrambling", JCGT 2020; constants by Vegdahl, 2021).
//
// The pixels of a class take every sixteenth number: the first n of all classes together are the
// first 16 n of the sequence, for all n. Which one of sixteen goes through a Gray code, by which
// the numbers of one class are spread as evenly.
#include "trace/ray_numbers.h"

static uint32_t reverse(uint32_t x)
{
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
}

uint32_t sobol_scramble(uint32_t x, uint32_t seed)
{
    x = reverse(x) + seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return reverse(x);
}

void sobol_pair(uint32_t index, const uint32_t seed[2], double out[2])
{
    uint32_t y = 0;
    for (uint32_t left = index, v = 1u << 31; left; left >>= 1, v ^= v >> 1)
        y ^= left & 1u ? v : 0u;
    out[0] = (double)sobol_scramble(reverse(index), seed[0]) * 0x1p-32;
    out[1] = (double)sobol_scramble(y, seed[1]) * 0x1p-32;
}

void ray_numbers(int32_t class, uint32_t sample, double out[RAY_DIMENSIONS])
{
    static const uint32_t seeds[RAY_DIMENSIONS] = {0x9e3779b9u, 0x85ebca6bu, 0xc2b2ae35u,
                                                   0x27d4eb2fu};
    const uint32_t gray = (sample ^ sample >> 1) & (RAY_CLASSES - 1);
    const uint32_t index = sample * RAY_CLASSES + ((uint32_t) class ^ gray);
    sobol_pair(index, seeds, out);
    sobol_pair(sobol_scramble(index, seeds[0]), seeds + 2, out + 2);
}
