// SPDX-License-Identifier: MIT
/// Numbers from which rays are made: a function of pixel, sample and dimension alone.
#pragma once

#include <stdint.h>

enum {
    RAY_PATTERN = 4, ///< pixels a side of the pattern in which numbers repeat
    RAY_CLASSES = RAY_PATTERN * RAY_PATTERN,
    RAY_DIMENSIONS = 4,
};

/// Fills `out` with numbers in [0, 1) of a sample of the pixels of a class, x + RAY_PATTERN y. They
/// are even by pairs.
void ray_numbers(int32_t class, uint32_t sample, double out[RAY_DIMENSIONS]);
