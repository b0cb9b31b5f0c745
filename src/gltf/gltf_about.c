// SPDX-License-Identifier: MIT
/// What a glTF file says about itself, for inspect: who wrote it, its scenes, its extensions.

#include "gltf/gltf_reader.h"

#include <string.h>

/// A text of an object in the model's arena, or NULL when there is none.
static zt_result keep_text(gltf_reader *g, const json_place *object, const char *key,
                           const char **out)
{
    const char *text;
    *out = NULL;
    ZT_TRY(gltf_text(g, object, key, &text));
    if (!text)
        return ZT_OK;
    *out = arena_text(g->keep, text, strlen(text));
    return *out ? ZT_OK : arena_fail(g->keep, g->err, "a text");
}

/// The strings of an array of the file.
static zt_result keep_list(gltf_reader *g, const char *key, model_texts *out)
{
    json_place list;
    uint32_t count;
    ZT_TRY(gltf_array(g, &g->root, key, &list, &count));
    const char **texts = ARENA_ARRAY(g->keep, const char *, count);
    if (!texts)
        return arena_fail(g->keep, g->err, "a list");
    for (uint32_t i = 0; i < count; i++) {
        const char *text = json_string_value(json_array_get(list.value, i));
        text = text ? text : "";
        texts[i] = arena_text(g->keep, text, strlen(text));
        if (!texts[i])
            return arena_fail(g->keep, g->err, "a list");
    }
    *out = (model_texts){count, texts};
    return ZT_OK;
}

static zt_result keep_scenes(gltf_reader *g, model_about *out)
{
    const char **names = ARENA_ARRAY(g->keep, const char *, g->scene_count);
    if (!names)
        return arena_fail(g->keep, g->err, "scenes");
    for (uint32_t i = 0; i < g->scene_count; i++) {
        json_place scene;
        ZT_TRY(gltf_entry(g, &g->scenes, i, &scene));
        ZT_TRY(gltf_name(g, &scene, &names[i]));
    }
    out->scenes = (model_texts){g->scene_count, names};
    ZT_TRY(gltf_member_index(g, &g->root, "scene", g->scene_count, "scene", &out->scene));
    if (out->scene < 0 && g->scene_count > 0)
        out->scene = 0;
    return ZT_OK;
}

zt_result gltf_read_about(gltf_reader *g)
{
    json_place asset;
    model_about *about = ARENA_ARRAY(g->keep, model_about, 1);
    if (!about)
        return arena_fail(g->keep, g->err, "an asset");
    ZT_TRY(gltf_object(g, &g->root, "asset", &asset));
    ZT_TRY(keep_text(g, &asset, "generator", &about->generator));
    ZT_TRY(keep_text(g, &asset, "version", &about->version));
    ZT_TRY(keep_text(g, &asset, "copyright", &about->copyright));
    ZT_TRY(keep_list(g, "extensionsUsed", &about->used));
    ZT_TRY(keep_list(g, "extensionsRequired", &about->required));
    ZT_TRY(keep_scenes(g, about));
    ZT_TRY(gltf_read_extras(g, about));
    about->file_size = g->source->bytes.size;
    g->model->about = about;
    return ZT_OK;
}
