// SPDX-License-Identifier: MIT
/// The order in which a stage's jobs start. It never reaches a pixel, which tests prove by others.
#pragma once

#include <stdint.h>

typedef enum job_order_kind {
    JOB_ORDER_FORWARD,
    JOB_ORDER_REVERSE,
    JOB_ORDER_SHUFFLE
} job_order_kind;

typedef struct job_order {
    job_order_kind kind;
    uint32_t seed; ///< order of JOB_ORDER_SHUFFLE
} job_order;

/// A permutation of [0, count) that needs no memory: two rounds of an odd multiplication and a
/// shift, each a bijection below a power of two, repeated until the number is below `count`.
static inline int64_t job_order_shuffled(uint32_t seed, int64_t iteration, int64_t count)
{
    uint32_t bits = 1;
    while ((int64_t)1 << bits < count)
        bits++;
    const uint64_t mask = ((uint64_t)1 << bits) - 1;
    uint64_t at = (uint64_t)iteration;
    do {
        for (uint32_t round = 0; round < 2; round++) {
            at = (at * (seed * 2u + 0x9e3779b1u) + (seed >> 7) + round) & mask;
            at ^= at >> (bits + 1) / 2;
        }
    } while (at >= (uint64_t)count);
    return (int64_t)at;
}

/// The index of the job that iteration `iteration` of `count` runs.
static inline int64_t job_order_at(job_order order, int64_t iteration, int64_t count)
{
    switch (order.kind) {
    case JOB_ORDER_REVERSE: return count - 1 - iteration;
    case JOB_ORDER_SHUFFLE: return job_order_shuffled(order.seed, iteration, count);
    case JOB_ORDER_FORWARD: break;
    }
    return iteration;
}
