// SPDX-License-Identifier: MIT
/// Parts of a zt_model that was read from an .m3d -> parts of a glTF file. Materials come first:
/// they decide the order of the images.
#ifndef ZT_CONVERT_GLTF_MODEL_PARTS_H
#define ZT_CONVERT_GLTF_MODEL_PARTS_H

#include "convert/gltf_builder.h"

/// Textures, images and materials (gltf_material_builder.c).
zt_result gltf_build_materials(gltf_builder *builder);
/// Meshes (gltf_mesh_builder.c).
zt_result gltf_build_meshes(gltf_builder *builder);

#endif
