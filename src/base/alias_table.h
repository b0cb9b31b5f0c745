// SPDX-License-Identifier: MIT
/// Alias tables (Walker 1977): an index by its weight, in constant time.
#pragma once

#include <stdint.h>

/// A slot stands for two indices: its own, with the probability `keep`, and `other`.
typedef struct alias_slot {
    float keep; ///< below 0: the probability less 1, so that both have all bits of a float
    uint32_t other;
} alias_slot;

/// Fills slots[count] for weights that are not negative; count: 1 to 2^24. `sum`: of all, above 0.
/// The weights are overwritten. Index i has the probability p = weights[i] / sum, with an error
/// below 2^-23 * p + 2^-51 * count; it is 0 where p is 0.
void alias_table_build(double *weights, uint32_t count, double sum, alias_slot *slots);

/// The index for *u in [0, 1). *u becomes a number in [0, 1) that is independent of the index.
uint32_t alias_table_pick(const alias_slot *slots, uint32_t count, double *u);
