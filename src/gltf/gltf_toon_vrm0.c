// SPDX-License-Identifier: MIT
/// Toon materials of VRM 0 (extension VRM, materialProperties, shader VRM/MToon), in the terms of
/// VRMC_materials_mtoon 1.0. The numbers are those of a shader of Unity: colours in sRGB, widths in
/// centimetres, v upwards. The glTF material has what both share: base colour, alpha, emission.
/// Conversions: UniVRM's migration (MToon, Migration of 0.x), tried on files written as both.
#include "gltf/gltf_parts.h"

#include <string.h>

/// The properties of one material, with the way to them from the root.
typedef struct toon_properties {
    json_extension vrm;
    json_pointer list, entry, floats, vectors, textures;
} toon_properties;

bool gltf_is_toon_vrm0(const gltf_file *file, uint32_t index)
{
    const json_value *vrm = json_get(json_get(file->root.value, "extensions"), "VRM");
    const json_value *entry = json_at(json_get(vrm, "materialProperties"), index);
    const char *shader = json_str(json_get(entry, "shader"));
    return shader && strcmp(shader, "VRM/MToon") == 0;
}

static zt_result open_properties(gltf_file *file, uint32_t index, toon_properties *out)
{
    gltf_log *log = file->log;
    uint32_t count;
    ZT_TRY(gltf_extension(log, &file->root, "VRM", &out->vrm));
    ZT_TRY(gltf_array(log, &out->vrm.object, "materialProperties", &out->list, &count));
    ZT_TRY(gltf_entry(log, &out->list, index, &out->entry));
    ZT_TRY(gltf_object(log, &out->entry, "floatProperties", &out->floats));
    ZT_TRY(gltf_object(log, &out->entry, "vectorProperties", &out->vectors));
    return gltf_object(log, &out->entry, "textureProperties", &out->textures);
}

/// An sRGB colour, made linear; `out` keeps its values when there is none.
static zt_result read_color(gltf_log *log, const toon_properties *from, const char *key,
                            float out[3])
{
    float color[4];
    if (!json_get(from->vectors.value, key))
        return ZT_OK;
    ZT_TRY(gltf_floats(log, &from->vectors, key, 4, color));
    for (int i = 0; i < 3; i++)
        out[i] = (float)srgb_decode(color[i] > 0.0f ? (double)color[i] : 0.0);
    return ZT_OK;
}

/// A map with the coordinates of the base map, which all of them share.
static zt_result read_map(gltf_file *file, gltf_textures *textures, const toon_properties *from,
                          const char *key, mipmap_content content, const model_slot *base,
                          model_slot *out)
{
    int32_t index;
    ZT_TRY(gltf_member_index(file, &from->textures, key, GLTF_TEXTURES, &index));
    if (index < 0)
        return ZT_OK;
    *out = *base;
    out->texture = -1;
    return gltf_register_map(file, textures, index, content, out);
}

/// The place of the base map, where its glTF texture has none: as older programs wrote it.
static zt_result read_place(gltf_log *log, const toon_properties *from, model_slot *base)
{
    float place[4] = {0.0f, 0.0f, 1.0f, 1.0f}; // offset, scale
    ZT_TRY(gltf_floats(log, &from->vectors, "_MainTex", 4, place));
    const bool moved = place[0] != 0.0f || place[1] != 0.0f || place[2] != 1.0f || place[3] != 1.0f;
    if (!moved || base->transformed)
        return ZT_OK;
    base->transformed = true;
    base->offset[0] = place[0];
    base->offset[1] = (1.0f - place[1]) - place[3];
    base->scale[0] = place[2];
    base->scale[1] = place[3];
    return ZT_OK;
}

static zt_result read_maps(gltf_file *file, gltf_textures *textures, const toon_properties *from,
                           model_material *m)
{
    static const struct {
        const char *key;
        mipmap_content content;
        material_extension_map map;
    } maps[] = {
        {"_ShadeTexture", MIPMAP_TINT, MODEL_SHADE_MULTIPLY_MAP},
        {"_SphereAdd", MIPMAP_TINT, MODEL_MATCAP_MAP},
        {"_RimTexture", MIPMAP_TINT, MODEL_RIM_MULTIPLY_MAP},
        {"_OutlineWidthTexture", MIPMAP_LINEAR, MODEL_OUTLINE_WIDTH_MAP},
        {"_UvAnimMaskTexture", MIPMAP_LINEAR, MODEL_UV_ANIMATION_MAP},
    };
    ZT_TRY(read_place(file->log, from, &m->base_map));
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        ZT_TRY(read_map(file, textures, from, maps[i].key, maps[i].content, &m->base_map,
                        &m->extensions.map[maps[i].map]));
    model_slot *shade = &m->extensions.map[MODEL_SHADE_MULTIPLY_MAP];
    if (shade->texture < 0) // as UniVRM does: authors have seen it so
        ZT_TRY(read_map(file, textures, from, "_MainTex", MIPMAP_TINT, &m->base_map, shade));
    if (m->emissive_map.texture < 0)
        ZT_TRY(read_map(file, textures, from, "_EmissionMap", MIPMAP_COLOR, &m->base_map,
                        &m->emissive_map));
    if (m->normal_map.texture >= 0)
        return ZT_OK;
    ZT_TRY(gltf_float(file->log, &from->floats, "_BumpScale", 1.0f, &m->normal_scale));
    return read_map(file, textures, from, "_BumpMap", MIPMAP_NORMAL, &m->base_map, &m->normal_map);
}

static float limited(float x, float min, float max)
{
    return x > min ? (x < max ? x : max) : min; // NaN: the minimum
}

static zt_result read_shading(gltf_log *log, const toon_properties *from, material_toon *out)
{
    const json_pointer *floats = &from->floats;
    float shift, toony, indirect;
    ZT_TRY(read_color(log, from, "_ShadeColor", out->shade_color));
    ZT_TRY(gltf_float(log, floats, "_ShadeShift", 0.0f, &shift));
    ZT_TRY(gltf_float(log, floats, "_ShadeToony", 0.9f, &toony));
    ZT_TRY(gltf_float(log, floats, "_IndirectLightIntensity", 0.1f, &indirect));
    // The step is between `shift` and this; both terms of 1.0 are relative to its middle.
    const float end = 1.0f + toony * (shift - 1.0f);
    out->shading_toony = limited((2.0f - (end - shift)) * 0.5f, 0.0f, 1.0f);
    out->shading_shift = limited((end + shift) * -0.5f, -1.0f, 1.0f);
    out->gi_equalization = limited(1.0f - indirect, 0.0f, 1.0f);
    ZT_TRY(read_color(log, from, "_RimColor", out->rim_color));
    ZT_TRY(gltf_float(log, floats, "_RimLightingMix", 0.0f, &out->rim_lighting_mix));
    ZT_TRY(gltf_float(log, floats, "_RimFresnelPower", 1.0f, &out->rim_power));
    out->rim_lighting_mix = limited(out->rim_lighting_mix, 0.0f, 1.0f);
    out->rim_power = limited(out->rim_power, 0.0f, 1e4f);
    return gltf_float(log, floats, "_RimLift", 0.0f, &out->rim_lift);
}

static zt_result read_outline(gltf_log *log, const toon_properties *from, material_toon *out)
{
    const json_pointer *floats = &from->floats;
    float mode, mixed, width;
    ZT_TRY(gltf_float(log, floats, "_OutlineWidthMode", 0.0f, &mode));
    ZT_TRY(gltf_float(log, floats, "_OutlineColorMode", 0.0f, &mixed));
    ZT_TRY(gltf_float(log, floats, "_OutlineWidth", 0.5f, &width));
    ZT_TRY(gltf_float(log, floats, "_OutlineLightingMix", 1.0f, &out->outline_lighting_mix));
    ZT_TRY(read_color(log, from, "_OutlineColor", out->outline_color));
    out->outline = mode == 1.0f   ? MODEL_OUTLINE_WORLD
                   : mode == 2.0f ? MODEL_OUTLINE_SCREEN
                                  : MODEL_OUTLINE_NONE;
    // Centimetres, or hundredths of half a height.
    out->outline_width = limited(width, 0.0f, 1e4f) * (mode == 2.0f ? 0.005f : 0.01f);
    out->outline_lighting_mix =
        mixed == 1.0f ? limited(out->outline_lighting_mix, 0.0f, 1.0f) : 0.0f;
    return ZT_OK;
}

zt_result gltf_read_toon_vrm0(gltf_file *file, gltf_textures *textures, uint32_t index,
                              model_material *m)
{
    material_toon *toon = &m->extensions.toon;
    toon_properties from;
    float turns;
    ZT_TRY(open_properties(file, index, &from));
    m->extensions.present |= 1u << MODEL_TOON;
    ZT_TRY(read_maps(file, textures, &from, m));
    ZT_TRY(read_shading(file->log, &from, toon));
    ZT_TRY(read_outline(file->log, &from, toon));
    ZT_TRY(gltf_float(file->log, &from.floats, "_UvAnimScrollX", 0.0f, &toon->scroll[0]));
    ZT_TRY(gltf_float(file->log, &from.floats, "_UvAnimScrollY", 0.0f, &toon->scroll[1]));
    ZT_TRY(gltf_float(file->log, &from.floats, "_UvAnimRotation", 0.0f, &turns));
    toon->scroll[1] = 0.0f - toon->scroll[1];
    toon->spin = turns * 6.28318531f;
    return ZT_OK;
}
