// SPDX-License-Identifier: MIT
/// The human bones of a VRM file.
#pragma once

#include "gltf/gltf_node.h"

/// Sets model->human_bones from VRMC_vrm, otherwise from VRM; none when the file has neither.
zt_result gltf_read_humanoid(gltf_file *file, const gltf_nodes *nodes, zt_model *model);
