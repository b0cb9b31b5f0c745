// SPDX-License-Identifier: MIT
/// Third step of tangent generation: one tangent for each corner.
#pragma once

#include "mesh/tangents_triangles.h"

/// A tangent of a corner: unit length (or any perpendicular where texture coordinates give none).
typedef struct corner_tangent {
    float t[3];
    float w; ///< +-1: bitangent = w * cross(normal, t)
} corner_tangent;

/// Groups corners and sums their tangents. out is [3 * mesh->triangle_count].
zt_result tangents_group(job_pool *pool, arena *scratch, const mesh_source *mesh,
                         tangent_triangle *triangles, corner_tangent **out, zt_error *err);
/// A unit vector at a right angle to `normal`.
void tangents_perpendicular(const float normal[3], float out[3]);
