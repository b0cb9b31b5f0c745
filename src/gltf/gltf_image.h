// SPDX-License-Identifier: MIT
/// Pictures of a glTF file.
#pragma once

#include "gltf/gltf_material.h"

/// Decodes the images of all registered textures, builds these into the model and sets their final
/// numbers in the materials.
/// With source->no_textures it leaves the indices, which say which meshes need tangents, until
/// gltf_drop_textures().
zt_result gltf_build_textures(gltf_file *file, gltf_textures *textures, gltf_materials *materials,
                              zt_model *model);

/// Drops all textures that are not made from the materials.
zt_result gltf_drop_textures(gltf_file *file, gltf_textures *textures, gltf_materials *materials,
                             zt_model *model);
