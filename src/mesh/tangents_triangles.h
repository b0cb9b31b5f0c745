// SPDX-License-Identifier: MIT
/// First steps of tangent generation: triangles over welded vertices, and their neighbours.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh_source.h"

#define TANGENT_NONE UINT32_MAX

typedef struct tangent_triangle {
    float along_u[3];      ///< unit vector along which u grows, or 0
    uint32_t vertex[3];    ///< representatives of the welded corners
    uint32_t neighbour[3]; ///< across the edge from corner k to k + 1, TANGENT_NONE
    bool degenerate;       ///< two corners at one position
    bool any;              ///< its texture coordinates span no area: fits any orientation
    bool preserving;       ///< its texture coordinates are not mirrored
} tangent_triangle;

/// Welds vertices, computes triangles and pairs them over edges. out: [mesh->triangle_count].
zt_result tangents_triangles(job_pool *pool, arena *scratch, const mesh_source *mesh,
                             tangent_triangle **out, zt_error *err);
