// SPDX-License-Identifier: MIT
/// Materials and textures of an .m3d -> those of a glTF file. The reflectance at normal incidence
/// becomes the specular colour of KHR_materials_specular, relative to 0.04, the reflectance of an
/// index of refraction of 1.5. DDS files are kept (MSFT_texture_dds); a PNG of their largest level
/// serves readers without that extension.
#include "convert/dds_write.h"
#include "convert/gltf_model_parts.h"
#include "image/png_write.h"

#include <math.h>
#include <string.h>

#define DIELECTRIC_F0 0.04f

/// Adds an image; returns its index.
static json_int_t add_image(gltf_builder *builder, const char *name, file_bytes bytes)
{
    const char *stem = convert_stem(builder->job, name);
    builder->failed |= stem == NULL;
    builder->images[builder->image_count] = (gltf_document_image){bytes, stem ? stem : ""};
    gltf_builder_append(builder, gltf_builder_root_array(builder, "images"),
                        json_pack("{s:o}", "name", gltf_builder_text(name)));
    return (json_int_t)builder->image_count++;
}

/// z of the unit normal whose x and y are the first two channels of a pixel, as 8 bits.
static uint8_t normal_z(const uint8_t *pixel)
{
    const float x = (float)pixel[0] / 127.5f - 1.0f, y = (float)pixel[1] / 127.5f - 1.0f;
    const float rest = 1.0f - x * x - y * y;
    return (uint8_t)((rest > 0.0f ? sqrtf(rest) : 0.0f) * 127.5f + 128.0f);
}

/// Encodes level 0 of a picture as a PNG; a two-channel normal map gets its z.
static zt_result encode_png(gltf_builder *builder, const picture *source, file_bytes *out)
{
    convert_job *job = builder->job;
    file_bytes dds;
    picture level = *source;
    level.level_count = 1;
    ZT_TRY(dds_write(job->a, &level, &dds, job->err)); // a header, then RGBA of 8 bits
    const size_t size = dds.size - DDS_HEADER_SIZE;
    uint8_t *pixels = ARENA_ARRAY_RAW(job->a, uint8_t, size);
    if (!pixels)
        return arena_fail(job->a, job->err, "a picture");
    memcpy(pixels, dds.data + DDS_HEADER_SIZE, size);
    for (size_t i = 0; source->two_channel && i + 4 <= size; i += 4)
        pixels[i + 2] = normal_z(pixels + i);
    const zt_image image = {.rgba8 = pixels,
                            .width = source->width,
                            .height = source->height,
                            .stride = (size_t)source->width * 4};
    return png_encode(&image, ZT_PNG_SMALL, job->a, out, job->err);
}

static zt_result add_texture(gltf_builder *builder, const model_texture *texture)
{
    convert_job *job = builder->job;
    file_bytes bytes;
    ZT_TRY(texture_read(job->a, job->source.path, texture->name, job->source.texture_dir,
                        &job->source.sink, &bytes, job->err));
    const bool dds = strcmp(picture_kind_of(bytes).extension, "dds") == 0;
    json_t *list = gltf_builder_root_array(builder, "textures");
    if (!dds) {
        const json_int_t image = add_image(builder, texture->name, bytes);
        gltf_builder_append(builder, list, json_pack("{s:I}", "source", image));
        return ZT_OK;
    }
    picture decoded;
    file_bytes png;
    const picture_need all = {0};
    ZT_TRY(picture_decode(job->a, texture->name, bytes, all, &decoded, job->err));
    ZT_TRY(encode_png(builder, &decoded, &png));
    const json_int_t fallback = add_image(builder, texture->name, png);
    const json_int_t image = add_image(builder, texture->name, bytes);
    gltf_builder_append(builder, list,
                        json_pack("{s:I,s:{s:{s:I}}}", "source", fallback, "extensions",
                                  "MSFT_texture_dds", "source", image));
    return ZT_OK;
}

/// The factor that gives `f0` when a reader multiplies it by 0.04, exactly if such a float exists.
static double specular_factor(float f0)
{
    const float factor = f0 / DIELECTRIC_F0;
    uint32_t bits;
    memcpy(&bits, &factor, sizeof bits);
    for (uint32_t step = 0; step < 5; step++) {
        const uint32_t near_bits = bits + (step & 1 ? step / 2 + 1 : 0u - step / 2);
        float candidate;
        memcpy(&candidate, &near_bits, sizeof candidate);
        if (candidate * DIELECTRIC_F0 <= f0 && candidate * DIELECTRIC_F0 >= f0)
            return (double)candidate;
    }
    return (double)factor;
}

static void add_reflectance(gltf_builder *builder, const model_material *m, json_t *material)
{
    if (m->f0[0] == DIELECTRIC_F0 && m->f0[1] == DIELECTRIC_F0 && m->f0[2] == DIELECTRIC_F0)
        return;
    gltf_builder_put(builder, material, "extensions",
                     json_pack("{s:{s:[f,f,f]}}", "KHR_materials_specular", "specularColorFactor",
                               specular_factor(m->f0[0]), specular_factor(m->f0[1]),
                               specular_factor(m->f0[2])));
}

static void add_material(gltf_builder *builder, const model_material *m)
{
    json_t *surface =
        json_pack("{s:o,s:f,s:f}", "baseColorFactor", gltf_builder_floats(m->base_color, 4),
                  "metallicFactor", (double)m->metallic, "roughnessFactor", (double)m->roughness);
    if (m->base_map.texture >= 0)
        gltf_builder_put(builder, surface, "baseColorTexture",
                         json_pack("{s:i}", "index", m->base_map.texture));
    json_t *material =
        json_pack("{s:o,s:o}", "name", gltf_builder_text(m->name), "pbrMetallicRoughness", surface);
    if (m->normal_map.texture >= 0)
        gltf_builder_put(builder, material, "normalTexture",
                         json_pack("{s:i}", "index", m->normal_map.texture));
    if (m->alpha == MODEL_MASK) {
        gltf_builder_put(builder, material, "alphaMode", json_string("MASK"));
        gltf_builder_put(builder, material, "alphaCutoff", json_real((double)m->alpha_cutoff));
    }
    add_reflectance(builder, m, material);
    gltf_builder_append(builder, gltf_builder_root_array(builder, "materials"), material);
}

/// Lists the extensions that materials and textures use.
static void add_extensions(gltf_builder *builder)
{
    bool specular = false, dds = false;
    const json_t *materials = json_object_get(builder->package.json, "materials");
    const json_t *textures = json_object_get(builder->package.json, "textures");
    const json_t *entry;
    size_t i;
    json_array_foreach(materials, i, entry) specular |=
        json_object_get(entry, "extensions") != NULL;
    json_array_foreach(textures, i, entry) dds |= json_object_get(entry, "extensions") != NULL;
    if (specular)
        gltf_builder_append(builder, gltf_builder_root_array(builder, "extensionsUsed"),
                            json_string("KHR_materials_specular"));
    if (dds)
        gltf_builder_append(builder, gltf_builder_root_array(builder, "extensionsUsed"),
                            json_string("MSFT_texture_dds"));
}

zt_result gltf_build_materials(gltf_builder *builder)
{
    const zt_model *model = builder->model;
    builder->images =
        ARENA_ARRAY(builder->job->a, gltf_document_image, 2 * (size_t)model->texture_count);
    if (!builder->images)
        return arena_fail(builder->job->a, builder->job->err, "images");
    for (uint32_t i = 0; i < model->texture_count; i++)
        ZT_TRY(add_texture(builder, &model->textures[i]));
    for (uint32_t i = 0; i < model->material_count; i++)
        add_material(builder, &model->materials[i]);
    add_extensions(builder);
    return ZT_OK;
}
