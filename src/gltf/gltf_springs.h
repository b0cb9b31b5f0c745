// SPDX-License-Identifier: MIT
/// VRMC_springBone: bones of a glTF file that swing.
#pragma once

#include "gltf/gltf_node.h"

/// Sets model->springs; NULL when the file has none.
zt_result gltf_read_springs(gltf_file *file, const gltf_nodes *nodes, zt_model *model);
