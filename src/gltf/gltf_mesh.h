// SPDX-License-Identifier: MIT
/// Meshes of a glTF file.
#pragma once

#include "gltf/gltf_material.h"
#include "gltf/gltf_meshes.h"

/// Mesh k of the model is mesh k of the file, also when it shows nothing.
zt_result gltf_read_meshes(gltf_file *file, const gltf_materials *materials, gltf_meshes *meshes,
                           zt_model *model);
