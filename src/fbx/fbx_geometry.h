// SPDX-License-Identifier: MIT
/// Polygons of an FBX file, with the layers of values at their corners.
#pragma once

#include "fbx/fbx_parts.h"
#include "mesh/polygon_mesh.h"

typedef struct fbx_geometry {
    int32_t object; ///< a Geometry, or a Model of version 6
    const fbx_node *node;
    polygon_mesh polygons;
    uint32_t *slot; ///< of each polygon, among the materials of a model; it is `material`
    uint32_t lost;  ///< polygons with corners that are no vertices
} fbx_geometry;

/// `slots`: the materials of its model. Arrays are in f->scratch and f->tree.a.
zt_result fbx_geometry_read(fbx_file *f, int32_t object, const uint32_t *slots, uint32_t slot_count,
                            fbx_geometry *out, zt_error *err);
