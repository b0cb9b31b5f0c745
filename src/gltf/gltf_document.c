// SPDX-License-Identifier: MIT
/// A glTF file taken apart: JSON, buffers and images, whoever refers to them.

#include "gltf/gltf_document.h"

#include "gltf/gltf_reader.h"

#include <stdio.h>
#include <string.h>

/// A buffer that compressed views stand in for: it has no data on purpose.
static bool is_fallback(const json_place *buffer)
{
    static const char *const names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};
    const json_t *extensions = json_object_get(buffer->value, "extensions");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (json_is_true(json_object_get(json_object_get(extensions, names[i]), "fallback")))
            return json_object_get(buffer->value, "uri") == NULL;
    return false;
}

static zt_result read_buffers(gltf_reader *g, gltf_document *out)
{
    out->buffers = ARENA_ARRAY(g->scratch, file_bytes, g->buffer_count);
    if (!out->buffers)
        return arena_fail(g->scratch, g->err, "buffers");
    out->buffer_count = g->buffer_count;
    for (uint32_t i = 0; i < g->buffer_count; i++) {
        json_place place;
        ZT_TRY(gltf_entry(g, &g->buffers, i, &place));
        if (!is_fallback(&place) || (i == 0 && g->has_chunk))
            ZT_TRY(gltf_buffer_bytes(g, i, &out->buffers[i]));
    }
    return ZT_OK;
}

/// The name of an image for a file: its file's, its own, or its number; without folders and
/// extension.
static zt_result name_image(gltf_reader *g, uint32_t index, const json_place *place,
                            const char *path, const char **out)
{
    char number[32];
    const char *name = path;
    if (!name)
        ZT_TRY(gltf_name(g, place, &name));
    name = path_name(name);
    if (!*name) {
        snprintf(number, sizeof number, "image%u", index);
        name = number;
    }
    const char *dot = strrchr(name, '.');
    *out = arena_text(g->keep, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
    return *out ? ZT_OK : arena_fail(g->keep, g->err, "the name of an image");
}

static zt_result read_image(gltf_reader *g, uint32_t index, gltf_document_image *out)
{
    json_place place;
    const char *path = NULL;
    ZT_TRY(gltf_entry(g, &g->images, index, &place));
    zt_result result = gltf_image_bytes(g, &place, &path, &out->bytes);
    if (result == ZT_OK && path)
        result = texture_read(g->keep, g->source->path, path, g->source->texture_dir,
                              &g->source->sink, &out->bytes, g->err);
    if (result == ZT_ERR_MEMORY || result == ZT_ERR_LIMIT)
        return result;
    if (result != ZT_OK)
        *out = (gltf_document_image){0};
    return name_image(g, index, &place, path, &out->name);
}

static zt_result read_document(gltf_reader *g, gltf_document *out)
{
    ZT_TRY(gltf_open(g));
    ZT_TRY(read_buffers(g, out));
    out->images = ARENA_ARRAY(g->keep, gltf_document_image, g->image_count);
    if (!out->images)
        return arena_fail(g->keep, g->err, "images");
    out->image_count = g->image_count;
    for (uint32_t i = 0; i < g->image_count; i++)
        ZT_TRY(read_image(g, i, &out->images[i]));
    return ZT_OK;
}

zt_result gltf_document_open(const model_source *source, arena *a, gltf_document *out,
                             zt_error *err)
{
    zt_error own = {ZT_OK, ""};
    gltf_reader g = {.source = source, .keep = a, .scratch = a, .work = a, .err = err ? err : &own};
    *out = (gltf_document){0};
    const zt_result result = read_document(&g, out);
    out->json = g.json;
    if (result == ZT_OK && err)
        *err = (zt_error){ZT_OK, ""}; // of images that are missing
    return result;
}

void gltf_document_finish(gltf_document *document)
{
    json_decref(document->json);
    document->json = NULL;
}
