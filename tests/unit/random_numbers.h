// SPDX-License-Identifier: MIT
/// Random numbers and directions from a seed, the same in every run.
#pragma once

#include "base/dvec3.h"

#include <stdint.h>

/// Bits that look random (xorshift, Marsaglia 2003), never 0 from a seed that is not.
static inline uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static inline double between(uint64_t *seed, double low, double high)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * ((double)(*seed >> 11) * 0x1p-53);
}

/// Even over the sphere.
static inline dvec3 random_direction(uint64_t *seed)
{
    dvec3 v;
    do {
        v.x = between(seed, -1.0, 1.0);
        v.y = between(seed, -1.0, 1.0);
        v.z = between(seed, -1.0, 1.0);
    } while (dvec3_length(v) > 1.0 || !dvec3_normalize(&v, 0.1));
    return v;
}

/// A loop over n, whose rounds each begin with the seed n.
#define EACH_SEED(n, seed, count) for (uint64_t n = 0, seed = 0; n < (count); seed = ++n)
