// SPDX-License-Identifier: MIT
/// Textures of a glTF file. Materials first register what they need: an image seen through a
/// sampler for one kind of data, each combination once. Then each image is decoded once, all its
/// textures are built from it, and it is dropped. An image that is missing or broken takes its
/// maps with it, with a warning.

#include "model/gltf_reader.h"

#include <stdio.h>
#include <string.h>

typedef struct sampler_modes {
    model_filter mag, min;
    model_mip_filter mip;
    mipmap_wrap wrap_u, wrap_v;
} sampler_modes;

static uint32_t pack_modes(const sampler_modes *s)
{
    return (uint32_t)s->mag | (uint32_t)s->min << 1 | (uint32_t)s->mip << 2 |
           (uint32_t)s->wrap_u << 4 | (uint32_t)s->wrap_v << 6;
}

static sampler_modes unpack_modes(uint32_t key)
{
    return (sampler_modes){(model_filter)(key & 1), (model_filter)(key >> 1 & 1),
                           (model_mip_filter)(key >> 2 & 3), (mipmap_wrap)(key >> 4 & 3),
                           (mipmap_wrap)(key >> 6 & 3)};
}

static zt_result read_wrap(gltf_reader *g, const json_place *sampler, const char *key,
                           mipmap_wrap *out)
{
    int64_t value;
    ZT_TRY(gltf_member_integer(g, sampler, key, 10497, &value));
    *out = value == 33071 ? MIPMAP_CLAMP : value == 33648 ? MIPMAP_MIRROR : MIPMAP_REPEAT;
    if (*out == MIPMAP_REPEAT && value != 10497)
        return gltf_warn(g, sampler, "%s %lld does not exist and becomes repeat", key,
                         (long long)value);
    return ZT_OK;
}

/// Numbers of OpenGL: 9728 NEAREST, 9729 LINEAR, 9984 + (bit 0: min filter, bit 1: mip filter).
static zt_result read_sampler(gltf_reader *g, int32_t index, sampler_modes *out)
{
    json_place place;
    int64_t mag, min;
    *out = (sampler_modes){MODEL_LINEAR_FILTER, MODEL_LINEAR_FILTER, MODEL_MIP_LINEAR,
                           MIPMAP_REPEAT, MIPMAP_REPEAT};
    if (index < 0)
        return ZT_OK;
    ZT_TRY(gltf_entry(g, &g->samplers, (size_t)index, &place));
    ZT_TRY(gltf_member_integer(g, &place, "magFilter", 9729, &mag));
    ZT_TRY(gltf_member_integer(g, &place, "minFilter", 9987, &min));
    ZT_TRY(read_wrap(g, &place, "wrapS", &out->wrap_u));
    ZT_TRY(read_wrap(g, &place, "wrapT", &out->wrap_v));
    const bool mag_valid = mag == 9728 || mag == 9729;
    const bool plain = min == 9728 || min == 9729, mipped = min >= 9984 && min <= 9987;
    if (!mag_valid || (!plain && !mipped))
        ZT_TRY(gltf_warn(g, &place, "a filter does not exist and becomes linear"));
    out->mag = mag == 9728 ? MODEL_NEAREST : MODEL_LINEAR_FILTER;
    if (plain || mipped)
        out->min = (min & 1) == 0 ? MODEL_NEAREST : MODEL_LINEAR_FILTER;
    if (plain)
        out->mip = MODEL_MIP_NONE;
    else if (mipped)
        out->mip = min < 9986 ? MODEL_MIP_NEAREST : MODEL_MIP_LINEAR;
    return ZT_OK;
}

/// The image of a texture: its own, or that of an extension when it has none. -1 for none.
static zt_result read_source(gltf_reader *g, const json_place *texture, int32_t *out)
{
    static const char *const foreign[] = {"KHR_texture_basisu", "EXT_texture_webp",
                                          "EXT_texture_avif", "EXT_texture_astc"};
    json_extension extension;
    ZT_TRY(gltf_member_index(g, texture, "source", g->image_count, "image", out));
    if (*out < 0) {
        ZT_TRY(gltf_extension(g, texture, "MSFT_texture_dds", &extension));
        ZT_TRY(gltf_member_index(g, &extension.object, "source", g->image_count, "image", out));
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        ZT_TRY(gltf_extension(g, texture, foreign[i], &extension));
        if (extension.object.value && *out < 0)
            return gltf_unsupported(g, &extension.object,
                                    "images of this kind are not supported and the texture has no "
                                    "other; it is left out");
        if (extension.object.value)
            return gltf_warn(g, &extension.object,
                             "images of this kind are not supported; the fallback is shown");
    }
    return *out < 0 ? gltf_warn(g, texture, "has no image and is left out") : ZT_OK;
}

/// Finds or adds a texture in the chain of its image, which has few: one for each different
/// sampler.
static zt_result register_texture(gltf_reader *g, uint32_t image, uint32_t sampler_key,
                                  mipmap_content content, int32_t *out)
{
    for (*out = g->image_first[image]; *out >= 0; *out = g->texture[*out].next)
        if (g->texture[*out].sampler_key == sampler_key && g->texture[*out].content == content)
            return ZT_OK;
    if (g->made_textures == g->texture_capacity) {
        const uint32_t capacity = 2 * g->texture_capacity + 16;
        gltf_texture *grown = ARENA_ARRAY(g->scratch, gltf_texture, capacity);
        if (!grown)
            return arena_fail(g->scratch, g->err, "textures");
        if (g->made_textures > 0)
            memcpy(grown, g->texture, g->made_textures * sizeof *grown);
        g->texture = grown;
        g->texture_capacity = capacity;
    }
    *out = (int32_t)g->made_textures++;
    g->texture[*out] = (gltf_texture){.image = image,
                                      .sampler_key = sampler_key,
                                      .content = content,
                                      .next = g->image_first[image],
                                      .final = -1};
    g->image_first[image] = *out;
    return ZT_OK;
}

/// KHR_texture_transform: uv' = offset + R * scale * uv with R = (cos sin; -sin cos), v downwards.
static zt_result read_transform(gltf_reader *g, const json_place *info, model_slot *out,
                                int64_t *uv_set)
{
    json_extension extension;
    float offset[2] = {0.0f, 0.0f}, scale[2] = {1.0f, 1.0f}, rotation, sine, cosine;
    ZT_TRY(gltf_extension(g, info, "KHR_texture_transform", &extension));
    const json_place *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(gltf_floats(g, object, "offset", 2, offset));
    ZT_TRY(gltf_floats(g, object, "scale", 2, scale));
    ZT_TRY(gltf_float(g, object, "rotation", 0.0f, &rotation));
    ZT_TRY(gltf_member_integer(g, object, "texCoord", *uv_set, uv_set));
    maths_sincos(rotation, &sine, &cosine);
    const float uv[6] = {cosine * scale[0], sine * scale[1],   offset[0],
                         -sine * scale[0],  cosine * scale[1], offset[1]};
    memcpy(out->uv_from_uv, uv, sizeof uv);
    out->transformed = true;
    return ZT_OK;
}

zt_result gltf_slot(gltf_reader *g, const json_place *material, const char *key,
                    mipmap_content content, model_slot *out, json_place *out_info)
{
    json_place texture;
    int32_t index, sampler, image;
    int64_t uv_set;
    sampler_modes modes;
    *out = (model_slot){.texture = -1};
    ZT_TRY(gltf_object(g, material, key, out_info));
    if (!out_info->value)
        return ZT_OK;
    ZT_TRY(gltf_member_index(g, out_info, "index", g->texture_count, "texture", &index));
    if (index < 0)
        return gltf_warn(g, out_info, "names no texture");
    ZT_TRY(gltf_member_integer(g, out_info, "texCoord", 0, &uv_set));
    ZT_TRY(read_transform(g, out_info, out, &uv_set));
    if (uv_set > 1) {
        ZT_TRY(gltf_unsupported(g, out_info,
                                "texture coordinate set %lld is not read; set 0 is used",
                                (long long)uv_set));
        uv_set = 0;
    }
    out->uv_set = (uint8_t)uv_set;
    if (g->skip_textures)
        return ZT_OK;
    ZT_TRY(gltf_entry(g, &g->textures, (size_t)index, &texture));
    ZT_TRY(gltf_member_index(g, &texture, "sampler", g->sampler_count, "sampler", &sampler));
    ZT_TRY(read_sampler(g, sampler, &modes));
    ZT_TRY(read_source(g, &texture, &image));
    if (image < 0)
        return ZT_OK;
    return register_texture(g, (uint32_t)image, pack_modes(&modes), content, &out->texture);
}

/// A short name of an image for messages and for inspect.
static zt_result image_name(gltf_reader *g, uint32_t image, const json_place *place,
                            const char **out)
{
    const char *uri = json_string_value(json_object_get(place->value, "uri"));
    char number[32];
    ZT_TRY(gltf_name(g, place, out));
    if (**out)
        return ZT_OK;
    snprintf(number, sizeof number, "image %u", image);
    if (!uri || gltf_uri_is_data(uri))
        uri = number;
    *out = arena_text(g->keep, uri, strlen(uri));
    return *out ? ZT_OK : arena_fail(g->keep, g->err, "a name");
}

/// Decodes an image into `pictures`, wherever its bytes are.
static zt_result decode_image(gltf_reader *g, const json_place *place, const char *name,
                              arena *pictures, picture *out)
{
    const char *uri, *path;
    int32_t view;
    int64_t stride;
    file_bytes bytes;
    const json_place member = json_member(place, "uri");
    ZT_TRY(gltf_text(g, place, "uri", &uri));
    ZT_TRY(gltf_member_index(g, place, "bufferView", g->view_count, "buffer view", &view));
    if (uri && !gltf_uri_is_data(uri)) {
        ZT_TRY(gltf_uri_path(g, &member, uri, &path));
        return texture_find(pictures, g->source->path, path, g->source->texture_dir,
                            &g->source->sink, out, g->err);
    }
    if (uri)
        ZT_TRY(gltf_uri_decode(g, &member, uri, &bytes));
    else if (view >= 0)
        ZT_TRY(gltf_view_bytes(g, view, &bytes, &stride));
    else
        return gltf_fail(g, place, ZT_ERR_FORMAT, "has neither a uri nor a bufferView");
    return texture_decode(pictures, name, bytes, out, g->err);
}

static zt_result build_texture(gltf_reader *g, const picture *source, gltf_texture *t)
{
    const sampler_modes modes = unpack_modes(t->sampler_key);
    t->made = (model_texture){.name = t->name,
                              .mag = modes.mag,
                              .min = modes.min,
                              .mip = modes.mip,
                              .is_normal_map = t->content == MIPMAP_NORMAL,
                              .two_channel = t->content == MIPMAP_NORMAL && source->two_channel};
    t->final = 0; // made; numbered when all are
    return mipmap_build(g->keep, source, t->content, modes.wrap_u, modes.wrap_v,
                        modes.mip != MODEL_MIP_NONE, &t->made.mipmap, g->err);
}

/// A message that begins with the file's path, without it: it is about to be put in front again.
static const char *without_path(const gltf_reader *g, const char *message)
{
    const size_t length = strlen(g->source->path);
    if (strncmp(message, g->source->path, length) != 0 || message[length] != ':')
        return message;
    message += length + 1;
    return *message == ' ' ? message + 1 : message;
}

static zt_result build_image(gltf_reader *g, uint32_t image, arena *pictures)
{
    json_place place;
    const char *name;
    picture source;
    ZT_TRY(gltf_entry(g, &g->images, image, &place));
    ZT_TRY(image_name(g, image, &place, &name));
    const zt_result result = decode_image(g, &place, name, pictures, &source);
    if (result == ZT_ERR_MEMORY || result == ZT_ERR_LIMIT)
        return result;
    if (result != ZT_OK) {
        const zt_error broken = *g->err;
        *g->err = (zt_error){ZT_OK, ""};
        return gltf_unsupported(g, &place, "the image is left out: %s",
                                without_path(g, broken.message));
    }
    for (int32_t t = g->image_first[image]; t >= 0; t = g->texture[t].next) {
        g->texture[t].name = name;
        ZT_TRY(build_texture(g, &source, &g->texture[t]));
    }
    return ZT_OK;
}

/// Numbers the textures that were made, in the order in which materials named them.
static zt_result keep_textures(gltf_reader *g)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < g->made_textures; i++)
        count += g->texture[i].final >= 0;
    model_texture *textures = ARENA_ARRAY(g->keep, model_texture, count);
    if (!textures)
        return arena_fail(g->keep, g->err, "textures");
    count = 0;
    for (uint32_t i = 0; i < g->made_textures; i++)
        if (g->texture[i].final >= 0) {
            textures[count] = g->texture[i].made;
            g->texture[i].final = (int32_t)count++;
        }
    g->model->textures = textures;
    g->model->texture_count = count;
    for (uint32_t i = 0; i < g->made_materials; i++) {
        model_material *m = &g->material[i];
        model_slot *const slots[] = {&m->base_map, &m->metal_rough_map, &m->normal_map,
                                     &m->occlusion_map, &m->emissive_map};
        for (size_t k = 0; k < sizeof slots / sizeof *slots; k++)
            if (slots[k]->texture >= 0)
                slots[k]->texture = g->texture[slots[k]->texture].final;
    }
    return ZT_OK;
}

zt_result gltf_build_textures(gltf_reader *g)
{
    arena pictures;
    zt_result result = ZT_OK;
    arena_init(&pictures, g->scratch->budget);
    for (uint32_t i = 0; i < g->image_count && result == ZT_OK; i++) {
        if (g->image_first[i] < 0)
            continue;
        arena_reset(&pictures);
        result = build_image(g, i, &pictures);
    }
    arena_finish(&pictures);
    ZT_TRY(result);
    return keep_textures(g);
}
