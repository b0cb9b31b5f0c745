// SPDX-License-Identifier: MIT
/// Materials register textures, each image, sampler and kind once. gltf_image.c makes them.
#include "gltf/gltf_texture.h"

#include "base/hash.h"

static zt_result read_wrap(gltf_log *log, const json_pointer *sampler, const char *key,
                           mipmap_wrap *out)
{
    int64_t value;
    ZT_TRY(gltf_member_integer(log, sampler, key, 10497, &value));
    *out = value == 33071 ? MIPMAP_CLAMP : value == 33648 ? MIPMAP_MIRROR : MIPMAP_REPEAT;
    if (*out == MIPMAP_REPEAT && value != 10497)
        return gltf_warn(log, sampler, "%s %lld does not exist and becomes repeat", key,
                         (long long)value);
    return ZT_OK;
}

/// Numbers of OpenGL: 9728 NEAREST, 9729 LINEAR, 9984 + (bit 0: min filter, bit 1: mip filter).
static zt_result read_sampler(gltf_file *file, int32_t index, gltf_sampler_modes *out)
{
    json_pointer json;
    int64_t mag, min;
    *out = (gltf_sampler_modes){MODEL_LINEAR_FILTER, MODEL_LINEAR_FILTER, MODEL_MIP_LINEAR,
                                MIPMAP_REPEAT, MIPMAP_REPEAT};
    if (index < 0)
        return ZT_OK;
    ZT_TRY(gltf_list_entry(file, GLTF_SAMPLERS, (size_t)index, &json));
    ZT_TRY(gltf_member_integer(file->log, &json, "magFilter", 9729, &mag));
    ZT_TRY(gltf_member_integer(file->log, &json, "minFilter", 9987, &min));
    ZT_TRY(read_wrap(file->log, &json, "wrapS", &out->wrap_u));
    ZT_TRY(read_wrap(file->log, &json, "wrapT", &out->wrap_v));
    const bool mag_valid = mag == 9728 || mag == 9729;
    const bool plain = min == 9728 || min == 9729, mipped = min >= 9984 && min <= 9987;
    if (!mag_valid || (!plain && !mipped))
        ZT_TRY(gltf_warn(file->log, &json, "a filter does not exist and becomes linear"));
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
static zt_result extension_source(gltf_file *file, const json_pointer *texture, const char *name,
                                  int32_t *out)
{
    json_extension extension;
    *out = -1;
    ZT_TRY(gltf_extension(file->log, texture, name, &extension));
    if (!extension.object.value)
        return ZT_OK;
    return gltf_member_index(file, &extension.object, "source", GLTF_IMAGES, out);
}

/// The image of a texture: that of an extension before its own. Its own is for readers that do not
/// know the extension, and the fallback when the first is broken. -1 for none.
static zt_result read_source(gltf_file *file, const json_pointer *texture, int32_t *out,
                             int32_t *out_fallback)
{
    static const char *const known[] = {"KHR_texture_basisu", "EXT_texture_webp",
                                        "MSFT_texture_dds"};
    static const char *const foreign[] = {"EXT_texture_avif", "EXT_texture_astc"};
    json_extension extension;
    ZT_TRY(gltf_member_index(file, texture, "source", GLTF_IMAGES, out_fallback));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        ZT_TRY(extension_source(file, texture, known[i], out));
        if (*out >= 0)
            return ZT_OK;
    }
    *out = *out_fallback;
    *out_fallback = -1;
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        ZT_TRY(gltf_extension(file->log, texture, foreign[i], &extension));
        if (extension.object.value && *out < 0)
            return gltf_unsupported(file->log, &extension.object,
                                    "images of this kind are not supported and the texture has no "
                                    "other; it is left out");
        if (extension.object.value)
            return gltf_unsupported(file->log, &extension.object,
                                    "images of this kind are not supported; the fallback is shown");
    }
    return *out < 0 ? gltf_warn(file->log, texture, "has no image and is left out") : ZT_OK;
}

zt_result gltf_find_images(gltf_file *file, gltf_textures *textures)
{
    const uint32_t count = file->list[GLTF_IMAGES].count, views = file->list[GLTF_VIEWS].count;
    zt_error *err = file->log->err;
    hash_table uris;
    uint32_t *of_view;
    const char **uri;
    ZT_TRY(ARENA_TAKE(file->scratch, &textures->image_first, count, "images", err));
    ZT_TRY(ARENA_TAKE(file->scratch, &textures->named_first, count, "images", err));
    ZT_TRY(ARENA_TAKE(file->scratch, &textures->same, count, "images", err));
    ZT_TRY(ARENA_TAKE(file->scratch, &of_view, views, "images", err));
    ZT_TRY(ARENA_TAKE(file->scratch, &uri, count, "images", err));
    if (!hash_table_init(&uris, file->scratch, count))
        return arena_fail(file->scratch, err, "images");
    for (uint32_t i = 0; i < count; i++) {
        const json_value *image = json_at(file->list[GLTF_IMAGES].json.value, i);
        const json_value *member = json_get(image, "bufferView");
        const int64_t view = json_is(member, JSON_KIND_INTEGER) ? json_int(member) : -1;
        uint32_t own = i + 1, *slot = &own;
        ZT_TRY(arena_work(file->scratch, 1, "images", err));
        uri[i] = json_str(json_get(image, "uri"));
        if (uri[i])
            slot = hash_table_text(&uris, uri, sizeof *uri, uri[i]);
        else if (view >= 0 && view < views)
            slot = &of_view[view];
        *slot = *slot ? *slot : i + 1;
        textures->same[i] = *slot - 1;
        textures->image_first[i] = textures->named_first[i] = -1;
    }
    return ZT_OK;
}

static bool same_modes(const gltf_sampler_modes *a, const gltf_sampler_modes *b)
{
    return a->mag == b->mag && a->min == b->min && a->mip == b->mip && a->wrap_u == b->wrap_u &&
           a->wrap_v == b->wrap_v;
}

/// Finds or adds a texture of an image, one per sampler. `sought`: image, modes, content, fallback.
static zt_result register_texture(gltf_file *file, gltf_textures *textures,
                                  const gltf_texture *sought, int32_t *out)
{
    for (*out = textures->named_first[sought->named]; *out >= 0;
         *out = textures->texture[*out].next_named) {
        gltf_texture *t = &textures->texture[*out];
        if (!same_modes(&t->modes, &sought->modes) || t->content != sought->content)
            continue;
        t->shaded = t->shaded || sought->shaded;
        if (t->fallback < 0) // the first one that there is serves all
            t->fallback = sought->fallback;
        return ZT_OK;
    }
    ZT_TRY(ARENA_GROW(file->scratch, textures->texture, textures->count, textures->capacity,
                      "textures", file->log->err));
    *out = (int32_t)textures->count++;
    textures->texture[*out] = *sought;
    textures->texture[*out].next = textures->image_first[sought->image];
    textures->texture[*out].final = -1;
    textures->image_first[sought->image] = *out;
    textures->texture[*out].next_named = textures->named_first[sought->named];
    textures->named_first[sought->named] = *out;
    return ZT_OK;
}

static zt_result read_transform(gltf_log *log, const json_pointer *info, model_slot *out,
                                int64_t *uv_set)
{
    json_extension extension;
    ZT_TRY(gltf_extension(log, info, "KHR_texture_transform", &extension));
    const json_pointer *object = &extension.object;
    if (!object->value)
        return ZT_OK;
    ZT_TRY(gltf_floats(log, object, "offset", 2, out->offset));
    ZT_TRY(gltf_floats(log, object, "scale", 2, out->scale));
    ZT_TRY(gltf_float(log, object, "rotation", 0.0f, &out->uv_rotation_rad));
    ZT_TRY(gltf_member_integer(log, object, "texCoord", *uv_set, uv_set));
    out->transformed = true; // model_material_derive() makes the matrix
    return ZT_OK;
}

const char *const gltf_uv_names[GLTF_UV_SETS] = {"TEXCOORD_0", "TEXCOORD_1", "TEXCOORD_2",
                                                 "TEXCOORD_3", "TEXCOORD_4", "TEXCOORD_5",
                                                 "TEXCOORD_6", "TEXCOORD_7"};

zt_result gltf_register_map(gltf_file *file, gltf_textures *textures, int32_t index,
                            mipmap_content content, model_slot *out)
{
    json_pointer texture;
    int32_t sampler, image, fallback;
    gltf_sampler_modes modes;
    if (textures->skip)
        return ZT_OK;
    ZT_TRY(gltf_list_entry(file, GLTF_TEXTURES, (size_t)index, &texture));
    ZT_TRY(gltf_member_index(file, &texture, "sampler", GLTF_SAMPLERS, &sampler));
    ZT_TRY(read_sampler(file, sampler, &modes));
    ZT_TRY(read_source(file, &texture, &image, &fallback));
    if (image < 0)
        return ZT_OK;
    const gltf_texture sought = {.image = textures->same[image],
                                 .named = (uint32_t)image,
                                 .modes = modes,
                                 .content = content,
                                 .shaded = !textures->measure,
                                 .fallback = fallback};
    return register_texture(file, textures, &sought, &out->texture);
}

zt_result gltf_read_slot(gltf_file *file, gltf_textures *textures, const json_pointer *material,
                         const char *key, mipmap_content content, model_slot *out,
                         json_pointer *out_info)
{
    int32_t index;
    int64_t uv_set;
    *out = model_slot_empty();
    ZT_TRY(gltf_object(file->log, material, key, out_info));
    if (!out_info->value)
        return ZT_OK;
    ZT_TRY(gltf_member_index(file, out_info, "index", GLTF_TEXTURES, &index));
    if (index < 0)
        return gltf_warn(file->log, out_info, "names no texture");
    ZT_TRY(gltf_member_integer(file->log, out_info, "texCoord", 0, &uv_set));
    ZT_TRY(read_transform(file->log, out_info, out, &uv_set));
    if (uv_set >= GLTF_UV_SETS) {
        ZT_TRY(gltf_unsupported(file->log, out_info,
                                "texture coordinate set %lld is not read; set 0 is used",
                                (long long)uv_set));
        uv_set = 0;
    }
    out->uv_set = (uint8_t)uv_set;
    return gltf_register_map(file, textures, index, content, out);
}
