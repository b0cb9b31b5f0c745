// SPDX-License-Identifier: MIT
/// Which samples of a curve become keys, so that what lies between the keys stays near the samples.
///
/// Douglas & Peucker, "Algorithms for the reduction of the number of points required to represent a
/// digitized line or its caricature", 1973: the farthest sample between two keys becomes a key.
#pragma once

#include "base/arena.h"

/// The distance of what keys `before` and `after` give at `sample`; if equal, the value is held.
typedef double key_distance(const void *user, uint32_t before, uint32_t after, uint32_t sample);

typedef struct key_curve {
    key_distance *distance;
    const void *user;
    double tolerance;
} key_curve;

/// Sets keyed[k] where sample k becomes a key, of `count` samples: the first always; it alone when
/// all others are within the tolerance of it; otherwise the last one too, and then no sample
/// between two keys is farther off. ZT_ERR_MEMORY, _LIMIT, _CANCELLED by the budget of `a`.
zt_result key_reduce(key_curve curve, uint32_t count, bool *keyed, arena *a, zt_error *err);

/// The keys of a curve: samples, rising, the first 0. With one key nothing moves.
typedef struct key_list {
    uint32_t count;
    const uint32_t *sample;
} key_list;

/// The samples that are keys, of `count`, into `keep`. ZT_ERR_MEMORY, _LIMIT.
zt_result key_list_make(const bool *keyed, uint32_t count, arena *keep, key_list *out,
                        zt_error *err);

/// Curves of `width` numbers each: what they are at samples, and when.
typedef struct key_rows {
    const float *value;  ///< [sample][width]
    const float *time_s; ///< [sample], rising
    uint32_t width;
} key_rows;

/// The difference of number `index` at a sample from what is between keys `before` and `after`.
double key_rows_difference(const key_rows *rows, uint32_t before, uint32_t after, uint32_t sample,
                           uint32_t index);
