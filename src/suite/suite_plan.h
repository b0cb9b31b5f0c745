// SPDX-License-Identifier: MIT
/// The order in which shots are rendered: those of one scene together, so that a model is loaded
/// once for its frames and sides.
#pragma once

#include "suite/suite.h"

/// A part of the order of work that one worker takes: shots of one scene.
typedef struct suite_range {
    uint32_t first, count;
} suite_range;

typedef struct suite_plan {
    uint32_t *order; ///< [count] indices into `selected`, rising in each range
    suite_range *ranges;
    uint32_t range_count;
} suite_plan;

/// The shots of each scene, in its first one's order, in ranges that each load it, for all workers.
/// `selected`: [count] indices of shots, rising. Allocates in `a`. ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result suite_plan_make(const suite *s, const uint32_t *selected, uint32_t count,
                          uint32_t workers, arena *a, suite_plan *out, zt_error *err);
