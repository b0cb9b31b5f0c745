// SPDX-License-Identifier: MIT
/// The table of material_extensions.h. Keys, defaults and ranges: KHR_materials_clearcoat, _sheen,
/// _transmission, _volume, _anisotropy, _iridescence, _dispersion, _diffuse_transmission,
/// VRMC_materials_mtoon 1.0.
#include "model/material_extensions.h"

#include <float.h>
#include <math.h>

static bool has_clearcoat(const material_extensions *e) { return e->clearcoat > 0.0f; }

static bool has_sheen(const material_extensions *e)
{
    return e->sheen_color[0] > 0.0f || e->sheen_color[1] > 0.0f || e->sheen_color[2] > 0.0f;
}

static bool has_transmission(const material_extensions *e) { return e->transmission > 0.0f; }

static bool has_diffuse_transmission(const material_extensions *e)
{
    return e->diffuse_transmission > 0.0f;
}

static bool has_volume(const material_extensions *e)
{
    return e->thickness_m > 0.0f && (has_transmission(e) || has_diffuse_transmission(e));
}

static bool has_anisotropy(const material_extensions *e) { return e->anisotropy > 0.0f; }

static bool has_iridescence(const material_extensions *e) { return e->iridescence > 0.0f; }

static bool has_dispersion(const material_extensions *e)
{
    return e->dispersion > 0.0f && has_volume(e);
}

static bool has_toon(const material_extensions *e) { return e->present >> MODEL_TOON & 1u; }

// A number of a row: its width is that of the member.
#define NUMBER(key, member, min, max)                                                              \
    {                                                                                              \
        key, sizeof((material_extensions *)NULL)->member / sizeof(float),                          \
            offsetof(material_extensions, member), min, max                                        \
    }

#define SHADED(key_, map_, content_)                                                               \
    {                                                                                              \
        .key = (key_), .map = (map_), .content = (content_), .shaded = true                        \
    }

// clang-format off
const material_extension_row material_extension_table[MATERIAL_EXTENSION_COUNT] = {
    [MODEL_CLEARCOAT] = {
        .name = "KHR_materials_clearcoat",
        .matters = has_clearcoat,
        .fields = {
            NUMBER("clearcoatFactor", clearcoat, 0.0f, 1.0f),
            NUMBER("clearcoatRoughnessFactor", clearcoat_roughness, 0.0f, 1.0f),
        },
        .maps = {
            SHADED("clearcoatTexture", MODEL_CLEARCOAT_MAP, MIPMAP_LINEAR),
            SHADED("clearcoatRoughnessTexture", MODEL_CLEARCOAT_ROUGHNESS_MAP, MIPMAP_LINEAR),
            {.key = "clearcoatNormalTexture",
             .map = MODEL_CLEARCOAT_NORMAL_MAP,
             .content = MIPMAP_NORMAL,
             .shaded = true,
             .scale_key = "clearcoatNormalScale",
             .scale_offset = offsetof(material_extensions, clearcoat_normal_scale)},
        },
    },
    [MODEL_SHEEN] = {
        .name = "KHR_materials_sheen",
        .matters = has_sheen,
        .fields = {
            NUMBER("sheenColorFactor", sheen_color, 0.0f, 1.0f),
            NUMBER("sheenRoughnessFactor", sheen_roughness, 0.0f, 1.0f),
        },
        .maps = {
            SHADED("sheenColorTexture", MODEL_SHEEN_COLOR_MAP, MIPMAP_TINT),
            SHADED("sheenRoughnessTexture", MODEL_SHEEN_ROUGHNESS_MAP, MIPMAP_LINEAR),
        },
    },
    [MODEL_TRANSMISSION] = {
        .name = "KHR_materials_transmission",
        .matters = has_transmission,
        .fields = {
            NUMBER("transmissionFactor", transmission, 0.0f, 1.0f),
        },
        .maps = {
            {.key = "transmissionTexture",
             .map = MODEL_TRANSMISSION_MAP,
             .content = MIPMAP_LINEAR,
             .shaded = true},
        },
    },
    [MODEL_VOLUME] = {
        .name = "KHR_materials_volume",
        .shown = "with what is behind it shifted and tinted, without reflections inside",
        .matters = has_volume,
        .fields = {
            NUMBER("thicknessFactor", thickness_m, 0.0f, FLT_MAX),
            NUMBER("attenuationDistance", attenuation_distance_m, FLT_MIN, FLT_MAX),
            NUMBER("attenuationColor", attenuation_color, 0.0f, 1.0f),
        },
        .maps = {
            {.key = "thicknessTexture",
             .map = MODEL_THICKNESS_MAP,
             .content = MIPMAP_LINEAR,
             .shaded = true},
        },
    },
    [MODEL_ANISOTROPY] = {
        .name = "KHR_materials_anisotropy",
        .tangents = true,
        .matters = has_anisotropy,
        .fields = {
            NUMBER("anisotropyStrength", anisotropy, 0.0f, 1.0f),
            NUMBER("anisotropyRotation", anisotropy_rotation_rad, -FLT_MAX, FLT_MAX),
        },
        .maps = {
            SHADED("anisotropyTexture", MODEL_ANISOTROPY_MAP, MIPMAP_LINEAR),
        },
    },
    [MODEL_IRIDESCENCE] = {
        .name = "KHR_materials_iridescence",
        .matters = has_iridescence,
        .fields = {
            NUMBER("iridescenceFactor", iridescence, 0.0f, 1.0f),
            NUMBER("iridescenceIor", iridescence_ior, 1.0f, FLT_MAX),
            NUMBER("iridescenceThicknessMinimum", iridescence_min_nm, 0.0f, FLT_MAX),
            NUMBER("iridescenceThicknessMaximum", iridescence_max_nm, 0.0f, FLT_MAX),
        },
        .maps = {
            SHADED("iridescenceTexture", MODEL_IRIDESCENCE_MAP, MIPMAP_LINEAR),
            SHADED("iridescenceThicknessTexture", MODEL_IRIDESCENCE_THICKNESS_MAP, MIPMAP_LINEAR),
        },
    },
    [MODEL_DISPERSION] = {
        .name = "KHR_materials_dispersion",
        .shown = "with one refracted ray each for red, green and blue",
        .matters = has_dispersion,
        .fields = {
            NUMBER("dispersion", dispersion, 0.0f, FLT_MAX),
        },
    },
    [MODEL_DIFFUSE_TRANSMISSION] = {
        .name = "KHR_materials_diffuse_transmission",
        .matters = has_diffuse_transmission,
        .fields = {
            NUMBER("diffuseTransmissionFactor", diffuse_transmission, 0.0f, 1.0f),
            NUMBER("diffuseTransmissionColorFactor", diffuse_transmission_color, 0.0f, 1.0f),
        },
        .maps = {
            SHADED("diffuseTransmissionTexture", MODEL_DIFFUSE_TRANSMISSION_MAP, MIPMAP_LINEAR),
            SHADED("diffuseTransmissionColorTexture", MODEL_DIFFUSE_TRANSMISSION_COLOR_MAP,
                     MIPMAP_TINT),
        },
    },
    [MODEL_TOON] = {
        .name = "VRMC_materials_mtoon",
        .matters = has_toon,
        .fields = {
            NUMBER("shadeColorFactor", toon.shade_color, 0.0f, FLT_MAX),
            NUMBER("shadingShiftFactor", toon.shading_shift, -FLT_MAX, FLT_MAX),
            NUMBER("shadingToonyFactor", toon.shading_toony, 0.0f, 1.0f),
            NUMBER("giEqualizationFactor", toon.gi_equalization, 0.0f, 1.0f),
            NUMBER("matcapFactor", toon.matcap, 0.0f, FLT_MAX),
            NUMBER("parametricRimColorFactor", toon.rim_color, 0.0f, FLT_MAX),
            NUMBER("rimLightingMixFactor", toon.rim_lighting_mix, 0.0f, 1.0f),
            NUMBER("parametricRimFresnelPowerFactor", toon.rim_power, 0.0f, FLT_MAX),
            NUMBER("parametricRimLiftFactor", toon.rim_lift, -FLT_MAX, FLT_MAX),
            NUMBER("outlineWidthFactor", toon.outline_width, 0.0f, FLT_MAX),
            NUMBER("outlineColorFactor", toon.outline_color, 0.0f, FLT_MAX),
            NUMBER("outlineLightingMixFactor", toon.outline_lighting_mix, 0.0f, 1.0f),
            {"uvAnimationScrollXSpeedFactor", 1, offsetof(material_extensions, toon.scroll[0]),
             -FLT_MAX, FLT_MAX},
            {"uvAnimationScrollYSpeedFactor", 1, offsetof(material_extensions, toon.scroll[1]),
             -FLT_MAX, FLT_MAX},
            NUMBER("uvAnimationRotationSpeedFactor", toon.spin, -FLT_MAX, FLT_MAX),
        },
        .maps = {
            SHADED("shadeMultiplyTexture", MODEL_SHADE_MULTIPLY_MAP, MIPMAP_TINT),
            {.key = "shadingShiftTexture",
             .map = MODEL_SHADING_SHIFT_MAP,
             .content = MIPMAP_LINEAR,
             .shaded = true,
             .scale_key = "shadingShiftTextureScale",
             .scale_offset = offsetof(material_extensions, toon.shading_shift_scale)},
            SHADED("matcapTexture", MODEL_MATCAP_MAP, MIPMAP_TINT),
            SHADED("rimMultiplyTexture", MODEL_RIM_MULTIPLY_MAP, MIPMAP_TINT),
            SHADED("outlineWidthMultiplyTexture", MODEL_OUTLINE_WIDTH_MAP, MIPMAP_LINEAR),
            SHADED("uvAnimationMaskTexture", MODEL_UV_ANIMATION_MAP, MIPMAP_LINEAR),
        },
    },
};
// clang-format on

int material_extension_tangents(const material_extension_row *row, const material_extensions *e)
{
    for (const material_map *m = row->maps; m->key; m++)
        if (row->tangents || (m->content == MIPMAP_NORMAL && e->map[m->map].texture >= 0))
            return e->map[m->map].uv_set;
    return -1;
}

model_slot model_slot_empty(void) { return (model_slot){.texture = -1, .scale = {1.0f, 1.0f}}; }

material_extensions material_extensions_none(void)
{
    material_extensions none = {
        .clearcoat_normal_scale = 1.0f,
        .attenuation_distance_m = INFINITY,
        .attenuation_color = {1.0f, 1.0f, 1.0f},
        .iridescence_ior = 1.3f,
        .iridescence_min_nm = 100.0f,
        .iridescence_max_nm = 400.0f,
        .diffuse_transmission_color = {1.0f, 1.0f, 1.0f},
        .toon = {.shade_color = {1.0f, 1.0f, 1.0f},
                 .shading_shift_scale = 1.0f,
                 .shading_toony = 0.9f,
                 .gi_equalization = 0.9f,
                 .matcap = {1.0f, 1.0f, 1.0f},
                 .rim_lighting_mix = 1.0f,
                 .rim_power = 5.0f,
                 .outline_lighting_mix = 1.0f},
    };
    for (int i = 0; i < MATERIAL_EXTENSION_MAP_COUNT; i++)
        none.map[i] = model_slot_empty();
    return none;
}
