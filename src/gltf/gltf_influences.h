// SPDX-License-Identifier: MIT
/// Joints and weights of a glTF primitive.
#pragma once

#include "gltf/gltf_meshes.h"
#include "mesh/mesh_source.h"

/// Reads the joints and weights of `mesh`, whose first vertex is the file's `first`.
/// `out_joint_limit`: 1 + the largest joint that has weight; unchanged when there are none.
zt_result gltf_read_influences(gltf_file *file, const gltf_meshes *meshes,
                               const json_pointer *attributes, uint32_t first,
                               uint32_t file_vertex_count, mesh_source *mesh,
                               uint32_t *out_joint_limit);
