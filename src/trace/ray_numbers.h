// SPDX-License-Identifier: MIT
/// Numbers from which rays and sub-frames are made: a function of their place in a sequence alone.
#pragma once

#include <stdint.h>

enum {
    RAY_PATTERN = 4, ///< pixels a side of the pattern in which numbers repeat
    RAY_CLASSES = RAY_PATTERN * RAY_PATTERN,
    RAY_DIMENSIONS = 4,
};

/// Scrambles binary digits from the highest on, as Owen does; also the order of a sequence.
uint32_t sobol_scramble(uint32_t x, uint32_t seed);
/// Numbers in [0, 1) of the first two dimensions, scrambled.
void sobol_pair(uint32_t index, const uint32_t seed[2], double out[2]);
/// Fills `out` with numbers in [0, 1) of a sample of the pixels of a class, x + RAY_PATTERN y. They
/// are even by pairs.
void ray_numbers(int32_t class, uint32_t sample, double out[RAY_DIMENSIONS]);
