// SPDX-License-Identifier: MIT
/// Reader of glTF 2.0 files (.gltf, .glb): bytes -> zt_model. This file finds the JSON and the BIN
/// chunk and calls the stages in order; each stage is a file of its own (gltf_reader.h).
/// Reference: Khronos glTF 2.0 specification, section 4 for the GLB container.

#include "gltf/gltf.h"

#include "gltf/gltf_reader.h"

#include <string.h>

enum { GLB_HEADER_SIZE = 12, GLB_CHUNK_HEADER_SIZE = 8 };

static const uint32_t glb_version = 2, chunk_json = 0x4E4F534A, chunk_bin = 0x004E4942;

static uint32_t read_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static zt_result read_glb_header(gltf_reader *g, file_bytes file, size_t *out_end)
{
    const char *path = g->source->path;
    if (file.size < GLB_HEADER_SIZE)
        return zt_fail(g->err, ZT_ERR_FORMAT, "%s:byte %zu: the GLB header is cut short", path,
                       file.size);
    const uint32_t version = read_u32(file.data + 4), length = read_u32(file.data + 8);
    if (version != glb_version)
        return zt_fail(g->err, ZT_ERR_FORMAT, "%s:byte 4: GLB version %u (expected 2)%s", path,
                       version, version == 1 ? "; convert glTF 1.0 files to 2.0 first" : "");
    if (length > file.size)
        return zt_fail(g->err, ZT_ERR_FORMAT,
                       "%s:byte 8: the GLB says that it has %u bytes, but the file ends at %zu",
                       path, length, file.size);
    if (length < GLB_HEADER_SIZE)
        return zt_fail(g->err, ZT_ERR_FORMAT, "%s:byte 8: the GLB says that it has %u bytes", path,
                       length);
    *out_end = length;
    return ZT_OK;
}

/// Splits a GLB into its JSON text and its BIN chunk. Chunks of other types are skipped.
static zt_result split_glb(gltf_reader *g, file_bytes file, file_bytes *out_json)
{
    const char *path = g->source->path;
    size_t end = 0;
    ZT_TRY(read_glb_header(g, file, &end));
    bool has_json = false;
    for (size_t at = GLB_HEADER_SIZE; at < end;) {
        if (end - at < GLB_CHUNK_HEADER_SIZE) {
            if (has_json)
                break; // padding
            return zt_fail(g->err, ZT_ERR_FORMAT, "%s:byte %zu: the chunk header is cut short",
                           path, at);
        }
        const uint32_t length = read_u32(file.data + at), type = read_u32(file.data + at + 4);
        const size_t left = end - at - GLB_CHUNK_HEADER_SIZE;
        if (length > left)
            return zt_fail(
                g->err, ZT_ERR_FORMAT,
                "%s:byte %zu: the chunk says that it has %u bytes, but only %zu are left", path, at,
                length, left);
        const file_bytes chunk = {file.data + at + GLB_CHUNK_HEADER_SIZE, length};
        if (!has_json && type != chunk_json)
            return zt_fail(g->err, ZT_ERR_FORMAT, "%s:byte %zu: the first chunk is not JSON", path,
                           at);
        if (!has_json)
            *out_json = chunk;
        else if (type == chunk_bin && !g->has_chunk) {
            g->chunk = chunk;
            g->has_chunk = true;
        }
        has_json = true;
        at += GLB_CHUNK_HEADER_SIZE + (size_t)length;
        // The length of a chunk should be a multiple of 4 and often is not; the next one starts at
        // the byte after it either way.
    }
    if (!has_json)
        return zt_fail(g->err, ZT_ERR_FORMAT, "%s: the GLB has no JSON chunk", path);
    return ZT_OK;
}

/// Cuts what surrounds JSON text without being JSON: a byte order mark, and zeros as padding.
static file_bytes trim_json(file_bytes text)
{
    if (text.size >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0)
        text = (file_bytes){text.data + 3, text.size - 3};
    while (text.size > 0 && text.data[text.size - 1] == 0)
        text.size--;
    return text;
}

static zt_result check_asset(gltf_reader *g)
{
    json_place asset;
    const char *version;
    ZT_TRY(gltf_object(g, &g->root, "asset", &asset));
    ZT_TRY(gltf_text(g, &asset, "version", &version));
    if (!version && json_is_object(json_object_get(g->json, "nodes")))
        version = "1.0"; // whose files often say nothing, but keep their nodes in an object
    if (!version)
        return gltf_fail(g, &g->root, ZT_ERR_FORMAT,
                         "not a glTF 2.0 file: the JSON has no asset.version");
    const json_place place = json_member(&asset, "version");
    if (strncmp(version, "2.", 2) != 0 && strcmp(version, "2") != 0)
        return gltf_fail(
            g, &place, ZT_ERR_FORMAT, "glTF version %.20s (expected 2.0)%s", version,
            version[0] == '1' || version[0] == '0' ? "; convert glTF 1.0 files to 2.0 first" : "");
    if (strcmp(version, "2.0") != 0)
        ZT_TRY(gltf_warn(g, &place, "glTF version %.20s is read as 2.0", version));
    return ZT_OK;
}

static zt_result open_arrays(gltf_reader *g)
{
    const struct {
        const char *key;
        json_place *place;
        uint32_t *count;
    } arrays[] = {
        {"accessors",   &g->accessors,  &g->accessor_count },
        {"bufferViews", &g->views,      &g->view_count     },
        {"buffers",     &g->buffers,    &g->buffer_count   },
        {"nodes",       &g->nodes,      &g->node_count     },
        {"meshes",      &g->meshes,     &g->mesh_count     },
        {"skins",       &g->skins,      &g->skin_count     },
        {"animations",  &g->animations, &g->animation_count},
        {"materials",   &g->materials,  &g->material_count },
        {"textures",    &g->textures,   &g->texture_count  },
        {"samplers",    &g->samplers,   &g->sampler_count  },
        {"images",      &g->images,     &g->image_count    },
        {"cameras",     &g->cameras,    &g->camera_count   },
        {"scenes",      &g->scenes,     &g->scene_count    },
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        ZT_TRY(gltf_array(g, &g->root, arrays[i].key, arrays[i].place, arrays[i].count));
    ZT_TRY(gltf_extension(g, &g->root, "KHR_lights_punctual", &g->light_extension));
    ZT_TRY(gltf_array(g, &g->light_extension.object, "lights", &g->lights, &g->light_count));

    g->buffer = ARENA_ARRAY(g->scratch, gltf_buffer, g->buffer_count);
    g->keys = ARENA_ARRAY(g->scratch, gltf_key_cache, g->accessor_count);
    if (!g->buffer || !g->keys)
        return arena_fail(g->scratch, g->err, "the tables of a glTF file");
    return ZT_OK;
}

zt_result gltf_open(gltf_reader *g)
{
    const file_bytes file = g->source->bytes;
    file_bytes json = file;
    g->is_glb = file.size >= 4 && memcmp(file.data, "glTF", 4) == 0;
    if (g->is_glb)
        ZT_TRY(split_glb(g, file, &json));
    g->note = ARENA_ARRAY(g->scratch, const char *, GLTF_NOTE_LIMIT);
    if (!g->note)
        return arena_fail(g->scratch, g->err, "notes");
    ZT_TRY(gltf_json_parse(g, trim_json(json)));
    ZT_TRY(check_asset(g));
    return open_arrays(g);
}

static zt_result read_all(gltf_reader *g)
{
    ZT_TRY(gltf_open(g));
    ZT_TRY(gltf_check_extensions(g));
    ZT_TRY(gltf_read_about(g));
    ZT_TRY(gltf_choose_variant(g));
    ZT_TRY(gltf_read_nodes(g));
    ZT_TRY(gltf_read_cameras(g));
    ZT_TRY(gltf_read_lights(g));
    ZT_TRY(gltf_read_materials(g));
    ZT_TRY(gltf_build_textures(g));
    ZT_TRY(gltf_read_meshes(g));
    ZT_TRY(gltf_read_morph_weights(g));
    ZT_TRY(gltf_read_skins(g));
    return gltf_read_clips(g);
}

/// Moves what the stages collected in scratch memory into the model.
static zt_result finish_model(gltf_reader *g)
{
    zt_model *model = g->model;
    const char **notes = ARENA_ARRAY(g->keep, const char *, g->note_count);
    model_material *materials = ARENA_ARRAY(g->keep, model_material, g->made_materials);
    if (!notes || !materials)
        return arena_fail(g->keep, g->err, "the tables of a model");
    memcpy(notes, g->note, g->note_count * sizeof *notes);
    memcpy(materials, g->material, g->made_materials * sizeof *materials);
    model->notes = notes;
    model->note_count = g->note_count;
    model->materials = materials;
    model->material_count = g->made_materials;
    model->nodes = g->node;
    model->node_count = g->made_nodes;
    model->triangle_count = g->triangle_total;
    model->vertex_count = g->vertex_total;
    model->path = arena_text(g->keep, g->source->path, strlen(g->source->path));
    model->kind = "glTF 2.0";
    return model->path ? ZT_OK : arena_fail(g->keep, g->err, "a path");
}

/// Puts the file in front of a message that does not begin with it: arenas and codecs know no file.
static zt_result name_file(gltf_reader *g, zt_result result)
{
    const char *path = g->source->path;
    const zt_error inner = *g->err;
    if (strncmp(inner.message, path, strlen(path)) == 0)
        return result;
    return zt_fail(g->err, result, "%s: %s", path, inner.message);
}

zt_result gltf_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err)
{
    // The stages also need a message when the caller does not: a broken image is a warning.
    zt_error own = {ZT_OK, ""};
    gltf_reader g = {.source = source,
                     .model = model,
                     .keep = &model->arena,
                     .scratch = scratch,
                     .err = err ? err : &own};
    zt_result result = job_pool_create_optional(source->threads, &g.pool, g.err);
    if (result == ZT_OK)
        result = read_all(&g);
    if (result == ZT_OK)
        result = finish_model(&g);
    json_decref(g.json);
    job_pool_destroy(g.pool);
    return result == ZT_OK ? ZT_OK : name_file(&g, result);
}
