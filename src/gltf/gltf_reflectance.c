// SPDX-License-Identifier: MIT
/// How much of the light a glTF material reflects, and in which colour, where extensions say so:
/// the index of refraction, a specular weight and tint, and the older specular-glossiness model.
/// Reference: KHR_materials_ior, KHR_materials_specular, KHR_materials_pbrSpecularGlossiness.

#include "gltf/gltf_reader.h"

/// The specular-glossiness model. Its specular colour is our dielectric reflectance, its glossiness
/// 1 - roughness. The diffuse colour stays as it is: the extension weighs it with
/// 1 - max(specular), the fraction that is not reflected at normal incidence, as metallic-roughness
/// did before glTF 2.0.1; what the kernel keeps, 1 - max(F), is that and right for all angles.
static zt_result read_specular_glossiness(gltf_reader *g, const json_place *object,
                                          model_material *m)
{
    json_place info;
    float glossiness;
    for (int i = 0; i < 4; i++)
        m->base_color[i] = 1.0f;
    for (int i = 0; i < 3; i++)
        m->f0[i] = 1.0f;
    ZT_TRY(gltf_floats(g, object, "diffuseFactor", 4, m->base_color));
    ZT_TRY(gltf_floats(g, object, "specularFactor", 3, m->f0));
    ZT_TRY(gltf_float(g, object, "glossinessFactor", 1.0f, &glossiness));
    ZT_TRY(gltf_clamp_color(g, object, "a diffuse colour of", 4, 1.0f, m->base_color));
    ZT_TRY(gltf_clamp_color(g, object, "a specular colour of", 3, 1.0f, m->f0));
    ZT_TRY(gltf_clamp_factor(g, object, "the glossiness", 1.0f, &glossiness));
    m->metallic = 0.0f;
    m->glossiness = glossiness;
    m->glossy = true;
    m->metal_rough_map.texture = -1;
    ZT_TRY(gltf_slot(g, object, "diffuseTexture", MIPMAP_COLOR, &m->base_map, &info));
    return gltf_slot(g, object, "specularGlossinessTexture", MIPMAP_TINT, &m->specular_color_map,
                     &info);
}

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
    m->ior = ior;
    return ZT_OK;
}

/// KHR_materials_specular tints the reflectance at normal incidence that the index of refraction
/// gives, and scales all of the dielectric part's reflection.
static zt_result read_specular(gltf_reader *g, const json_place *place, model_material *m)
{
    json_extension extension;
    json_place info;
    ZT_TRY(gltf_extension(g, place, "KHR_materials_specular", &extension));
    const json_place *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(gltf_float(g, object, "specularFactor", 1.0f, &m->specular));
    ZT_TRY(gltf_floats(g, object, "specularColorFactor", 3, m->specular_color));
    ZT_TRY(gltf_clamp_factor(g, object, "the specular factor", 1.0f, &m->specular));
    ZT_TRY(gltf_clamp_color(g, object, "a specular colour of", 3, 1e4f, m->specular_color));
    ZT_TRY(gltf_slot(g, object, "specularTexture", MIPMAP_LINEAR, &m->specular_map, &info));
    return gltf_slot(g, object, "specularColorTexture", MIPMAP_TINT, &m->specular_color_map, &info);
}

zt_result gltf_read_reflectance(gltf_reader *g, const json_place *place, model_material *m)
{
    json_extension extension;
    ZT_TRY(gltf_extension(g, place, "KHR_materials_pbrSpecularGlossiness", &extension));
    if (extension.object.value)
        return read_specular_glossiness(g, &extension.object, m); // which says all there is
    ZT_TRY(read_ior(g, place, m));
    return read_specular(g, place, m);
}
