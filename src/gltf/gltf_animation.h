// SPDX-License-Identifier: MIT
/// Animations of a glTF file.
#pragma once

#include "gltf/gltf_material.h"
#include "gltf/gltf_node.h"

/// Reads all clips. Materials get moved texture transforms; animated nodes lose their matrix.
zt_result gltf_read_clips(gltf_file *file, gltf_materials *materials, gltf_nodes *nodes,
                          zt_model *model);
