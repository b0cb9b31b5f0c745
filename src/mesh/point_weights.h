// SPDX-License-Identifier: MIT
/// The weights of points in files that list points for each joint.
#pragma once

#include "mesh/polygon_mesh.h"

enum { POINT_WEIGHTS = 8 };

/// The largest weights of a point, falling.
typedef struct point_weights {
    float weight[POINT_WEIGHTS];
    uint16_t joint[POINT_WEIGHTS];
} point_weights;

/// Adds a weight, unless it is not above 0 or not finite. True: one with weight is left out.
bool point_weights_add(point_weights *p, uint16_t joint, float weight);
/// Makes the weights of all points sum to 1 and gives them to the mesh, whose arrays are in `a`. A
/// point without any follows joint `*count`, the mesh's own node, which is then counted, too.
zt_result point_weights_finish(arena *a, point_weights *points, uint32_t *count, polygon_mesh *mesh,
                               zt_error *err);
