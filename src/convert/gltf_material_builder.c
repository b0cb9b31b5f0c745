// SPDX-License-Identifier: MIT
/// Materials and textures of a zt_model -> those of a glTF file. Reflectance at normal incidence
/// becomes the specular colour of KHR_materials_specular, relative to 0.04, that of the index 1.5.
/// DDS files are kept (MSFT_texture_dds), with a PNG of their largest level for others.
#include "convert/convert_texture.h"
#include "convert/gltf_model_parts.h"

#include <string.h>

#define DIELECTRIC_F0 0.04f

/// Adds an image; returns its index.
static int64_t add_image(gltf_builder *builder, const char *name, file_bytes bytes)
{
    const char *stem = convert_stem(builder->job, name);
    builder->package.values.failed |= stem == NULL;
    builder->images[builder->image_count] = (gltf_document_image){bytes, stem ? stem : ""};
    json_put_text(&builder->package.values, gltf_builder_entry(builder, "images"), "name", name);
    return (int64_t)builder->image_count++;
}

/// The wrapping of a texture, unless it repeats (glTF 2.0, 5.26).
static void add_sampler(gltf_builder *builder, const model_texture *texture, json_value *entry)
{
    static const int wraps[] = {
        [MIPMAP_REPEAT] = 10497, [MIPMAP_CLAMP] = 33071, [MIPMAP_MIRROR] = 33648};
    const mipmap *m = &texture->mipmap;
    json_builder *b = &builder->package.values;
    if (m->wrap_u == MIPMAP_REPEAT && m->wrap_v == MIPMAP_REPEAT)
        return;
    json_put_int(b, entry, "sampler", json_length(json_get(builder->package.json, "samplers")));
    json_value *sampler = gltf_builder_entry(builder, "samplers");
    json_put_int(b, sampler, "wrapS", wraps[m->wrap_u]);
    json_put_int(b, sampler, "wrapT", wraps[m->wrap_v]);
}

static zt_result add_texture(gltf_builder *builder, const model_texture *texture)
{
    convert_job *job = builder->job;
    file_bytes bytes;
    ZT_TRY(convert_texture_read(job, texture, &bytes));
    const bool dds = file_starts_with(bytes, 0, "DDS ");
    json_builder *b = &builder->package.values;
    json_value *entry = gltf_builder_entry(builder, "textures");
    add_sampler(builder, texture, entry);
    if (!dds) {
        json_put_int(b, entry, "source", add_image(builder, texture->name, bytes));
        return ZT_OK;
    }
    picture decoded;
    file_bytes png;
    const picture_need all = {0};
    ZT_TRY(picture_decode(job->a, texture->name, bytes, all, &decoded, job->err));
    ZT_TRY(convert_texture_png(job, &decoded, &png));
    const int64_t fallback = add_image(builder, texture->name, png);
    const int64_t image = add_image(builder, texture->name, bytes);
    json_value *extensions = json_new(b, JSON_KIND_OBJECT);
    gltf_builder_put_index(builder, extensions, "MSFT_texture_dds", "source", image);
    gltf_builder_use_extension(builder, "MSFT_texture_dds");
    json_put_int(b, entry, "source", fallback);
    json_put(b, entry, "extensions", extensions);
    return ZT_OK;
}

/// The factor that gives `f0` when a reader multiplies it by 0.04, exactly if such a float exists.
static float specular_factor(float f0)
{
    const float factor = f0 / DIELECTRIC_F0;
    uint32_t bits;
    memcpy(&bits, &factor, sizeof bits);
    for (uint32_t step = 0; step < 5; step++) {
        const uint32_t near_bits = bits + (step & 1 ? step / 2 + 1 : 0u - step / 2);
        float candidate;
        memcpy(&candidate, &near_bits, sizeof candidate);
        if (candidate * DIELECTRIC_F0 <= f0 && candidate * DIELECTRIC_F0 >= f0)
            return candidate;
    }
    return factor;
}

/// The extensions of a material, made when the first is put into it.
static json_value *material_extension_of(gltf_builder *builder, json_value *material,
                                         const char *name)
{
    json_builder *b = &builder->package.values;
    json_value *extensions = json_require(b, material, "extensions", JSON_KIND_OBJECT);
    json_value *own = json_new(b, JSON_KIND_OBJECT);
    json_put(b, extensions, name, own);
    gltf_builder_use_extension(builder, name);
    return own;
}

static void add_reflectance(gltf_builder *builder, const model_material *m, json_value *material)
{
    if (m->f0[0] == DIELECTRIC_F0 && m->f0[1] == DIELECTRIC_F0 && m->f0[2] == DIELECTRIC_F0)
        return;
    const float factor[3] = {specular_factor(m->f0[0]), specular_factor(m->f0[1]),
                             specular_factor(m->f0[2])};
    gltf_builder_put_floats(builder,
                            material_extension_of(builder, material, "KHR_materials_specular"),
                            "specularColorFactor", factor, 3);
}

static void add_clearcoat(gltf_builder *builder, const model_material *m, json_value *material)
{
    if (m->extensions.clearcoat <= 0.0f)
        return;
    json_builder *b = &builder->package.values;
    json_value *coat = material_extension_of(builder, material, "KHR_materials_clearcoat");
    json_put_real(b, coat, "clearcoatFactor", (double)m->extensions.clearcoat);
    json_put_real(b, coat, "clearcoatRoughnessFactor", (double)m->extensions.clearcoat_roughness);
}

/// Adds a map; `strength_key` with a strength other than 1.
static void add_map(gltf_builder *builder, json_value *object, const char *key,
                    const model_slot *slot, const char *strength_key, float strength)
{
    json_builder *b = &builder->package.values;
    if (slot->texture < 0)
        return;
    json_value *map = json_new(b, JSON_KIND_OBJECT);
    json_put_int(b, map, "index", slot->texture);
    if (slot->uv_set > 0)
        json_put_int(b, map, "texCoord", slot->uv_set);
    if (strength_key && strength != 1.0f)
        json_put_real(b, map, strength_key, (double)strength);
    if (slot->transformed) {
        json_value *transform = material_extension_of(builder, map, "KHR_texture_transform");
        gltf_builder_put_floats(builder, transform, "offset", slot->offset, 2);
        json_put_real(b, transform, "rotation", (double)slot->uv_rotation_rad);
        gltf_builder_put_floats(builder, transform, "scale", slot->scale, 2);
    }
    json_put(b, object, key, map);
}

/// A factor at most 1, as glTF wants, times a strength: a power of two, which changes no bit.
static void add_emission(gltf_builder *builder, const model_material *m, json_value *material)
{
    float factor[3], strength = 1.0f;
    if (m->emissive[0] + m->emissive[1] + m->emissive[2] <= 0.0f)
        return;
    for (int i = 0; i < 3; i++)
        while (m->emissive[i] > strength)
            strength *= 2.0f;
    for (int i = 0; i < 3; i++)
        factor[i] = m->emissive[i] / strength;
    gltf_builder_put_floats(builder, material, "emissiveFactor", factor, 3);
    if (strength > 1.0f)
        json_put_real(&builder->package.values,
                      material_extension_of(builder, material, "KHR_materials_emissive_strength"),
                      "emissiveStrength", (double)strength);
}

json_value *gltf_build_material(gltf_builder *builder, const model_material *m)
{
    json_builder *b = &builder->package.values;
    json_value *surface = json_new(b, JSON_KIND_OBJECT);
    json_value *material = gltf_builder_entry(builder, "materials");
    gltf_builder_put_floats(builder, surface, "baseColorFactor", m->base_color, 4);
    json_put_real(b, surface, "metallicFactor", (double)m->metallic);
    json_put_real(b, surface, "roughnessFactor", (double)m->roughness);
    add_map(builder, surface, "baseColorTexture", &m->base_map, NULL, 1.0f);
    add_map(builder, surface, "metallicRoughnessTexture", &m->metal_rough_map, NULL, 1.0f);
    json_put_text(b, material, "name", m->name);
    json_put(b, material, "pbrMetallicRoughness", surface);
    add_map(builder, material, "normalTexture", &m->normal_map, "scale", m->normal_scale);
    add_map(builder, material, "occlusionTexture", &m->occlusion_map, "strength",
            m->occlusion_strength);
    add_map(builder, material, "emissiveTexture", &m->emissive_map, NULL, 1.0f);
    add_emission(builder, m, material);
    if (m->alpha == MODEL_MASK) {
        json_put_text(b, material, "alphaMode", "MASK");
        json_put_real(b, material, "alphaCutoff", (double)m->alpha_cutoff);
    }
    if (m->alpha == MODEL_BLEND)
        json_put_text(b, material, "alphaMode", "BLEND");
    if (m->double_sided)
        json_put(b, material, "doubleSided", json_new_bool(b, true));
    if (m->unlit)
        (void)material_extension_of(builder, material, "KHR_materials_unlit");
    add_reflectance(builder, m, material);
    add_clearcoat(builder, m, material);
    return material;
}

zt_result gltf_build_materials(gltf_builder *builder)
{
    const zt_model *model = builder->model;
    ZT_TRY(ARENA_TAKE(builder->job->a, &builder->images, 2 * (size_t)model->texture_count, "images",
                      builder->job->err));
    for (uint32_t i = 0; i < model->texture_count; i++)
        ZT_TRY(add_texture(builder, &model->textures[i]));
    for (uint32_t i = 0; i < model->material_count; i++)
        (void)gltf_build_material(builder, &model->materials[i]);
    return ZT_OK;
}
