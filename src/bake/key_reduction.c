// SPDX-License-Identifier: MIT
/// Reduction of one curve; see key_reduction.h.
#include "bake/key_reduction.h"

/// The farthest sample in (before, end) of what keys give; `before` when none exceeds `tolerance`.
static uint32_t find_farthest(key_distance *distance, const void *user, uint32_t before,
                              uint32_t after, uint32_t end, double tolerance)
{
    uint32_t farthest = before;
    double max = tolerance;
    for (uint32_t k = before + 1; k < end; k++) {
        const double d = distance(user, before, after, k);
        if (!(d <= max)) {
            max = d;
            farthest = k;
        }
    }
    return farthest;
}

void key_reduce(key_distance *distance, const void *user, uint32_t count, double tolerance,
                uint32_t *stack, bool *keyed)
{
    for (uint32_t k = 0; k < count; k++)
        keyed[k] = k == 0;
    if (count < 2 || find_farthest(distance, user, 0, 0, count, tolerance) == 0)
        return;
    // The stack holds the ends of the intervals after `before`, nearest on top.
    uint32_t before = 0, depth = 0;
    keyed[count - 1] = true;
    stack[depth++] = count - 1;
    while (depth > 0) {
        const uint32_t after = stack[depth - 1];
        const uint32_t farthest = find_farthest(distance, user, before, after, after, tolerance);
        if (farthest == before) {
            before = after;
            depth--;
        } else {
            keyed[farthest] = true;
            stack[depth++] = farthest;
        }
    }
}
