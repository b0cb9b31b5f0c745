// SPDX-License-Identifier: MIT
/// The contact shadow on a ground, from the heights of what is above it.
#pragma once

#include "base/arena.h"
#include "shadow/shadow_loops.h"

/// Maps that look up from the ground, and down at it. The second one has its rows in the opposite
/// order; it is read by contact_shadow_filter only.
typedef struct contact_heights {
    const shadow_map *map, *tops;
    float height_m; ///< height above the ground of the depth 0 of the map, 1 of the tops
    float base_m;   ///< of the depth 1 of the map, 0 of the tops
    float reach_m;  ///< how far the shadow reaches beyond what stands there
    /// The darkest texel of each cell of CONTACT_CELL texels a side, row by row.
    float *cells;
    int32_t cells_wide, cells_high;
} contact_heights;

enum { CONTACT_CELL = 4 };

/// Turns drawn heights into the contact shadow's darkness, in the map's texels. Allocates in `a`.
zt_result contact_shadow_filter(contact_heights *g, float *texels, arena *a, zt_error *err);

/// At least the darkness of all points from `min` to `max`, x and y in texels, smoothed.
float contact_shadow_darkest(const contact_heights *g, const float min[2], const float max[2]);
