// SPDX-License-Identifier: MIT
/// Names of the properties of materials, by the programs that write them.
#pragma once

enum { NAMES = 7 };

typedef struct name_list {
    const char *name[NAMES];
} name_list;

static const name_list base_color = {{"Maya|baseColor", "3dsMax|Parameters|base_color",
                                      "3dsMax|main|baseColor", "Maya|base_color", "DiffuseColor"}};
static const name_list base_weight = {{"Maya|base", "3dsMax|Parameters|base_weight"}};
static const name_list metalness = {{"Maya|metalness", "3dsMax|Parameters|metalness",
                                     "3dsMax|Parameters|base_metalness", "3dsMax|main|metalness",
                                     "Maya|metallic"}};
static const name_list roughness = {{"Maya|specularRoughness", "3dsMax|Parameters|roughness",
                                     "3dsMax|Parameters|specular_roughness",
                                     "3dsMax|main|roughness", "Maya|roughness"}};
static const name_list emission_color = {
    {"Maya|emissionColor", "3dsMax|Parameters|emit_color", "3dsMax|Parameters|emission_color",
     "3dsMax|main|emit_color", "3dsMax|main|emissionColor", "Maya|emissive", "EmissiveColor"}};
static const name_list emission_weight = {{"Maya|emission", "3dsMax|Parameters|emission",
                                           "3dsMax|Parameters|emission_weight",
                                           "Maya|emissive_intensity", "EmissiveFactor"}};
static const name_list coat = {
    {"Maya|coat", "3dsMax|Parameters|coating", "3dsMax|Parameters|coat_weight"}};
static const name_list coat_roughness = {
    {"Maya|coatRoughness", "3dsMax|Parameters|coat_roughness"}};

// Maps: the property that a texture is connected to.
static const name_list base_map = {{"Maya|baseColor", "3dsMax|Parameters|base_color_map",
                                    "3dsMax|main|base_color_map", "3dsMax|main|baseColorMap",
                                    "Maya|TEX_color_map", "DiffuseColor"}};
static const name_list alpha_map = {{"TransparentColor", "TransparencyFactor",
                                     "3dsMax|Parameters|cutout_map", "3dsMax|main|opacity_map",
                                     "3dsMax|main|AlphaMap", "Maya|opacity"}};
static const name_list metal_map = {
    {"Maya|metalness", "3dsMax|Parameters|metalness_map", "3dsMax|Parameters|base_metalness_map",
     "3dsMax|main|metalness_map", "3dsMax|main|metalnessMap", "Maya|TEX_metallic_map"}};
static const name_list rough_map = {{"Maya|specularRoughness", "3dsMax|Parameters|roughness_map",
                                     "3dsMax|Parameters|specular_roughness_map",
                                     "3dsMax|main|Roughness_Map", "3dsMax|main|roughness_map",
                                     "3dsMax|main|roughnessMap", "Maya|TEX_roughness_map"}};
static const name_list emissive_map = {{"Maya|emissionColor", "3dsMax|Parameters|emit_color_map",
                                        "3dsMax|Parameters|emission_color_map",
                                        "3dsMax|main|emit_color_map", "3dsMax|main|emissionMap",
                                        "Maya|TEX_emissive_map", "EmissiveColor"}};
static const name_list weight_map = {{"Maya|emission", "3dsMax|Parameters|emission_map",
                                      "3dsMax|Parameters|emission_weight_map", "EmissiveFactor"}};
static const name_list normal_map = {{"NormalMap", "Maya|normalCamera", "3dsMax|main|norm_map",
                                      "3dsMax|main|normalMap", "Maya|TEX_normal_map"}};
static const name_list bump_map = {{"Bump", "3dsMax|main|bump_map", "3dsMax|Parameters|bump_map"}};
static const name_list occlusion_map = {
    {"3dsMax|main|ao_map", "3dsMax|main|ambientOcclusionMap", "Maya|TEX_ao_map"}};
