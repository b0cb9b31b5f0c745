// SPDX-License-Identifier: MIT
// The Sobol sequence (directions of Joe & Kuo, "Constructing Sobol sequences with better
// two-dimensional projections", 2008), scrambled as Owen does by hashing (Burley, "Practical
// hash-based Owen scrambling", JCGT 2020; constants of Laine & Karras 2011, Vegdahl 2021).
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

static uint32_t scramble(uint32_t x, uint32_t seed)
{
    x = reverse(x) + seed;
    x ^= x * 0x6c50b47cu;
    x ^= x * 0xb82f1e52u;
    x ^= x * 0xc7afe638u;
    x ^= x * 0x8d22f6e6u;
    return reverse(x);
}

/// Number `index` of a dimension, by its primitive polynomial: degree, inner coefficients, first
/// directions.
static uint32_t sobol(uint32_t index, int dimension)
{
    static const struct {
        int degree;
        uint32_t inner, first[3];
    } rows[RAY_DIMENSIONS] = {{1, 0, {1}}, {1, 0, {1}}, {2, 1, {1, 3}}, {3, 1, {1, 3, 1}}};
    const int degree = rows[dimension].degree;
    uint32_t direction[32], x = 0;
    for (int i = 0; i < 32; i++) {
        if (dimension == 0 || i < degree) {
            direction[i] = (dimension == 0 ? 1u : rows[dimension].first[i]) << (31 - i);
        } else {
            direction[i] = direction[i - degree] ^ direction[i - degree] >> degree;
            for (int k = 1; k < degree; k++)
                if (rows[dimension].inner >> (degree - 1 - k) & 1u)
                    direction[i] ^= direction[i - k];
        }
        x ^= index >> i & 1u ? direction[i] : 0u;
    }
    return x;
}

void ray_numbers(int32_t class, uint32_t sample, double out[RAY_DIMENSIONS])
{
    static const uint32_t seeds[RAY_DIMENSIONS] = {0x9e3779b9u, 0x85ebca6bu, 0xc2b2ae35u,
                                                   0x27d4eb2fu};
    const uint32_t of_sixteen = (uint32_t) class ^ ((sample ^ sample >> 1) & (RAY_CLASSES - 1));
    for (int i = 0; i < RAY_DIMENSIONS; i++)
        out[i] = (double)scramble(sobol(sample * RAY_CLASSES + of_sixteen, i), seeds[i]) * 0x1p-32;
}
