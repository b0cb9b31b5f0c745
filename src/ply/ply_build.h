// SPDX-License-Identifier: MIT
/// The vertices and polygons of a PLY file -> triangles or points of a mesh.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh_source.h"
#include "ply/ply_mesh.h"

typedef struct ply_losses {
    uint64_t faces;     ///< left out: a corner is no vertex, or a vertex that is not finite
    uint64_t thin;      ///< left out: fewer than three corners
    uint64_t points;    ///< left out: not finite
    const char *colors; ///< "faces" or "vertices": theirs are shown, and those of the others lost
    bool normals;       ///< of the file are not used: some have no length
} ply_losses;

/// Fills positions, moved if they are far and `at_origin`, and a mesh in m->a, of points where
/// there are no polygons, and with normals if it has triangles. Vertices are split where corners or
/// polygons have values of their own.
zt_result ply_build(job_pool *pool, bool at_origin, ply_mesh *m, mesh_source *out,
                    ply_losses *losses, zt_error *err);
