// SPDX-License-Identifier: MIT
/// Morph targets of glTF meshes, and their weights.
#pragma once

#include "gltf/gltf_node.h"
#include "gltf/gltf_primitive.h"

/// The morph targets of a mesh that has been built from the `count` primitives of `array`.
zt_result gltf_read_targets(gltf_file *file, gltf_meshes *meshes, const json_pointer *mesh,
                            const json_pointer *array, const gltf_primitive *primitives,
                            uint32_t count, model_mesh *out);
/// The weights that nodes give to the targets of their meshes, which have been read.
zt_result gltf_read_morph_weights(gltf_file *file, gltf_nodes *nodes, const zt_model *model);
