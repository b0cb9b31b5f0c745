// SPDX-License-Identifier: MIT
/// Textures of a glTF file: materials register what they need, an image seen through a sampler for
/// one kind of data, each combination once. gltf_image.c then makes them.

#include "gltf/gltf_reader.h"

#include <string.h>

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
static zt_result read_sampler(gltf_reader *g, int32_t index, gltf_sampler_modes *out)
{
    json_place place;
    int64_t mag, min;
    *out = (gltf_sampler_modes){MODEL_LINEAR_FILTER, MODEL_LINEAR_FILTER, MODEL_MIP_LINEAR,
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

/// The image that an extension of a texture names, -1 for none.
static zt_result extension_source(gltf_reader *g, const json_place *texture, const char *name,
                                  int32_t *out)
{
    json_extension extension;
    *out = -1;
    ZT_TRY(gltf_extension(g, texture, name, &extension));
    if (!extension.object.value)
        return ZT_OK;
    return gltf_member_index(g, &extension.object, "source", g->image_count, "image", out);
}

/// The image of a texture: that of an extension before its own, which is there for readers that do
/// not know the extension and stands in when the first is broken. -1 for none.
static zt_result read_source(gltf_reader *g, const json_place *texture, int32_t *out,
                             int32_t *out_fallback)
{
    static const char *const known[] = {"KHR_texture_basisu", "EXT_texture_webp",
                                        "MSFT_texture_dds"};
    static const char *const foreign[] = {"EXT_texture_avif", "EXT_texture_astc"};
    json_extension extension;
    ZT_TRY(gltf_member_index(g, texture, "source", g->image_count, "image", out_fallback));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ZT_TRY(extension_source(g, texture, known[i], out));
        if (*out >= 0)
            return ZT_OK;
    }
    *out = *out_fallback;
    *out_fallback = -1;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        ZT_TRY(gltf_extension(g, texture, foreign[i], &extension));
        if (extension.object.value && *out < 0)
            return gltf_unsupported(g, &extension.object,
                                    "images of this kind are not supported and the texture has no "
                                    "other; it is left out");
        if (extension.object.value)
            return gltf_unsupported(g, &extension.object,
                                    "images of this kind are not supported; the fallback is shown");
    }
    return *out < 0 ? gltf_warn(g, texture, "has no image and is left out") : ZT_OK;
}

static bool same_modes(const gltf_sampler_modes *a, const gltf_sampler_modes *b)
{
    return a->mag == b->mag && a->min == b->min && a->mip == b->mip && a->wrap_u == b->wrap_u &&
           a->wrap_v == b->wrap_v;
}

/// Finds or adds a texture in the chain of its image, which has few: one for each different
/// sampler. `sought` says which image, modes, content and fallback.
static zt_result register_texture(gltf_reader *g, const gltf_texture *sought, int32_t *out)
{
    for (*out = g->image_first[sought->image]; *out >= 0; *out = g->texture[*out].next) {
        gltf_texture *t = &g->texture[*out];
        if (!same_modes(&t->modes, &sought->modes) || t->content != sought->content)
            continue;
        t->shaded = t->shaded || sought->shaded;
        if (t->fallback < 0) // the first one that there is serves all
            t->fallback = sought->fallback;
        return ZT_OK;
    }
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
    g->texture[*out] = *sought;
    g->texture[*out].next = g->image_first[sought->image];
    g->texture[*out].final = -1;
    g->image_first[sought->image] = *out;
    return ZT_OK;
}

static zt_result read_transform(gltf_reader *g, const json_place *info, model_slot *out,
                                int64_t *uv_set)
{
    json_extension extension;
    ZT_TRY(gltf_extension(g, info, "KHR_texture_transform", &extension));
    const json_place *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(gltf_floats(g, object, "offset", 2, out->offset));
    ZT_TRY(gltf_floats(g, object, "scale", 2, out->scale));
    ZT_TRY(gltf_float(g, object, "rotation", 0.0f, &out->turn_rad));
    ZT_TRY(gltf_member_integer(g, object, "texCoord", *uv_set, uv_set));
    out->transformed = true; // model_material_settle() makes the matrix
    return ZT_OK;
}

zt_result gltf_slot(gltf_reader *g, const json_place *material, const char *key,
                    mipmap_content content, model_slot *out, json_place *out_info)
{
    json_place texture;
    int32_t index, sampler, image, fallback;
    int64_t uv_set;
    gltf_sampler_modes modes;
    *out = (model_slot){
        .texture = -1, .scale = {1.0f, 1.0f}
    };
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
    ZT_TRY(read_source(g, &texture, &image, &fallback));
    if (image < 0)
        return ZT_OK;
    const gltf_texture sought = {.image = (uint32_t)image,
                                 .modes = modes,
                                 .content = content,
                                 .shaded = !g->measure_textures,
                                 .fallback = fallback};
    return register_texture(g, &sought, &out->texture);
}
