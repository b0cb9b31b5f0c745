// SPDX-License-Identifier: MIT
/// Extensions of glTF materials: of reflectance, and those of model/material_extensions.h.
#pragma once

#include "gltf/gltf_texture.h"

/// Index of refraction, specular weight and tint, or the older specular-glossiness model.
zt_result gltf_read_reflectance(gltf_file *file, gltf_textures *textures,
                                const json_pointer *material, model_material *out);
/// The extensions over and inside a material's surface.
zt_result gltf_read_extensions(gltf_file *file, gltf_textures *textures,
                               const json_pointer *material, material_extensions *out);
/// Clamps a factor to 0..max, with a warning that calls it `what` when it was outside.
zt_result gltf_clamp_factor(gltf_log *log, const json_pointer *json, const char *what, float max,
                            float *value);
zt_result gltf_clamp_color(gltf_log *log, const json_pointer *json, const char *what, int count,
                           float max, float *color);
