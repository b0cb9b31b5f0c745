// SPDX-License-Identifier: MIT
/// The tables of material_layers.h. Keys, defaults and ranges: KHR_materials_clearcoat, _sheen,
/// _transmission, _volume, _anisotropy, _iridescence, _dispersion, _diffuse_transmission.
#include "model/material_layers.h"

#include <float.h>
#include <math.h>

#define FIELD(layer, key, width, member, least, most)                                              \
    {                                                                                              \
        layer, key, width, offsetof(model_layers, member), least, most                             \
    }

const model_layer_field model_layer_fields[MODEL_LAYER_FIELD_COUNT] = {
    FIELD(MODEL_CLEARCOAT, "clearcoatFactor", 1, clearcoat, 0.0f, 1.0f),
    FIELD(MODEL_CLEARCOAT, "clearcoatRoughnessFactor", 1, clearcoat_roughness, 0.0f, 1.0f),
    FIELD(MODEL_SHEEN, "sheenColorFactor", 3, sheen_color, 0.0f, 1.0f),
    FIELD(MODEL_SHEEN, "sheenRoughnessFactor", 1, sheen_roughness, 0.0f, 1.0f),
    FIELD(MODEL_TRANSMISSION, "transmissionFactor", 1, transmission, 0.0f, 1.0f),
    FIELD(MODEL_VOLUME, "thicknessFactor", 1, thickness_m, 0.0f, FLT_MAX),
    FIELD(MODEL_VOLUME, "attenuationDistance", 1, attenuation_distance_m, FLT_MIN, FLT_MAX),
    FIELD(MODEL_VOLUME, "attenuationColor", 3, attenuation_color, 0.0f, 1.0f),
    FIELD(MODEL_ANISOTROPY, "anisotropyStrength", 1, anisotropy, 0.0f, 1.0f),
    FIELD(MODEL_ANISOTROPY, "anisotropyRotation", 1, anisotropy_rotation_rad, -FLT_MAX, FLT_MAX),
    FIELD(MODEL_IRIDESCENCE, "iridescenceFactor", 1, iridescence, 0.0f, 1.0f),
    FIELD(MODEL_IRIDESCENCE, "iridescenceIor", 1, iridescence_ior, 1.0f, FLT_MAX),
    FIELD(MODEL_IRIDESCENCE, "iridescenceThicknessMinimum", 1, iridescence_least_nm, 0.0f, FLT_MAX),
    FIELD(MODEL_IRIDESCENCE, "iridescenceThicknessMaximum", 1, iridescence_most_nm, 0.0f, FLT_MAX),
    FIELD(MODEL_DISPERSION, "dispersion", 1, dispersion, 0.0f, FLT_MAX),
    FIELD(MODEL_DIFFUSE_TRANSMISSION, "diffuseTransmissionFactor", 1, diffuse_transmission, 0.0f,
          1.0f),
    FIELD(MODEL_DIFFUSE_TRANSMISSION, "diffuseTransmissionColorFactor", 3,
          diffuse_transmission_color, 0.0f, 1.0f),
};

// A map into which nothing looks yet; what shades its layer takes another word for it.
#define UNSHADED(layer, key, content)                                                              \
    {                                                                                              \
        (layer), (key), (content), false                                                           \
    }

const model_layer_slot model_layer_slots[MODEL_LAYER_MAP_COUNT] = {
    [MODEL_CLEARCOAT_MAP] = UNSHADED(MODEL_CLEARCOAT, "clearcoatTexture", MIPMAP_LINEAR),
    [MODEL_CLEARCOAT_ROUGHNESS_MAP] =
        UNSHADED(MODEL_CLEARCOAT, "clearcoatRoughnessTexture", MIPMAP_LINEAR),
    [MODEL_CLEARCOAT_NORMAL_MAP] =
        UNSHADED(MODEL_CLEARCOAT, "clearcoatNormalTexture", MIPMAP_NORMAL),
    [MODEL_SHEEN_COLOR_MAP] = UNSHADED(MODEL_SHEEN, "sheenColorTexture", MIPMAP_TINT),
    [MODEL_SHEEN_ROUGHNESS_MAP] = UNSHADED(MODEL_SHEEN, "sheenRoughnessTexture", MIPMAP_LINEAR),
    [MODEL_TRANSMISSION_MAP] = UNSHADED(MODEL_TRANSMISSION, "transmissionTexture", MIPMAP_LINEAR),
    [MODEL_THICKNESS_MAP] = UNSHADED(MODEL_VOLUME, "thicknessTexture", MIPMAP_LINEAR),
    [MODEL_ANISOTROPY_MAP] = UNSHADED(MODEL_ANISOTROPY, "anisotropyTexture", MIPMAP_LINEAR),
    [MODEL_IRIDESCENCE_MAP] = UNSHADED(MODEL_IRIDESCENCE, "iridescenceTexture", MIPMAP_LINEAR),
    [MODEL_IRIDESCENCE_THICKNESS_MAP] =
        UNSHADED(MODEL_IRIDESCENCE, "iridescenceThicknessTexture", MIPMAP_LINEAR),
    [MODEL_DIFFUSE_TRANSMISSION_MAP] =
        UNSHADED(MODEL_DIFFUSE_TRANSMISSION, "diffuseTransmissionTexture", MIPMAP_LINEAR),
    [MODEL_DIFFUSE_TRANSMISSION_COLOR_MAP] =
        UNSHADED(MODEL_DIFFUSE_TRANSMISSION, "diffuseTransmissionColorTexture", MIPMAP_TINT),
};

const model_layer_kind model_layer_kinds[MODEL_LAYER_COUNT] = {
    [MODEL_CLEARCOAT] = {"KHR_materials_clearcoat",            "without the coat"                    },
    [MODEL_SHEEN] = {"KHR_materials_sheen",                "without the sheen"                   },
    [MODEL_TRANSMISSION] = {"KHR_materials_transmission",         "opaque, in its base colour"          },
    [MODEL_VOLUME] = {"KHR_materials_volume",               "as a surface with nothing inside"    },
    [MODEL_ANISOTROPY] = {"KHR_materials_anisotropy",           "with round highlights"               },
    [MODEL_IRIDESCENCE] = {"KHR_materials_iridescence",          "without the thin film"               },
    [MODEL_DISPERSION] = {"KHR_materials_dispersion",           "without splitting light into colours"},
    [MODEL_DIFFUSE_TRANSMISSION] = {"KHR_materials_diffuse_transmission",
                         "without light from behind"                                                 },
};

model_layers model_layers_none(void)
{
    model_layers none = {
        .clearcoat_normal_scale = 1.0f,
        .attenuation_distance_m = INFINITY,
        .attenuation_color = {1.0f, 1.0f, 1.0f},
        .iridescence_ior = 1.3f,
        .iridescence_least_nm = 100.0f,
        .iridescence_most_nm = 400.0f,
        .diffuse_transmission_color = {1.0f, 1.0f, 1.0f},
    };
    for (int i = 0; i < MODEL_LAYER_MAP_COUNT; i++)
        none.map[i] = (model_slot){
            .texture = -1, .scale = {1.0f, 1.0f}
        };
    return none;
}

bool model_layer_matters(const model_layers *l, model_layer layer)
{
    const bool passes = l->transmission > 0.0f || l->diffuse_transmission > 0.0f;
    switch (layer) {
    case MODEL_CLEARCOAT:
        return l->clearcoat > 0.0f;
    case MODEL_SHEEN:
        return l->sheen_color[0] > 0.0f || l->sheen_color[1] > 0.0f || l->sheen_color[2] > 0.0f;
    case MODEL_TRANSMISSION:
        return l->transmission > 0.0f;
    case MODEL_VOLUME:
        return l->thickness_m > 0.0f && passes;
    case MODEL_ANISOTROPY:
        return l->anisotropy > 0.0f;
    case MODEL_IRIDESCENCE:
        return l->iridescence > 0.0f;
    case MODEL_DISPERSION:
        return l->dispersion > 0.0f && l->thickness_m > 0.0f && passes;
    case MODEL_DIFFUSE_TRANSMISSION:
        return l->diffuse_transmission > 0.0f;
    case MODEL_LAYER_COUNT:
        break;
    }
    return false;
}
