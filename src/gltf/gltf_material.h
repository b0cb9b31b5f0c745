// SPDX-License-Identifier: MIT
/// Materials of a glTF file, and which of them a primitive shows.
#pragma once

#include "gltf/gltf_texture.h"

/// The use of a material by a primitive: GLTF_COLORED, and one of the two others, as bits.
enum {
    GLTF_COLORED = 1,          ///< multiplies it by its vertex colours
    GLTF_WITHOUT_TANGENTS = 2, ///< points or lines that the normal map has no frame for
    GLTF_WITHOUT_NORMALS = 4,  ///< points or lines, which are not lit
    GLTF_MATERIAL_USES = 6
};

/// The uses of materials by primitives of the file. Each use is a material of the model; the first
/// takes the number of the material in the file.
typedef struct gltf_material_use {
    uint8_t uses;                       ///< bit u: some primitive uses it as `u`
    uint32_t entry[GLTF_MATERIAL_USES]; ///< of the model, by use
} gltf_material_use;

typedef struct gltf_materials {
    uint32_t file_count;      ///< materials of the file; the next one is the default material
    gltf_material_use *use;   ///< [file_count + 1]
    model_material *material; ///< `count` of them
    uint32_t count;
    int32_t variant; ///< of KHR_materials_variants, -1: the materials as they are
    uint32_t variant_count;
} gltf_materials;

/// Finds the variant of materials that the caller chose.
zt_result gltf_choose_variant(gltf_file *file, gltf_materials *materials);
/// Reads all materials, and registers their textures.
zt_result gltf_read_materials(gltf_file *file, gltf_textures *textures, gltf_materials *materials);
/// The material of the file that a primitive shows in the chosen variant, -1 for the default one.
zt_result gltf_primitive_material(const gltf_file *file, const gltf_materials *materials,
                                  const json_pointer *primitive, int32_t *out);
/// True when a primitive is drawn as triangles; otherwise as points or lines.
bool gltf_draws_triangles(const gltf_file *file, const json_value *primitive);
/// The use of a material by a primitive.
uint32_t gltf_primitive_use(const gltf_file *file, const json_value *primitive);
/// The material for a primitive with material `index` (-1: default) in a gltf_primitive_use().
uint32_t gltf_material_index(const gltf_materials *materials, int32_t index, uint32_t use);
/// True when a map or the tangents of the material use the second texture coordinates.
bool gltf_uses_second_uv(const model_material *m);
