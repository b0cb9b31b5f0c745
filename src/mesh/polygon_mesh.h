// SPDX-License-Identifier: MIT
/// Meshes of polygons with values at their corners, as the files of modelling programs have them.
#pragma once

#include "base/jobs.h"
#include "mesh/mesh_source.h"

typedef struct polygon_mesh {
    const char *name;
    uint32_t point_count;
    const vertex_position *point; ///< [point_count]
    dvec3 middle;                 ///< subtracted from them
    uint32_t corner_count;
    const uint32_t *corner; ///< [corner_count] the point of each, below point_count
    uint32_t polygon_count;
    const uint32_t *first;    ///< [polygon_count + 1] of the corners of each
    const uint32_t *material; ///< [polygon_count]; NULL: 0
    const uint32_t *part;     ///< [polygon_count] as smooth_rule.part, alone; NULL: none
    // By corner, or NULL. Normals are unit vectors or 0: then the triangle's stands for it.
    const float *normal; ///< [corner_count][3]
    const float *uv;     ///< [corner_count][2], v grows downwards
    const float *uv1;    ///< [corner_count][2]
    const float *color;  ///< [corner_count][4] linear
    // By point, or NULL.
    const vertex_joints *joints, *joints_more;
    const vertex_weights *weights, *weights_more;
} polygon_mesh;

/// Cuts polygons into triangles; those of fewer than three corners are left out. Corners with equal
/// values are one vertex, whose point is its `origin`. Makes normals where there are none. At most
/// MODEL_TRIANGLE_LIMIT triangles. The result does not depend on `pool`, which may be NULL.
zt_result polygon_mesh_build(job_pool *pool, arena *a, const polygon_mesh *from, mesh_source *out,
                             zt_error *err);
