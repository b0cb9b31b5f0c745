// SPDX-License-Identifier: MIT
/// Materials of a glTF file: metallic-roughness and the extensions that say the same in other
/// words. A material that is used with and without vertex colours becomes two.
/// Reference: glTF 2.0, section 3.9; KHR_materials_ior, _emissive_strength, _unlit and
/// _pbrSpecularGlossiness.

#include "model/gltf_reader.h"

#include <string.h>

#define DIELECTRIC_F0 0.04f // index of refraction 1.5

static model_slot empty_slot(void)
{
    return (model_slot){.texture = -1};
}

static model_material default_material(void)
{
    return (model_material){
        .name = "",
        .base_color = {1.0f, 1.0f,      1.0f,             1.0f},
        .metallic = 1.0f,
        .roughness = 1.0f,
        .f0 = {DIELECTRIC_F0,    DIELECTRIC_F0, DIELECTRIC_F0},
        .normal_scale = 1.0f,
        .occlusion_strength = 1.0f,
        .base_map = empty_slot(),
        .metal_rough_map = empty_slot(),
        .normal_map = empty_slot(),
        .occlusion_map = empty_slot(),
        .emissive_map = empty_slot(),
        .alpha = MODEL_OPAQUE,
        .alpha_cutoff = 0.5f,
    };
}

/// Clamps a factor, with a warning when it was out of range.
static zt_result clamp_factor(gltf_reader *g, const json_place *place, const char *what,
                              float largest, float *value)
{
    const float clamped = *value < 0.0f ? 0.0f : *value > largest ? largest : *value;
    if (clamped < *value || clamped > *value)
        ZT_TRY(
            gltf_warn(g, place, "%s %g is clamped to %g", what, (double)*value, (double)clamped));
    *value = clamped;
    return ZT_OK;
}

static zt_result clamp_color(gltf_reader *g, const json_place *place, const char *what, int count,
                             float largest, float *color)
{
    for (int i = 0; i < count; i++)
        ZT_TRY(clamp_factor(g, place, what, largest, &color[i]));
    return ZT_OK;
}

static zt_result read_metal_rough(gltf_reader *g, const json_place *place, model_material *m)
{
    json_place pbr, info;
    ZT_TRY(gltf_object(g, place, "pbrMetallicRoughness", &pbr));
    ZT_TRY(gltf_floats(g, &pbr, "baseColorFactor", 4, m->base_color));
    ZT_TRY(gltf_float(g, &pbr, "metallicFactor", 1.0f, &m->metallic));
    ZT_TRY(gltf_float(g, &pbr, "roughnessFactor", 1.0f, &m->roughness));
    ZT_TRY(clamp_color(g, &pbr, "a base colour of", 4, 1.0f, m->base_color));
    ZT_TRY(clamp_factor(g, &pbr, "the metallic factor", 1.0f, &m->metallic));
    ZT_TRY(clamp_factor(g, &pbr, "the roughness factor", 1.0f, &m->roughness));
    ZT_TRY(gltf_slot(g, &pbr, "baseColorTexture", MIPMAP_COLOR, &m->base_map, &info));
    return gltf_slot(g, &pbr, "metallicRoughnessTexture", MIPMAP_LINEAR, &m->metal_rough_map,
                     &info);
}

/// The older specular-glossiness model: its specular colour is our dielectric reflectance. A map
/// of specular colours has no place in ours.
static zt_result read_specular_glossiness(gltf_reader *g, const json_place *place,
                                          model_material *m)
{
    json_extension extension;
    json_place info;
    ZT_TRY(gltf_extension(g, place, "KHR_materials_pbrSpecularGlossiness", &extension));
    const json_place *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    const bool mapped = json_object_get(object->value, "specularGlossinessTexture") != NULL;
    if (mapped && json_object_get(place->value, "pbrMetallicRoughness"))
        return gltf_unsupported(g, object,
                                "the specular-glossiness texture is ignored; the material's "
                                "metallic-roughness form is shown");
    float glossiness;
    for (int i = 0; i < 4; i++)
        m->base_color[i] = 1.0f;
    for (int i = 0; i < 3; i++)
        m->f0[i] = 1.0f;
    ZT_TRY(gltf_floats(g, object, "diffuseFactor", 4, m->base_color));
    ZT_TRY(gltf_floats(g, object, "specularFactor", 3, m->f0));
    ZT_TRY(gltf_float(g, object, "glossinessFactor", 1.0f, &glossiness));
    ZT_TRY(clamp_color(g, object, "a diffuse colour of", 4, 1.0f, m->base_color));
    ZT_TRY(clamp_color(g, object, "a specular colour of", 3, 1.0f, m->f0));
    ZT_TRY(clamp_factor(g, object, "the glossiness", 1.0f, &glossiness));
    m->metallic = 0.0f;
    m->roughness = 1.0f - glossiness;
    m->metal_rough_map = empty_slot();
    ZT_TRY(gltf_slot(g, object, "diffuseTexture", MIPMAP_COLOR, &m->base_map, &info));
    if (!mapped)
        return ZT_OK;
    for (int i = 0; i < 3; i++)
        m->f0[i] = DIELECTRIC_F0;
    m->roughness = 1.0f - 0.5f * glossiness; // the middle of what the map can say
    return gltf_unsupported(g, object,
                            "the specular-glossiness texture is ignored; a plain dielectric of "
                            "roughness %.2f is shown",
                            (double)m->roughness);
}

static zt_result read_alpha(gltf_reader *g, const json_place *place, model_material *m)
{
    static const char *const modes[] = {
        [MODEL_OPAQUE] = "OPAQUE", [MODEL_MASK] = "MASK", [MODEL_BLEND] = "BLEND"};
    const char *mode;
    ZT_TRY(gltf_text(g, place, "alphaMode", &mode));
    ZT_TRY(gltf_float(g, place, "alphaCutoff", 0.5f, &m->alpha_cutoff));
    ZT_TRY(gltf_flag(g, place, "doubleSided", false, &m->double_sided));
    if (!mode)
        return ZT_OK;
    for (int i = MODEL_OPAQUE; i <= MODEL_BLEND; i++)
        if (strcmp(mode, modes[i]) == 0) {
            m->alpha = (model_alpha)i;
            return ZT_OK;
        }
    const json_place member = json_member(place, "alphaMode");
    return gltf_warn(g, &member, "'%.40s' is no alpha mode (expected OPAQUE, MASK or BLEND)", mode);
}

static zt_result read_emission(gltf_reader *g, const json_place *place, model_material *m)
{
    json_place info;
    json_extension extension;
    float strength;
    ZT_TRY(gltf_floats(g, place, "emissiveFactor", 3, m->emissive));
    ZT_TRY(gltf_extension(g, place, "KHR_materials_emissive_strength", &extension));
    ZT_TRY(gltf_float(g, &extension.object, "emissiveStrength", 1.0f, &strength));
    ZT_TRY(clamp_color(g, place, "an emissive factor of", 3, 65504.0f, m->emissive));
    ZT_TRY(clamp_factor(g, place, "the emissive strength", 1e6f, &strength));
    for (int i = 0; i < 3; i++)
        m->emissive[i] *= strength;
    return gltf_slot(g, place, "emissiveTexture", MIPMAP_COLOR, &m->emissive_map, &info);
}

/// Reflectance at normal incidence from the index of refraction n: ((n - 1) / (n + 1))^2. The
/// extension takes 0 for an infinite one.
static zt_result read_ior(gltf_reader *g, const json_place *place, model_material *m)
{
    json_extension extension;
    float ior;
    ZT_TRY(gltf_extension(g, place, "KHR_materials_ior", &extension));
    if (!json_object_get(extension.object.value, "ior"))
        return ZT_OK;
    ZT_TRY(gltf_float(g, &extension.object, "ior", 1.5f, &ior));
    if (!(ior >= 1.0f) && !(ior == 0.0f))
        return gltf_warn(g, &extension.object, "the index of refraction %g is below 1 and ignored",
                         (double)ior);
    const float ratio = (ior - 1.0f) / (ior + 1.0f);
    for (int i = 0; i < 3; i++)
        m->f0[i] = ratio * ratio;
    return ZT_OK;
}

/// KHR_materials_specular scales and tints the reflectance that the index of refraction gives. At
/// grazing angles the surface still reflects all light: our Fresnel term has no scale of its own.
static zt_result read_specular(gltf_reader *g, const json_place *place, model_material *m)
{
    json_extension extension;
    float factor, color[3] = {1.0f, 1.0f, 1.0f};
    ZT_TRY(gltf_extension(g, place, "KHR_materials_specular", &extension));
    const json_place *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(gltf_float(g, object, "specularFactor", 1.0f, &factor));
    ZT_TRY(gltf_floats(g, object, "specularColorFactor", 3, color));
    ZT_TRY(clamp_factor(g, object, "the specular factor", 1.0f, &factor));
    ZT_TRY(clamp_color(g, object, "a specular colour of", 3, 1e4f, color));
    for (int i = 0; i < 3; i++) {
        const float tinted = m->f0[i] * color[i];
        m->f0[i] = (tinted < 1.0f ? tinted : 1.0f) * factor;
    }
    if (json_object_get(object->value, "specularTexture") ||
        json_object_get(object->value, "specularColorTexture"))
        return gltf_unsupported(g, object,
                                "the specular textures are ignored; the factors are shown");
    if (factor < 1.0f)
        return gltf_unsupported(g, object,
                                "a specular factor below 1 is approximated: reflections at grazing "
                                "angles keep their strength");
    return ZT_OK;
}

/// An unlit surface is one that reflects nothing and emits its colour.
static zt_result read_unlit(gltf_reader *g, const json_place *place, model_material *m)
{
    json_extension extension;
    ZT_TRY(gltf_extension(g, place, "KHR_materials_unlit", &extension));
    if (!extension.object.value)
        return ZT_OK;
    for (int i = 0; i < 3; i++) {
        m->emissive[i] = m->base_color[i];
        m->base_color[i] = 0.0f;
        m->f0[i] = 0.0f;
    }
    m->metallic = 0.0f;
    m->roughness = 1.0f;
    m->emissive_map = m->base_map;
    m->metal_rough_map = m->normal_map = m->occlusion_map = empty_slot();
    return gltf_unsupported(g, &extension.object,
                            "unlit materials are approximated by light that they emit");
}

static zt_result read_material(gltf_reader *g, uint32_t index, model_material *m)
{
    json_place place, info;
    *m = default_material();
    ZT_TRY(gltf_entry(g, &g->materials, index, &place));
    ZT_TRY(gltf_name(g, &place, &m->name));
    ZT_TRY(read_metal_rough(g, &place, m));
    ZT_TRY(read_specular_glossiness(g, &place, m));
    ZT_TRY(gltf_slot(g, &place, "normalTexture", MIPMAP_NORMAL, &m->normal_map, &info));
    ZT_TRY(gltf_float(g, &info, "scale", 1.0f, &m->normal_scale));
    ZT_TRY(gltf_slot(g, &place, "occlusionTexture", MIPMAP_LINEAR, &m->occlusion_map, &info));
    ZT_TRY(gltf_float(g, &info, "strength", 1.0f, &m->occlusion_strength));
    ZT_TRY(clamp_factor(g, &place, "the occlusion strength", 1.0f, &m->occlusion_strength));
    ZT_TRY(read_emission(g, &place, m));
    ZT_TRY(read_alpha(g, &place, m));
    ZT_TRY(read_ior(g, &place, m));
    ZT_TRY(read_specular(g, &place, m));
    return read_unlit(g, &place, m);
}

/// Finds out which materials are used with vertex colours, and which at all.
static zt_result scan_uses(gltf_reader *g)
{
    for (uint32_t i = 0; i < g->mesh_count; i++) {
        json_place mesh, primitives;
        uint32_t count;
        ZT_TRY(gltf_entry(g, &g->meshes, i, &mesh));
        ZT_TRY(gltf_array(g, &mesh, "primitives", &primitives, &count));
        for (uint32_t k = 0; k < count; k++) {
            json_place primitive, attributes;
            int32_t material;
            ZT_TRY(gltf_entry(g, &primitives, k, &primitive));
            ZT_TRY(gltf_object(g, &primitive, "attributes", &attributes));
            ZT_TRY(gltf_primitive_material(g, &primitive, &material));
            gltf_material_use *use = &g->use[material < 0 ? g->material_count : (uint32_t)material];
            if (json_object_get(attributes.value, "COLOR_0"))
                use->colored = true;
            else
                use->plain = true;
        }
    }
    return ZT_OK;
}

/// One line for all materials that are shown and blend: they are drawn with depth, cut out at one
/// half where a texture gives the alpha (shade/material.c).
static zt_result report_blending(gltf_reader *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->material_count; i++)
        count += g->material[i].alpha == MODEL_BLEND && (g->use[i].plain || g->use[i].colored);
    if (count == 0)
        return ZT_OK;
    const json_place place = json_member(&g->root, "materials");
    return gltf_unsupported(g, &place,
                            "alphaMode BLEND of %u material%s is approximated: cut out where the "
                            "base texture's alpha is below one half, solid without a texture",
                            count, count == 1 ? "" : "s");
}

zt_result gltf_read_materials(gltf_reader *g)
{
    const size_t count = (size_t)g->material_count + 1;
    g->use = ARENA_ARRAY(g->scratch, gltf_material_use, count);
    g->material = ARENA_ARRAY(g->scratch, model_material, 2 * count);
    g->image_first = ARENA_ARRAY(g->scratch, int32_t, g->image_count);
    if (!g->use || !g->material || !g->image_first)
        return arena_fail(g->scratch, g->err, "materials");
    for (uint32_t i = 0; i < g->image_count; i++)
        g->image_first[i] = -1;
    ZT_TRY(scan_uses(g));
    for (uint32_t i = 0; i < g->material_count; i++) {
        g->skip_textures = !g->use[i].plain && !g->use[i].colored;
        ZT_TRY(read_material(g, i, &g->material[i]));
    }
    ZT_TRY(report_blending(g));
    const gltf_material_use *last = &g->use[g->material_count];
    g->made_materials = g->material_count;
    if (last->plain || last->colored || g->material_count == 0)
        g->material[g->made_materials++] = default_material();
    for (uint32_t i = 0; i < count; i++) {
        gltf_material_use *use = &g->use[i];
        if (!use->colored)
            continue;
        use->colored_index = (int32_t)i;
        if (use->plain) {
            use->colored_index = (int32_t)g->made_materials;
            g->material[g->made_materials++] = g->material[i];
        }
        g->material[use->colored_index].vertex_color = true;
    }
    return ZT_OK;
}

uint32_t gltf_material_for(gltf_reader *g, int32_t index, bool colored)
{
    const uint32_t material = index < 0 ? g->material_count : (uint32_t)index;
    return colored ? (uint32_t)g->use[material].colored_index : material;
}
