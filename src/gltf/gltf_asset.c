// SPDX-License-Identifier: MIT
/// See gltf_asset.h. Extras are `extras` of any object, and metadata of KHR_xmp_json_ld or the
/// older KHR_xmp, or a VRM's about its person; they are kept as text, within limits that only spare
/// memory.
#include "base/row_find.h"
#include "gltf/gltf_parts.h"
#include "json/json_write.h"

#include <stdlib.h>
#include <string.h>

// About a hundred extensions exist. Lists are searched per compressed part: longer ones waste time.
enum { EXTENSION_LIMIT = 1024 };

/// Extensions read or reported besides material_extension_table's; last, those that change nothing.
static const char *const known_extensions[] = {
    "KHR_lights_punctual",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_pbrSpecularGlossiness",
    "KHR_materials_unlit",
    "KHR_mesh_quantization",
    "KHR_texture_transform",
    "KHR_draco_mesh_compression",
    "EXT_meshopt_compression",
    "KHR_meshopt_compression",
    "KHR_texture_basisu",
    "EXT_texture_webp",
    "EXT_texture_avif",
    "EXT_texture_astc",
    "MSFT_texture_dds",
    "EXT_lights_image_based",
    "EXT_mesh_gpu_instancing",
    "KHR_animation_pointer",
    "KHR_materials_specular",
    "KHR_materials_variants",
    "KHR_node_visibility",
    "VRM",
    "VRMC_vrm",
    "VRMC_springBone",
    "VRMC_node_constraint",
    "VRMC_materials_hdr_emissiveMultiplier",
    "VRMC_vrm_animation",
    // harmless:
    "KHR_xmp",
    "KHR_xmp_json_ld",
    "MSFT_lod",
};

static const struct {
    const char *name, *lost; // what is missing in the picture
} ignored_extensions[] = {
    {"EXT_lights_ies", "light profiles are left out"},
};

static zt_result check_extension(gltf_file *file, const char *name)
{
    const int32_t ignored = ROW_FIND(ignored_extensions, name);
    if (ignored >= 0)
        return gltf_unsupported(file->log, &file->root, "%s is ignored: %s", name,
                                ignored_extensions[ignored].lost);
    if (ROW_FIND(known_extensions, name) >= 0 || ROW_FIND(material_extension_table, name) >= 0)
        return ZT_OK;
    if (json_has_text(json_get(file->json, "extensionsRequired"), name)) // said once for both lists
        return gltf_unsupported(file->log, &file->root,
                                "the file requires the extension %.100s, which is not known and "
                                "ignored: the picture may be wrong",
                                name);
    return gltf_unsupported(file->log, &file->root, "the extension %.100s is not known and ignored",
                            name);
}

static zt_result check_list(gltf_file *file, const char *key)
{
    json_pointer list;
    uint32_t count;
    ZT_TRY(gltf_array(file->log, &file->root, key, &list, &count));
    if (count > EXTENSION_LIMIT)
        return gltf_fail(file->log, &list, ZT_ERR_LIMIT, "has %u names (at most %d)", count,
                         EXTENSION_LIMIT);
    for (uint32_t i = 0; i < count; i++) {
        const json_pointer element = json_element(&list, i);
        const char *name = json_str(element.value);
        if (!name)
            return gltf_fail(file->log, &element, ZT_ERR_FORMAT,
                             "is not a string (expected a name)");
        ZT_TRY(check_extension(file, name));
    }
    return ZT_OK;
}

zt_result gltf_check_extensions(gltf_file *file)
{
    ZT_TRY(check_list(file, "extensionsRequired"));
    return check_list(file, "extensionsUsed");
}

enum { EXTRA_LIMIT = 256, EXTRA_TEXT_LIMIT = 4096 };

typedef struct extra_list {
    arena *keep;
    zt_error *err;
    model_extra *extra;
    uint32_t count;
} extra_list;

static zt_result keep_extra(extra_list *list, const json_pointer *json)
{
    arena *keep = list->keep;
    char pointer[JSON_POINTER_SIZE];
    arena charged;
    arena_init(&charged, keep->budget);
    char *text = json_write(&charged, json->value, (json_style){0});
    const zt_result result = text                      ? ZT_OK
                             : charged.failed != ZT_OK ? charged.failed
                                                       : ZT_ERR_MEMORY;
    arena_finish(&charged);
    if (!text)
        return zt_fail(list->err, result, "no memory for extras");
    const size_t size = strlen(text);
    model_extra *extra = &list->extra[list->count++];
    json_pointer_text(json, pointer);
    extra->pointer = arena_text(keep, pointer, strlen(pointer));
    extra->whole = size <= EXTRA_TEXT_LIMIT;
    extra->text = arena_text(keep, text, extra->whole ? size : EXTRA_TEXT_LIMIT);
    free(text);
    return extra->pointer && extra->text ? ZT_OK : arena_fail(keep, list->err, "extras");
}

/// `object`: that has the key, by its own.
static bool is_metadata(const char *object, const char *key)
{
    if (object && strcmp(key, "meta") == 0)
        return strcmp(object, "VRMC_vrm") == 0 || strcmp(object, "VRM") == 0;
    return strcmp(key, "extras") == 0 || strcmp(key, "KHR_xmp_json_ld") == 0 ||
           strcmp(key, "KHR_xmp") == 0;
}

/// Objects and arrays of objects below `json`; the parser has bounded how deep they lie.
static zt_result walk(extra_list *list, const json_pointer *json)
{
    const json_value *tree = json->value;
    const bool object = json_is(tree, JSON_KIND_OBJECT);
    for (uint32_t i = 0; json_is_list(tree) && i < tree->count; i++) {
        const json_value *value = tree->item[i];
        const json_pointer item = {value, json, object ? value->key : NULL, i};
        if (object && list->count == EXTRA_LIMIT)
            return ZT_OK;
        if (object && is_metadata(json->key, value->key))
            ZT_TRY(keep_extra(list, &item));
        else if (json_is_list(value))
            ZT_TRY(walk(list, &item));
    }
    return ZT_OK;
}

static zt_result read_extras(gltf_file *file, model_asset_info *info)
{
    extra_list list = {file->keep, file->log->err,
                       ARENA_ARRAY(file->scratch, model_extra, EXTRA_LIMIT), 0};
    if (!list.extra)
        return arena_fail(file->scratch, file->log->err, "extras");
    ZT_TRY(walk(&list, &file->root));
    model_extra *kept;
    ZT_TRY(ARENA_TAKE_RAW(file->keep, &kept, list.count, "extras", file->log->err));
    if (list.count > 0)
        memcpy(kept, list.extra, list.count * sizeof *kept);
    info->extras = kept;
    info->extra_count = list.count;
    return ZT_OK;
}

/// The strings of an array of the file.
static zt_result keep_list(gltf_file *file, const char *key, model_texts *out)
{
    json_pointer list;
    uint32_t count;
    ZT_TRY(gltf_array(file->log, &file->root, key, &list, &count));
    const char **texts;
    ZT_TRY(ARENA_TAKE(file->keep, &texts, count, "a list", file->log->err));
    for (uint32_t i = 0; i < count; i++) {
        const char *text = json_str(json_at(list.value, i));
        text = text ? text : "";
        ZT_TRY(ARENA_TEXT(file->keep, &texts[i], text, "a list", file->log->err));
    }
    *out = (model_texts){count, texts};
    return ZT_OK;
}

static zt_result keep_scenes(gltf_file *file, model_asset_info *out)
{
    const uint32_t scene_count = file->list[GLTF_SCENES].count;
    const char **names;
    ZT_TRY(ARENA_TAKE(file->keep, &names, scene_count, "scenes", file->log->err));
    for (uint32_t i = 0; i < scene_count; i++) {
        json_pointer scene;
        ZT_TRY(gltf_list_entry(file, GLTF_SCENES, i, &scene));
        ZT_TRY(gltf_name(file->log, &scene, &names[i]));
    }
    out->scenes = (model_texts){scene_count, names};
    ZT_TRY(gltf_member_index(file, &file->root, "scene", GLTF_SCENES, &out->scene));
    if (out->scene < 0 && scene_count > 0)
        out->scene = 0;
    return ZT_OK;
}

zt_result gltf_read_asset_info(gltf_file *file, zt_model *model)
{
    json_pointer asset;
    model_asset_info *info;
    ZT_TRY(ARENA_TAKE(file->keep, &info, 1, "an asset", file->log->err));
    ZT_TRY(gltf_object(file->log, &file->root, "asset", &asset));
    ZT_TRY(gltf_kept_text(file->log, &asset, "generator", NULL, &info->generator));
    ZT_TRY(gltf_kept_text(file->log, &asset, "version", NULL, &info->version));
    ZT_TRY(gltf_kept_text(file->log, &asset, "copyright", NULL, &info->copyright));
    ZT_TRY(keep_list(file, "extensionsUsed", &info->used));
    ZT_TRY(keep_list(file, "extensionsRequired", &info->required));
    ZT_TRY(keep_scenes(file, info));
    ZT_TRY(read_extras(file, info));
    info->file_size = file->source->bytes.size;
    model->asset_info = info;
    return ZT_OK;
}
