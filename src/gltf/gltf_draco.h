// SPDX-License-Identifier: MIT
/// KHR_draco_mesh_compression.
#pragma once

#include "gltf/gltf_meshes.h"

/// Decodes the Draco data of a primitive into meshes->decoded, which is NULL when it has none.
/// `out_skip`: it cannot be shown, which was reported.
zt_result gltf_draco_decode(gltf_file *file, gltf_meshes *meshes, const json_pointer *primitive,
                            bool *out_skip);
