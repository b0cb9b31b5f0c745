// SPDX-License-Identifier: MIT
/// Opens a glTF file: finds the JSON and BIN chunks, parses the JSON, checks the version, finds the
/// top-level lists. Reference: glTF 2.0 (ISO/IEC 12113:2022), section 4 for the GLB container.
#include "gltf/gltf_file.h"

#include "base/bytes.h"

#include <string.h>

enum { GLB_HEADER_SIZE = 12, GLB_CHUNK_HEADER_SIZE = 8 };

static const uint32_t glb_version = 2, chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;

/// The advice about glTF 1.0.
#define CONVERT_FIRST "; convert the file first, for example with gltf-pipeline"

static zt_result read_glb_header(gltf_log *log, file_bytes file, size_t *out_end)
{
    const char *path = log->path;
    if (file.size < GLB_HEADER_SIZE)
        return zt_fail(log->err, ZT_ERR_FORMAT, "%s:byte %zu: the GLB header is cut short", path,
                       file.size);
    const uint32_t version = bytes_u32_le(file.data + 4), length = bytes_u32_le(file.data + 8);
    if (version != glb_version)
        return zt_fail(log->err, version == 1 ? ZT_ERR_UNSUPPORTED : ZT_ERR_FORMAT,
                       "%s:byte 4: GLB version %u (expected 2%s)", path, version,
                       version == 1 ? CONVERT_FIRST : "");
    if (length > file.size)
        return zt_fail(log->err, ZT_ERR_FORMAT,
                       "%s:byte 8: the GLB claims %u bytes, but the file ends at byte %zu", path,
                       length, file.size);
    if (length < GLB_HEADER_SIZE)
        return zt_fail(log->err, ZT_ERR_FORMAT,
                       "%s:byte 8: the GLB claims %u bytes (expected at least 12)", path, length);
    *out_end = length;
    return ZT_OK;
}

/// Splits a GLB into its JSON text and its BIN chunk. Chunks of other types are skipped.
static zt_result split_glb(gltf_file *file, file_bytes *out_json)
{
    const file_bytes bytes = file->source->bytes;
    const char *path = file->source->path;
    size_t end = 0;
    ZT_TRY(read_glb_header(file->log, bytes, &end));
    bool has_json = false;
    for (size_t at = GLB_HEADER_SIZE; at < end;) {
        if (end - at < GLB_CHUNK_HEADER_SIZE) {
            if (has_json)
                break; // padding
            return zt_fail(file->log->err, ZT_ERR_FORMAT,
                           "%s:byte %zu: the chunk header is cut short", path, at);
        }
        const uint32_t length = bytes_u32_le(bytes.data + at),
                       type = bytes_u32_le(bytes.data + at + 4);
        const size_t left = end - at - GLB_CHUNK_HEADER_SIZE;
        if (length > left)
            return zt_fail(file->log->err, ZT_ERR_FORMAT,
                           "%s:byte %zu: the chunk claims %u bytes, but only %zu are left", path,
                           at, length, left);
        const file_bytes chunk = {bytes.data + at + GLB_CHUNK_HEADER_SIZE, length};
        if (!has_json && type != chunk_json)
            return zt_fail(file->log->err, ZT_ERR_FORMAT,
                           "%s:byte %zu: the first chunk is not JSON", path, at);
        if (!has_json)
            *out_json = chunk;
        else if (type == chunk_bin && !file->chunk.data)
            file->chunk = chunk;
        has_json = true;
        at += GLB_CHUNK_HEADER_SIZE + (size_t)length;
        // A chunk's length should be a multiple of 4 and often is not. The next follows it anyway.
    }
    if (!has_json)
        return zt_fail(file->log->err, ZT_ERR_FORMAT, "%s: the GLB has no JSON chunk", path);
    return ZT_OK;
}

/// Removes a byte order mark before JSON text, and zeros as padding after it.
static file_bytes trim_json(file_bytes text)
{
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
        text = (file_bytes){text.data + 3, text.size - 3};
    while (text.size > 0 && text.data[text.size - 1] == 0)
        text.size--;
    return text;
}

/// The version that a loader must at least support (glTF 2.0, 3.2): "MAJOR.MINOR".
static zt_result check_min_version(gltf_file *file, const json_pointer *asset)
{
    const char *version;
    ZT_TRY(gltf_text(file->log, asset, "minVersion", &version));
    if (!version || strcmp(version, "2.0") == 0 || strcmp(version, "2") == 0 ||
        strncmp(version, "1.", 2) == 0 || strncmp(version, "0.", 2) == 0)
        return ZT_OK;
    const json_pointer json = json_member(asset, "minVersion");
    return gltf_fail(file->log, &json, ZT_ERR_UNSUPPORTED,
                     "the file needs a reader of glTF %.20s (this one reads 2.0)", version);
}

static zt_result check_asset(gltf_file *file)
{
    json_pointer asset;
    const char *version;
    ZT_TRY(gltf_object(file->log, &file->root, "asset", &asset));
    ZT_TRY(gltf_text(file->log, &asset, "version", &version));
    if (!version && json_is(json_get(file->json, "nodes"), JSON_KIND_OBJECT))
        version = "1.0"; // such files often give no version, but their nodes are an object
    if (!version)
        return gltf_fail(file->log, &file->root, ZT_ERR_FORMAT,
                         "not a glTF 2.0 file: the JSON has no asset.version");
    const json_pointer json = json_member(&asset, "version");
    if (strncmp(version, "2.", 2) != 0 && strcmp(version, "2") != 0)
        return gltf_fail(file->log, &json, ZT_ERR_UNSUPPORTED,
                         "glTF version %.20s (expected 2.0%s)", version,
                         version[0] == '1' || version[0] == '0' ? CONVERT_FIRST : "");
    ZT_TRY(check_min_version(file, &asset));
    if (strcmp(version, "2.0") != 0)
        ZT_TRY(gltf_warn(file->log, &json, "glTF version %.20s is read as 2.0", version));
    return ZT_OK;
}

static const struct {
    const char *key, *entry;
} lists[GLTF_LIST_COUNT] = {
    [GLTF_ACCESSORS] = {"accessors", "accessor"},
    [GLTF_VIEWS] = {"bufferViews", "buffer view"},
    [GLTF_BUFFERS] = {"buffers", "buffer"},
    [GLTF_NODES] = {"nodes", "node"},
    [GLTF_MESHES] = {"meshes", "mesh"},
    [GLTF_SKINS] = {"skins", "skin"},
    [GLTF_ANIMATIONS] = {"animations", "animation"},
    [GLTF_MATERIALS] = {"materials", "material"},
    [GLTF_TEXTURES] = {"textures", "texture"},
    [GLTF_SAMPLERS] = {"samplers", "sampler"},
    [GLTF_IMAGES] = {"images", "image"},
    [GLTF_CAMERAS] = {"cameras", "camera"},
    [GLTF_SCENES] = {"scenes", "scene"},
    [GLTF_LIGHTS] = {"lights", "light"},
};

static zt_result open_lists(gltf_file *file)
{
    ZT_TRY(gltf_extension(file->log, &file->root, "KHR_lights_punctual", &file->light_extension));
    for (int i = 0; i < GLTF_LIST_COUNT; i++) {
        const json_pointer *holder = i == GLTF_LIGHTS ? &file->light_extension.object : &file->root;
        gltf_list *list = &file->list[i];
        ZT_TRY(gltf_array(file->log, holder, lists[i].key, &list->json, &list->count));
    }
    file->buffer = ARENA_ARRAY(file->scratch, gltf_buffer, file->list[GLTF_BUFFERS].count);
    return file->buffer ? ZT_OK
                        : arena_fail(file->scratch, file->log->err, "the tables of a glTF file");
}

zt_result gltf_file_open(gltf_file *file)
{
    const file_bytes bytes = file->source->bytes;
    file_bytes json = bytes;
    file->is_glb = bytes.size >= 4 && memcmp(bytes.data, "glTF", 4) == 0;
    if (file->is_glb)
        ZT_TRY(split_glb(file, &json));
    ZT_TRY(ARENA_TAKE(file->scratch, &file->log->note, GLTF_NOTE_LIMIT, "notes", file->log->err));
    ZT_TRY(gltf_json_parse(file->log, file->scratch, trim_json(json), &file->json));
    file->root = (json_pointer){.value = file->json};
    ZT_TRY(check_asset(file));
    return open_lists(file);
}

zt_result gltf_run_ranges(const gltf_file *file, size_t count, job_range_fn fn, void *user)
{
    return job_pool_ranges(file->pool, file->scratch->budget, count, fn, user, file->log->err);
}

zt_result gltf_list_entry(const gltf_file *file, gltf_list_name list, size_t index,
                          json_pointer *out)
{
    return gltf_entry(file->log, &file->list[list].json, index, out);
}

zt_result gltf_index(const gltf_file *file, const json_pointer *value, gltf_list_name list,
                     int32_t *out)
{
    return gltf_index_below(file->log, value, file->list[list].count, lists[list].entry, out);
}

zt_result gltf_member_index(const gltf_file *file, const json_pointer *object, const char *key,
                            gltf_list_name list, int32_t *out)
{
    const json_pointer value = json_member(object, key);
    return gltf_index(file, &value, list, out);
}
