// SPDX-License-Identifier: MIT
/// Materials and textures of an .m3d as glTF. Its reflectance at normal incidence is the specular
/// colour of KHR_materials_specular over that of an index of refraction of 1.5. DDS files are kept
/// as they are (MSFT_texture_dds), with a PNG of their largest level for readers without them.
#include "convert/gltf_maker.h"
#include "image/png_write.h"

#include <math.h>
#include <string.h>

#define DIELECTRIC_F0 0.04f

/// Keeps an image under the next number.
static json_int_t add_image(gltf_maker *maker, const char *name, file_bytes bytes)
{
    const char *dot = strrchr(name, '.');
    const char *stem =
        arena_text(maker->job->a, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    maker->failed |= stem == NULL;
    maker->images[maker->image_count] = (gltf_document_image){bytes, stem ? stem : ""};
    maker_append(maker, maker_list(maker, "images"), json_pack("{s:o}", "name", maker_text(name)));
    return (json_int_t)maker->image_count++;
}

/// z of a unit vector whose x and y are there, as a colour.
static uint8_t third_of(const uint8_t *pixel)
{
    const float x = (float)pixel[0] / 127.5f - 1.0f, y = (float)pixel[1] / 127.5f - 1.0f;
    const float rest = 1.0f - x * x - y * y;
    return (uint8_t)((rest > 0.0f ? sqrtf(rest) : 0.0f) * 127.5f + 128.0f);
}

/// Level 0 of a decoded picture as a PNG.
static zt_result png_of(gltf_maker *maker, const picture *source, file_bytes *out)
{
    convert_job *job = maker->job;
    file_bytes plain;
    picture level = *source;
    level.level_count = 1;
    ZT_TRY(dds_write(job->a, &level, &plain, job->err)); // RGBA behind a header of 128 bytes
    uint8_t *pixels = ARENA_ARRAY_RAW(job->a, uint8_t, plain.size - 128);
    if (!pixels)
        return arena_fail(job->a, job->err, "a picture");
    memcpy(pixels, plain.data + 128, plain.size - 128);
    for (size_t i = 0; source->two_channel && i + 4 <= plain.size - 128; i += 4)
        pixels[i + 2] = third_of(pixels + i);
    const zt_image image = {.rgba8 = pixels,
                            .width = source->width,
                            .height = source->height,
                            .stride = (size_t)source->width * 4};
    return png_encode(&image, ZT_PNG_SMALL, job->a, out, job->err);
}

static zt_result add_texture(gltf_maker *maker, const model_texture *texture)
{
    convert_job *job = maker->job;
    file_bytes bytes;
    ZT_TRY(texture_read(job->a, job->source.path, texture->name, job->source.texture_dir,
                        &job->source.sink, &bytes, job->err));
    const bool dds = strcmp(convert_picture_kind_of(bytes).extension, "dds") == 0;
    json_t *list = maker_list(maker, "textures");
    if (!dds) {
        const json_int_t image = add_image(maker, texture->name, bytes);
        maker_append(maker, list, json_pack("{s:I}", "source", image));
        return ZT_OK;
    }
    picture decoded;
    file_bytes png;
    const picture_need all = {0};
    ZT_TRY(texture_decode(job->a, texture->name, bytes, all, &decoded, job->err));
    ZT_TRY(png_of(maker, &decoded, &png));
    const json_int_t fallback = add_image(maker, texture->name, png);
    const json_int_t image = add_image(maker, texture->name, bytes);
    maker_append(maker, list,
                 json_pack("{s:I,s:{s:{s:I}}}", "source", fallback, "extensions",
                           "MSFT_texture_dds", "source", image));
    return ZT_OK;
}

/// The factor that a reader multiplies by 0.04 to get `f0` back, to the bit where there is one.
static double specular_factor(float f0)
{
    const float factor = f0 / DIELECTRIC_F0;
    uint32_t bits;
    memcpy(&bits, &factor, sizeof bits);
    for (uint32_t step = 0; step < 5; step++) {
        const uint32_t near = bits + (step & 1 ? step / 2 + 1 : 0u - step / 2);
        float tried;
        memcpy(&tried, &near, sizeof tried);
        if (tried * DIELECTRIC_F0 <= f0 && tried * DIELECTRIC_F0 >= f0)
            return (double)tried;
    }
    return (double)factor;
}

static void add_reflectance(gltf_maker *maker, const model_material *m, json_t *material)
{
    if (m->f0[0] == DIELECTRIC_F0 && m->f0[1] == DIELECTRIC_F0 && m->f0[2] == DIELECTRIC_F0)
        return;
    maker_put(maker, material, "extensions",
              json_pack("{s:{s:[f,f,f]}}", "KHR_materials_specular", "specularColorFactor",
                        specular_factor(m->f0[0]), specular_factor(m->f0[1]),
                        specular_factor(m->f0[2])));
}

static void add_material(gltf_maker *maker, const model_material *m)
{
    json_t *surface =
        json_pack("{s:o,s:f,s:f}", "baseColorFactor", maker_floats(m->base_color, 4),
                  "metallicFactor", (double)m->metallic, "roughnessFactor", (double)m->roughness);
    if (m->base_map.texture >= 0)
        maker_put(maker, surface, "baseColorTexture",
                  json_pack("{s:i}", "index", m->base_map.texture));
    json_t *material =
        json_pack("{s:o,s:o}", "name", maker_text(m->name), "pbrMetallicRoughness", surface);
    if (m->normal_map.texture >= 0)
        maker_put(maker, material, "normalTexture",
                  json_pack("{s:i}", "index", m->normal_map.texture));
    if (m->alpha == MODEL_MASK) {
        maker_put(maker, material, "alphaMode", json_string("MASK"));
        maker_put(maker, material, "alphaCutoff", json_real((double)m->alpha_cutoff));
    }
    add_reflectance(maker, m, material);
    maker_append(maker, maker_list(maker, "materials"), material);
}

/// Names the extensions that the parts use.
static void add_extensions(gltf_maker *maker)
{
    bool specular = false, dds = false;
    const json_t *materials = json_object_get(maker->package.json, "materials");
    const json_t *textures = json_object_get(maker->package.json, "textures");
    const json_t *entry;
    size_t i;
    json_array_foreach(materials, i, entry) specular |=
        json_object_get(entry, "extensions") != NULL;
    json_array_foreach(textures, i, entry) dds |= json_object_get(entry, "extensions") != NULL;
    if (specular)
        maker_append(maker, maker_list(maker, "extensionsUsed"),
                     json_string("KHR_materials_specular"));
    if (dds)
        maker_append(maker, maker_list(maker, "extensionsUsed"), json_string("MSFT_texture_dds"));
}

zt_result maker_materials(gltf_maker *maker)
{
    const zt_model *model = maker->model;
    maker->images =
        ARENA_ARRAY(maker->job->a, gltf_document_image, 2 * (size_t)model->texture_count);
    if (!maker->images)
        return arena_fail(maker->job->a, maker->job->err, "images");
    for (uint32_t i = 0; i < model->texture_count; i++)
        ZT_TRY(add_texture(maker, &model->textures[i]));
    for (uint32_t i = 0; i < model->material_count; i++)
        add_material(maker, &model->materials[i]);
    add_extensions(maker);
    return ZT_OK;
}
