// SPDX-License-Identifier: MIT
/// Normals for meshes whose files have none, or none to rely on.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh_source.h"

/// The angle between two triangles from which on the edge between them is an edge to the eye.
#define SMOOTH_CREASE_DEG 30.0

/// Which triangles belong together, besides the angle between them.
typedef struct smooth_rule {
    /// [vertex_count] the point that each vertex is at, below point_count; NULL: vertices are
    /// points. Vertices at one point share a normal, whatever their other attributes.
    const uint32_t *point;
    uint32_t point_count;
    /// [triangle_count] triangles with different numbers have an edge between them; NULL: all have
    /// one number.
    const uint32_t *part;
    bool parts_alone; ///< triangles of one part have no edges between them, whatever their angle
} smooth_rule;

/// Gives a mesh normals and splits its vertices where normals differ. Triangles around a point are
/// joined over edges that are less than a crease; the normal of what is joined is the sum of the
/// triangles' by the weights of N. Max, Weights for Computing Vertex Normals from Facet Normals
/// (Journal of Graphics Tools 4(2), 1999). A corner that no area is at has the normal +z. The
/// result does not depend on `pool`, which may be NULL.
zt_result mesh_smooth_normals(job_pool *pool, arena *a, mesh_source *mesh, const smooth_rule *rule,
                              zt_error *err);
