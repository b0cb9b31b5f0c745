// SPDX-License-Identifier: MIT
/// Cameras of a glTF file, and lights of KHR_lights_punctual.
#pragma once

#include "gltf/gltf_node.h"

zt_result gltf_read_cameras(gltf_file *file, zt_model *model);
/// A light of an unknown type is taken off the nodes that have it.
zt_result gltf_read_lights(gltf_file *file, gltf_nodes *nodes, zt_model *model);
