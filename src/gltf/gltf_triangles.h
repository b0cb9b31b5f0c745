// SPDX-License-Identifier: MIT
/// Indices of a glTF primitive.
#pragma once

#include "gltf/gltf_parts.h"
#include "mesh/mesh_source.h"

/// The values of a primitive's mode.
enum {
    GLTF_POINTS,
    GLTF_LINES,
    GLTF_LINE_LOOP,
    GLTF_LINE_STRIP,
    GLTF_TRIANGLES,
    GLTF_TRIANGLE_STRIP,
    GLTF_TRIANGLE_FAN
};

/// Corners of a primitive's triangles from its indices into `file_vertex_count` vertices, those of
/// points and lines as primitive_kind says. Fills corner and triangle_count;
/// `out_first` is the smallest index and is subtracted from all, vertex_count counts the vertices
/// from it to the largest.
zt_result gltf_read_triangles(gltf_file *file, gltf_meshes *meshes, const json_pointer *primitive,
                              uint32_t file_vertex_count, mesh_source *out, uint32_t *out_first);
