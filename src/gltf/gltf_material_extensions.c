// SPDX-License-Identifier: MIT
/// The light that a glTF material reflects, and its colour, where extensions change
/// that; and the extensions in the table of material_extensions.h. Reference: KHR_materials_ior,
/// KHR_materials_specular, KHR_materials_pbrSpecularGlossiness.
#include "base/row_find.h"
#include "gltf/gltf_parts.h"

static const float ROUNDING = 1e-5f;

zt_result gltf_clamp_factor(gltf_log *log, const json_pointer *json, const char *what, float max,
                            float *value)
{
    const float clamped = *value < 0.0f ? 0.0f : *value > max ? max : *value;
    const float off = *value > clamped ? *value - clamped : clamped - *value;
    if (off > ROUNDING * (max < 1.0f ? 1.0f : max)) // less is an exporter's rounding
        ZT_TRY(
            gltf_warn(log, json, "%s %g is clamped to %g", what, (double)*value, (double)clamped));
    *value = clamped;
    return ZT_OK;
}

zt_result gltf_clamp_color(gltf_log *log, const json_pointer *json, const char *what, int count,
                           float max, float *color)
{
    for (int i = 0; i < count; i++)
        ZT_TRY(gltf_clamp_factor(log, json, what, max, &color[i]));
    return ZT_OK;
}

/// The specular-glossiness model. Its specular colour is our dielectric reflectance, its glossiness
/// 1 - roughness. The diffuse colour stays as it is: the extension weighs it with
/// 1 - max(specular), the fraction that is not reflected at normal incidence, as metallic-roughness
/// did before glTF 2.0.1; the kernel uses 1 - max(F), which equals that and holds for all angles.
static zt_result read_specular_glossiness(gltf_file *file, gltf_textures *textures,
                                          const json_pointer *object, model_material *m)
{
    json_pointer info;
    float glossiness;
    for (int i = 0; i < 4; i++)
        m->base_color[i] = 1.0f;
    for (int i = 0; i < 3; i++)
        m->f0[i] = 1.0f;
    ZT_TRY(gltf_floats(file->log, object, "diffuseFactor", 4, m->base_color));
    ZT_TRY(gltf_floats(file->log, object, "specularFactor", 3, m->f0));
    ZT_TRY(gltf_float(file->log, object, "glossinessFactor", 1.0f, &glossiness));
    ZT_TRY(gltf_clamp_color(file->log, object, "a diffuse colour of", 4, 1.0f, m->base_color));
    ZT_TRY(gltf_clamp_color(file->log, object, "a specular colour of", 3, 1.0f, m->f0));
    ZT_TRY(gltf_clamp_factor(file->log, object, "the glossiness", 1.0f, &glossiness));
    m->metallic = 0.0f;
    m->glossiness = glossiness;
    m->glossy = true;
    m->metal_rough_map.texture = -1;
    ZT_TRY(gltf_read_slot(file, textures, object, "diffuseTexture", MIPMAP_COLOR, &m->base_map,
                          &info));
    return gltf_read_slot(file, textures, object, "specularGlossinessTexture", MIPMAP_TINT,
                          &m->specular_color_map, &info);
}

static zt_result read_ior(gltf_log *log, const json_pointer *json, model_material *m)
{
    json_extension extension;
    float ior;
    ZT_TRY(gltf_extension(log, json, "KHR_materials_ior", &extension));
    if (!json_get(extension.object.value, "ior"))
        return ZT_OK;
    ZT_TRY(gltf_float(log, &extension.object, "ior", 1.5f, &ior));
    if (!(ior >= 1.0f) && !(ior == 0.0f))
        return gltf_warn(log, &extension.object,
                         "the index of refraction %g is below 1 and ignored", (double)ior);
    m->ior = ior;
    return ZT_OK;
}

/// KHR_materials_specular tints the index's reflectance, and scales all dielectric reflection.
static zt_result read_specular(gltf_file *file, gltf_textures *textures, const json_pointer *json,
                               model_material *m)
{
    json_extension extension;
    json_pointer info;
    ZT_TRY(gltf_extension(file->log, json, "KHR_materials_specular", &extension));
    const json_pointer *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(gltf_float(file->log, object, "specularFactor", 1.0f, &m->specular));
    ZT_TRY(gltf_floats(file->log, object, "specularColorFactor", 3, m->specular_color));
    ZT_TRY(gltf_clamp_factor(file->log, object, "the specular factor", 1.0f, &m->specular));
    ZT_TRY(gltf_clamp_color(file->log, object, "a specular colour of", 3, 1e4f, m->specular_color));
    ZT_TRY(gltf_read_slot(file, textures, object, "specularTexture", MIPMAP_LINEAR,
                          &m->specular_map, &info));
    return gltf_read_slot(file, textures, object, "specularColorTexture", MIPMAP_TINT,
                          &m->specular_color_map, &info);
}

zt_result gltf_read_reflectance(gltf_file *file, gltf_textures *textures, const json_pointer *json,
                                model_material *m)
{
    json_extension extension;
    ZT_TRY(gltf_extension(file->log, json, "KHR_materials_pbrSpecularGlossiness", &extension));
    if (extension.object.value)
        return read_specular_glossiness(file, textures, &extension.object,
                                        m); // which replaces all others
    ZT_TRY(read_ior(file->log, json, m));
    return read_specular(file, textures, json, m);
}

/// Reads a number or colour, else its default; out of range becomes the nearest, with a warning.
static zt_result read_field(gltf_log *log, const json_pointer *object, const material_field *field,
                            material_extensions *out)
{
    float *value = (float *)(void *)((char *)out + field->offset);
    const json_pointer member = json_member(object, field->key);
    if (!member.value)
        return ZT_OK;
    if (field->width == 1)
        ZT_TRY(gltf_float(log, object, field->key, *value, value));
    else
        ZT_TRY(gltf_floats(log, object, field->key, field->width, value));
    for (uint32_t i = 0; i < field->width; i++) {
        const float given = value[i];
        if (given >= field->min && given <= field->max)
            continue;
        value[i] = given < field->min ? field->min : field->max;
        ZT_TRY(gltf_warn(log, &member, "%g is out of range and becomes %g", (double)given,
                         (double)value[i]));
    }
    return ZT_OK;
}

static zt_result read_map(gltf_file *file, gltf_textures *textures, const json_pointer *object,
                          const material_map *map, material_extensions *out)
{
    json_pointer info;
    textures->measure = !map->shaded;
    const zt_result read =
        gltf_read_slot(file, textures, object, map->key, map->content, &out->map[map->map], &info);
    textures->measure = false;
    ZT_TRY(read);
    if (!map->scale_key)
        return ZT_OK;
    return gltf_float(file->log, &info, "scale", 1.0f,
                      (float *)(void *)((char *)out + map->scale_offset));
}

static zt_result read_extension(gltf_file *file, gltf_textures *textures,
                                const json_pointer *material, material_extension index,
                                material_extensions *out)
{
    const material_extension_row *row = &material_extension_table[index];
    json_extension extension;
    ZT_TRY(gltf_extension(file->log, material, row->name, &extension));
    if (!extension.object.value)
        return ZT_OK;
    out->present |= 1u << index;
    for (const material_field *field = row->fields; field->key; field++)
        ZT_TRY(read_field(file->log, &extension.object, field, out));
    for (const material_map *map = row->maps; map->key; map++)
        ZT_TRY(read_map(file, textures, &extension.object, map, out));
    return ZT_OK;
}

/// The only member of an extension that is a text.
static zt_result read_outline(gltf_log *log, const json_pointer *material, material_toon *out)
{
    static const char *const modes[] = {[MODEL_OUTLINE_NONE] = "none",
                                        [MODEL_OUTLINE_WORLD] = "worldCoordinates",
                                        [MODEL_OUTLINE_SCREEN] = "screenCoordinates"};
    json_extension extension;
    const char *mode;
    ZT_TRY(gltf_extension(log, material, material_extension_table[MODEL_TOON].name, &extension));
    ZT_TRY(gltf_text(log, &extension.object, "outlineWidthMode", &mode));
    const int32_t found = ROW_FIND(modes, mode);
    if (found >= 0)
        out->outline = (model_outline)found;
    return mode && found < 0 ? gltf_warn(log, &extension.object,
                                         "'%.40s' is no mode of outlines (expected none, "
                                         "worldCoordinates or screenCoordinates)",
                                         mode)
                             : ZT_OK;
}

zt_result gltf_read_extensions(gltf_file *file, gltf_textures *textures,
                               const json_pointer *material, material_extensions *out)
{
    for (int i = 0; i < MATERIAL_EXTENSION_COUNT; i++)
        ZT_TRY(read_extension(file, textures, material, (material_extension)i, out));
    return read_outline(file->log, material, &out->toon);
}
