// SPDX-License-Identifier: MIT
// One sweep over the weights (Huebschle-Schneider & Sanders, "Parallel Weighted Random Sampling",
// 2022, section 4.1): the rest of one heavy index fills the slots of light ones; when less than a
// slot is left of it, the next heavy one fills up its own.
#include "base/alias_table.h"

#include <stdbool.h>

/// The next index from `i` on whose weight is at most 1 (light) or above 1.
static uint32_t find(const double *weights, uint32_t count, uint32_t i, bool light)
{
    while (i < count && (weights[i] <= 1.0) != light)
        i++;
    return i;
}

static alias_slot slot_of(double keep, uint32_t other)
{
    return (alias_slot){(float)(keep > 0.5 ? keep - 1.0 : keep), other};
}

void alias_table_build(double *weights, uint32_t count, double sum, alias_slot *slots)
{
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = weights[i] / sum * count;
        slots[i] = (alias_slot){0.0f, i};
    }
    uint32_t light = find(weights, count, 0, true), heavy = find(weights, count, 0, false);
    double rest = heavy < count ? weights[heavy] : 0.0;
    while (heavy < count) {
        if (rest > 1.0) {
            if (light == count)
                return;
            slots[light] = slot_of(weights[light], heavy);
            rest = (rest + weights[light]) - 1.0;
            light = find(weights, count, light + 1, true);
            continue;
        }
        const uint32_t next = find(weights, count, heavy + 1, false);
        if (next == count)
            break;
        slots[heavy] = slot_of(rest, next);
        rest = (rest + weights[next]) - 1.0;
        heavy = next;
    }
    // The slots that are left keep themselves. What is left of all weights is their number but for
    // roundings, and none of them has more than 1: each has 1 but for these roundings.
}

uint32_t alias_table_pick(const alias_slot *slots, uint32_t count, double *u)
{
    const double place = *u * count;
    uint32_t i = (uint32_t)place;
    i = i < count ? i : count - 1; // where the product was rounded up
    const double within = place - i, stored = (double)slots[i].keep;
    const double keep = stored < 0.0 ? stored + 1.0 : stored;
    const bool kept = within < keep;
    const double fresh = kept ? within / keep : (within - keep) / (1.0 - keep);
    *u = fresh < 1.0 ? fresh : 1.0 - 0x1p-53;
    return kept ? i : slots[i].other;
}
