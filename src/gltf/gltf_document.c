// SPDX-License-Identifier: MIT
/// See gltf_document.h. Buffers and images are loaded even if nothing refers to them.

#include "gltf/gltf_document.h"

#include "gltf/gltf_parts.h"
#include "texture/texture_file.h"

#include <stdio.h>
#include <string.h>

static zt_result read_buffers(gltf_file *file, gltf_document *out)
{
    ZT_TRY(ARENA_TAKE(file->scratch, &out->buffers, file->list[GLTF_BUFFERS].count, "buffers",
                      file->log->err));
    out->buffer_count = file->list[GLTF_BUFFERS].count;
    for (uint32_t i = 0; i < file->list[GLTF_BUFFERS].count; i++) {
        json_pointer json;
        ZT_TRY(gltf_list_entry(file, GLTF_BUFFERS, i, &json));
        // A buffer without "uri" has no data on purpose: a fallback for compressed views, or to be
        // filled by an application (glTF 2.0, 3.6.1). The model does not need it, or it would not
        // load.
        if (json_get(json.value, "uri") || (i == 0 && file->chunk.data))
            ZT_TRY(gltf_buffer_bytes(file, i, &out->buffers[i]));
    }
    return ZT_OK;
}

/// An image's name as a file name: its file's, its own, or its number; no folder, no extension.
static zt_result name_image(gltf_file *file, uint32_t index, const json_pointer *json,
                            const char *path, const char **out)
{
    char number[32];
    const char *name = path;
    if (!name)
        ZT_TRY(gltf_name(file->log, json, &name));
    name = path_name(name);
    if (!*name) {
        snprintf(number, sizeof number, "image%u", index);
        name = number;
    }
    const char *dot = strrchr(name, '.');
    *out = arena_text(file->keep, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    return *out ? ZT_OK : arena_fail(file->keep, file->log->err, "the name of an image");
}

static zt_result read_image(gltf_file *file, uint32_t index, gltf_document_image *out)
{
    json_pointer json;
    const char *path = NULL;
    ZT_TRY(gltf_list_entry(file, GLTF_IMAGES, index, &json));
    zt_result result = gltf_image_bytes(file, &json, &path, &out->bytes);
    const texture_origin origin = model_texture_origin(file->source);
    if (result == ZT_OK && path)
        result = texture_read(file->keep, &origin, path, &file->source->sink, &out->bytes,
                              file->log->err);
    if (result == ZT_ERR_MEMORY || result == ZT_ERR_LIMIT || result == ZT_ERR_CANCELLED)
        return result;
    if (result != ZT_OK)
        *out = (gltf_document_image){0};
    return name_image(file, index, &json, path, &out->name);
}

static zt_result read_document(gltf_file *file, gltf_document *out)
{
    ZT_TRY(gltf_file_open(file));
    ZT_TRY(read_buffers(file, out));
    const uint32_t count = file->list[GLTF_IMAGES].count;
    ZT_TRY(ARENA_TAKE(file->keep, &out->images, count, "images", file->log->err));
    out->image_count = count;
    for (uint32_t i = 0; i < count; i++)
        ZT_TRY(read_image(file, i, &out->images[i]));
    return ZT_OK;
}

zt_result gltf_document_open(const model_source *source, arena *a, gltf_document *out,
                             zt_error *err)
{
    zt_error own = {ZT_OK, ""};
    gltf_log log = {
        .path = source->path, .sink = &source->sink, .err = err ? err : &own, .keep = a};
    gltf_file file = {.source = source, .log = &log, .keep = a, .scratch = a};
    *out = (gltf_document){0};
    const zt_result result = read_document(&file, out);
    out->json = file.json;
    if (result == ZT_OK && err)
        *err = (zt_error){ZT_OK, ""}; // of images that are missing
    return result;
}
