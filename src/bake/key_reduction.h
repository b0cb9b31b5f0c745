// SPDX-License-Identifier: MIT
/// Which samples of a curve become keys, so that what lies between the keys stays near the samples.
///
/// Douglas & Peucker, "Algorithms for the reduction of the number of points required to represent a
/// digitized line or its caricature", 1973: the farthest sample between two keys becomes a key.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// The distance of what keys `before` and `after` give at `sample`; if equal, the value is held.
typedef double key_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample);

/// Sets keyed[k] where sample k becomes a key, of `count` samples: the first always; it alone when
/// all others are within `tolerance` of it; otherwise the last one too, and then no sample between
/// two keys is farther off. `stack`: room for `count` + 1 numbers.
void key_reduce(key_distance *distance, const void *user, uint32_t count, double tolerance,
                uint32_t *stack, bool *keyed);
