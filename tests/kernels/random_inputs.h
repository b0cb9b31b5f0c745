// SPDX-License-Identifier: MIT
/// Seeded random numbers (xorshift64*, Vigna 2016), and extremes that uniform ones never reach.
#pragma once

#include <stdint.h>
#include <string.h>

/// Builds with sanitizers are ten times as slow and check memory: a part of the inputs suffices.
#ifndef ZT_RANDOM_SHARE
#define ZT_RANDOM_SHARE 1
#endif

typedef struct random_state {
    uint64_t s; ///< the seed; never 0
} random_state;

static inline uint32_t random_u32(random_state *r)
{
    r->s ^= r->s >> 12;
    r->s ^= r->s << 25;
    r->s ^= r->s >> 27;
    return (uint32_t)((r->s * 0x2545f4914f6cdd1dULL) >> 32);
}

/// lo..hi, both inclusive.
static inline int32_t random_int(random_state *r, int32_t lo, int32_t hi)
{
    const uint64_t span = (uint64_t)((int64_t)hi - lo) + 1;
    return (int32_t)(lo + (int64_t)((random_u32(r) * span) >> 32));
}

static inline float random_float(random_state *r, float lo, float hi)
{
    return lo + (hi - lo) * ((float)(random_u32(r) >> 8) / 16777216.0f);
}

/// One in four is a zero of either sign, a subnormal, a tiny or a large number.
static inline float random_extreme(random_state *r, float lo, float hi)
{
    static const float extremes[] = {0.0f,  -0.0f,  1e-45f, -3e-42f, 1.2e-38f, -1e-20f,
                                     1e12f, -1e12f, 1e18f,  -1e18f,  1.0f,     -0.5f};
    if (random_u32(r) % 4 == 0)
        return extremes[random_u32(r) % (sizeof extremes / sizeof extremes[0])];
    return random_float(r, lo, hi);
}

static inline float float_of(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/// Any bit pattern: infinities and NaNs too.
static inline float random_bits(random_state *r) { return float_of(random_u32(r)); }
