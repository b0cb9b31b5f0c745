// SPDX-License-Identifier: MIT
/// Skins of a glTF file.
#pragma once

#include "gltf/gltf_meshes.h"
#include "gltf/gltf_node.h"

/// Also checks that the skin of each node has all joints that the node's mesh refers to.
zt_result gltf_read_skins(gltf_file *file, gltf_nodes *nodes, const gltf_meshes *meshes,
                          zt_model *model);
