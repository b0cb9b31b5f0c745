// SPDX-License-Identifier: MIT
/// Extensions of glTF materials over, under or inside the surface: coats, thin films, fuzz,
/// transmitted light; and toon shading. One table has a row for each: its numbers and maps, for
/// readers, inspect and animation, and how it is shown. CONTRIBUTING.md has the steps of a new one.
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
    MODEL_TOON,
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
    MODEL_SHADE_MULTIPLY_MAP, ///< RGB: of shade_color
    MODEL_SHADING_SHIFT_MAP,  ///< R, times shading_shift_scale: added to shading_shift
    MODEL_MATCAP_MAP,         ///< RGB, by the normal as the eye sees it
    MODEL_RIM_MULTIPLY_MAP,   ///< RGB
    MODEL_OUTLINE_WIDTH_MAP,  ///< G
    MODEL_UV_ANIMATION_MAP,   ///< B: how much texture coordinates move
    MATERIAL_EXTENSION_MAP_COUNT
} material_extension_map;

typedef enum model_outline {
    MODEL_OUTLINE_NONE,
    MODEL_OUTLINE_WORLD, ///< outline_width is in metres
    MODEL_OUTLINE_SCREEN ///< in heights of the picture
} model_outline;

/// Light in two steps, as in drawings (VRMC_materials_mtoon 1.0). Colours are linear.
typedef struct material_toon {
    float shade_color[3], shading_shift, shading_shift_scale, shading_toony, gi_equalization;
    float matcap[3];
    float rim_color[3], rim_lighting_mix, rim_power, rim_lift;
    model_outline outline;
    float outline_width, outline_color[3], outline_lighting_mix;
    float scroll[2], spin; ///< of texture coordinates: per second, and radians per second
} material_toon;

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
    material_toon toon;
    model_slot map[MATERIAL_EXTENSION_MAP_COUNT];
} material_extensions;

enum { MATERIAL_FIELD_LIMIT = 17, MATERIAL_MAP_LIMIT = 7 }; ///< of an extension, with the end

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
    bool tangents;     ///< its directions follow tangents; so do those of normal maps
    /// True when it changes how the material should look: its factors are not 0.
    bool (*matters)(const material_extensions *values);
    material_field fields[MATERIAL_FIELD_LIMIT];
    material_map maps[MATERIAL_MAP_LIMIT];
} material_extension_row;

extern const material_extension_row material_extension_table[MATERIAL_EXTENSION_COUNT];

/// The set of texture coordinates that the tangents of an extension follow; -1: it needs none.
int material_extension_tangents(const material_extension_row *row, const material_extensions *e);

/// A slot without a texture.
model_slot model_slot_empty(void);
/// Nothing over the surface, nothing in it.
material_extensions material_extensions_none(void);
