// SPDX-License-Identifier: MIT
/// What the steps of tangent generation hand to each other.
#ifndef ZT_MESH_TANGENTS_H
#define ZT_MESH_TANGENTS_H

#include "mesh/mesh.h"

#define TANGENT_NONE UINT32_MAX

/// A tangent of a corner: unit length (or any perpendicular where texture coordinates give none).
typedef struct corner_tangent {
    float t[3];
    float w; ///< +-1: bitangent = w * cross(normal, t)
} corner_tangent;

typedef struct tangent_triangle {
    float along_u[3];      ///< unit vector along which u grows, or 0
    uint32_t vertex[3];    ///< representatives of the welded corners
    uint32_t neighbour[3]; ///< across the edge from corner k to k + 1, TANGENT_NONE
    bool degenerate;       ///< two corners in one place
    bool any;              ///< its texture coordinates span no area: fits any orientation
    bool preserving;       ///< its texture coordinates are not mirrored
} tangent_triangle;

/// Welds vertices and computes the triangles. out_triangles is [mesh->triangle_count].
zt_result tangents_weld(job_pool *pool, arena *scratch, const mesh_source *mesh,
                        tangent_triangle **out_triangles, zt_error *err);
/// Pairs triangles over their edges.
zt_result tangents_connect(arena *scratch, const mesh_source *mesh, tangent_triangle *triangles,
                           zt_error *err);
/// Groups corners and sums their tangents. out is [3 * mesh->triangle_count].
zt_result tangents_group(job_pool *pool, arena *scratch, const mesh_source *mesh,
                         tangent_triangle *triangles, corner_tangent **out, zt_error *err);
/// A unit vector at a right angle to `normal`.
void tangents_perpendicular(const float normal[3], float out[3]);

#endif
