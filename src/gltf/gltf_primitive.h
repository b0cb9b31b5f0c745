// SPDX-License-Identifier: MIT
/// One primitive of a glTF mesh.
#pragma once

#include "gltf/gltf_material.h"
#include "gltf/gltf_meshes.h"
#include "mesh/mesh_source.h"

/// A primitive as triangles; the arrays lie in gltf_meshes.work.
typedef struct gltf_primitive {
    mesh_source mesh;  ///< without its material array
    uint32_t material; ///< of the model
    int64_t mode;      ///< GLTF_TRIANGLES and its like
    primitive_kind kind;
    uint32_t joint_limit; ///< 1 + the largest joint that has weight, 0 without skin
    // For morph targets, read once the mesh is built:
    uint32_t target_count;
    uint32_t file_count; ///< vertices of the accessors
    uint32_t first;      ///< the file's vertices [first, first + range_count) are used
    uint32_t range_count;
    bool flat; ///< its normals are those of its triangles, also when it is morphed
} gltf_primitive;

/// Reads meshes/M/primitives/P. One that shows nothing has no triangles.
zt_result gltf_read_primitive(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                              const json_pointer *primitive, gltf_primitive *out);
