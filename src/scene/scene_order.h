// SPDX-License-Identifier: MIT
/// The order in which instances are posed when the pose of one needs that of another.
#ifndef ZT_SCENE_SCENE_ORDER_H
#define ZT_SCENE_SCENE_ORDER_H

#include "base/arena.h"

/// The pose of one instance needs that of another, posed.
typedef struct scene_need {
    uint32_t instance, needs;
} scene_need;

/// Instances in the order of the scene, but each after those that it needs. `out_order` is
/// [count]. When they need each other in a ring, the ring is in out_ring ([count], in `scratch`),
/// each needing the next and the last the first, and *out_ring_count is not 0. False: no memory.
bool scene_order_find(arena *scratch, uint32_t count, const scene_need *needs, size_t need_count,
                      uint32_t *out_order, uint32_t **out_ring, uint32_t *out_ring_count);

#endif
