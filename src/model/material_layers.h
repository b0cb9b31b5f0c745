// SPDX-License-Identifier: MIT
/// What glTF extensions put over, under or into the surface of a material: coats, films, fuzz,
/// light that passes through. Carried from the file to the model; what shading makes of it is said
/// by a note of the model. Tables name every number and map, for readers, inspect and animation.
#ifndef ZT_MODEL_MATERIAL_LAYERS_H
#define ZT_MODEL_MATERIAL_LAYERS_H

#include "image/mipmap.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A texture in its place in a material.
typedef struct model_slot {
    int32_t texture; ///< -1 for none
    uint8_t uv_set;  ///< 0 or 1
    bool transformed;
    float offset[2], turn_rad, scale[2]; ///< KHR_texture_transform, when transformed
    float uv_from_uv[6];                 ///< that as a row-major 2x3
} model_slot;

typedef enum model_layer {
    MODEL_CLEARCOAT,
    MODEL_SHEEN,
    MODEL_TRANSMISSION,
    MODEL_VOLUME,
    MODEL_ANISOTROPY,
    MODEL_IRIDESCENCE,
    MODEL_DISPERSION,
    MODEL_DIFFUSE_TRANSMISSION,
    MODEL_LAYER_COUNT
} model_layer;

typedef enum model_layer_map {
    MODEL_CLEARCOAT_MAP,           ///< R: factor
    MODEL_CLEARCOAT_ROUGHNESS_MAP, ///< G
    MODEL_CLEARCOAT_NORMAL_MAP,
    MODEL_SHEEN_COLOR_MAP,           ///< RGB
    MODEL_SHEEN_ROUGHNESS_MAP,       ///< A
    MODEL_TRANSMISSION_MAP,          ///< R
    MODEL_THICKNESS_MAP,             ///< G
    MODEL_ANISOTROPY_MAP,            ///< RG: direction as v * 2 - 1, B: strength
    MODEL_IRIDESCENCE_MAP,           ///< R: factor
    MODEL_IRIDESCENCE_THICKNESS_MAP, ///< G: from the least to the most thickness
    MODEL_DIFFUSE_TRANSMISSION_MAP,  ///< A: factor
    MODEL_DIFFUSE_TRANSMISSION_COLOR_MAP,
    MODEL_LAYER_MAP_COUNT
} model_layer_map;

typedef struct model_layers {
    uint32_t present; ///< bits 1 << model_layer: those that the file gives
    float clearcoat, clearcoat_roughness, clearcoat_normal_scale;
    float sheen_color[3], sheen_roughness;
    float transmission;
    float thickness_m, attenuation_distance_m; ///< the latter is infinite where nothing is absorbed
    float attenuation_color[3];
    float anisotropy, anisotropy_rotation_rad;
    float iridescence, iridescence_ior, iridescence_least_nm, iridescence_most_nm;
    float dispersion; ///< 20 / Abbe number
    float diffuse_transmission, diffuse_transmission_color[3];
    model_slot map[MODEL_LAYER_MAP_COUNT];
} model_layers;

/// A number or colour of model_layers: as glTF calls it, and what values it may have.
typedef struct model_layer_field {
    model_layer layer;
    const char *key;
    uint32_t width; ///< floats
    size_t offset;  ///< in model_layers
    float least, most;
} model_layer_field;

typedef struct model_layer_slot {
    model_layer layer;
    const char *key;
    mipmap_content content;
    bool shaded; ///< else its pictures are measured, not decoded: nothing looks into them
} model_layer_slot;

typedef struct model_layer_kind {
    const char *extension;
    const char *shown; ///< how the material is shown instead
} model_layer_kind;

enum { MODEL_LAYER_FIELD_COUNT = 17 };
extern const model_layer_field model_layer_fields[MODEL_LAYER_FIELD_COUNT];
extern const model_layer_slot model_layer_slots[MODEL_LAYER_MAP_COUNT]; ///< by model_layer_map
extern const model_layer_kind model_layer_kinds[MODEL_LAYER_COUNT];     ///< by model_layer

/// Nothing over the surface, nothing in it.
model_layers model_layers_none(void);
/// Whether a layer changes how the material should look: its factors are not 0.
bool model_layer_matters(const model_layers *layers, model_layer layer);

#endif
