// SPDX-License-Identifier: MIT
/// Extensions of glTF materials over, under or inside the surface: coats, thin films, fuzz,
/// transmitted light. One table has a row for each: its numbers and maps, for readers, inspect and
/// animation, and how it is shown. CONTRIBUTING.md has the steps of a new one.
#pragma once

#include "texture/mipmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A texture as a material uses it.
typedef struct model_slot {
    int32_t texture; ///< -1 for none
    uint8_t uv_set;  ///< 0 or 1
    bool transformed;
    float offset[2], uv_rotation_rad, scale[2]; ///< KHR_texture_transform, when transformed
    float uv_from_uv[6];                        ///< the same as a row-major 2x3
} model_slot;

typedef enum material_extension {
    MODEL_CLEARCOAT,
    MODEL_SHEEN,
    MODEL_TRANSMISSION,
    MODEL_VOLUME,
    MODEL_ANISOTROPY,
    MODEL_IRIDESCENCE,
    MODEL_DISPERSION,
    MODEL_DIFFUSE_TRANSMISSION,
    MATERIAL_EXTENSION_COUNT
} material_extension;

typedef enum material_extension_map {
    MODEL_CLEARCOAT_MAP,           ///< R: factor
    MODEL_CLEARCOAT_ROUGHNESS_MAP, ///< G
    MODEL_CLEARCOAT_NORMAL_MAP,
    MODEL_SHEEN_COLOR_MAP,           ///< RGB
    MODEL_SHEEN_ROUGHNESS_MAP,       ///< A
    MODEL_TRANSMISSION_MAP,          ///< R
    MODEL_THICKNESS_MAP,             ///< G
    MODEL_ANISOTROPY_MAP,            ///< RG: direction as v * 2 - 1, B: strength
    MODEL_IRIDESCENCE_MAP,           ///< R: factor
    MODEL_IRIDESCENCE_THICKNESS_MAP, ///< G: from the minimum to the maximum thickness
    MODEL_DIFFUSE_TRANSMISSION_MAP,  ///< A: factor
    MODEL_DIFFUSE_TRANSMISSION_COLOR_MAP,
    MATERIAL_EXTENSION_MAP_COUNT
} material_extension_map;

typedef struct material_extensions {
    uint32_t present; ///< bits 1 << material_extension: those that the file gives
    float clearcoat, clearcoat_roughness, clearcoat_normal_scale;
    float sheen_color[3], sheen_roughness;
    float transmission;
    float thickness_m, attenuation_distance_m; ///< the latter is infinite where nothing is absorbed
    float attenuation_color[3];
    float anisotropy, anisotropy_rotation_rad;
    float iridescence, iridescence_ior, iridescence_min_nm, iridescence_max_nm;
    float dispersion; ///< 20 / Abbe number
    float diffuse_transmission, diffuse_transmission_color[3];
    model_slot map[MATERIAL_EXTENSION_MAP_COUNT];
} material_extensions;

enum { MATERIAL_FIELD_LIMIT = 5, MATERIAL_MAP_LIMIT = 4 }; ///< of an extension, with the end

/// A number or colour of an extension, in material_extensions.
typedef struct material_field {
    const char *key; ///< NULL ends the list
    uint32_t width;  ///< floats
    size_t offset;
    float min, max;
} material_field;

typedef struct material_map {
    const char *key; ///< NULL ends the list
    material_extension_map map;
    mipmap_content content;
    bool shaded;           ///< otherwise its pictures are measured, not decoded
    const char *scale_key; ///< a normal map's `scale`, as inspect names it; NULL: it has none
    size_t scale_offset;   ///< in material_extensions
} material_map;

typedef struct material_extension_row {
    const char *name;  ///< "KHR_materials_clearcoat"
    const char *shown; ///< how the material is shown instead; NULL: as the file asks
    /// True when it changes how the material should look: its factors are not 0.
    bool (*matters)(const material_extensions *values);
    material_field fields[MATERIAL_FIELD_LIMIT];
    material_map maps[MATERIAL_MAP_LIMIT];
} material_extension_row;

extern const material_extension_row material_extension_table[MATERIAL_EXTENSION_COUNT];

/// A slot without a texture.
model_slot model_slot_empty(void);
/// Nothing over the surface, nothing in it.
material_extensions material_extensions_none(void);
