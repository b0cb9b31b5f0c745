// SPDX-License-Identifier: MIT
/// Reader of glTF 2.0 files (.gltf, .glb): bytes -> zt_model. read_model() is the table of
/// contents: each stage has its own file and takes the contexts that it reads or fills.

#include "gltf/gltf.h"

#include "base/jobs.h"
#include "gltf/gltf_parts.h"

#include <string.h>

/// Moves what the stages collected in scratch memory into the model.
static zt_result finish_model(const gltf_file *file, const gltf_textures *textures,
                              const gltf_materials *materials, const gltf_nodes *nodes,
                              const gltf_meshes *meshes, zt_model *model)
{
    const gltf_log *log = file->log;
    const char **notes = ARENA_ARRAY(file->keep, const char *, log->note_count);
    model_material *made = ARENA_ARRAY(file->keep, model_material, materials->count);
    if (!notes || !made)
        return arena_fail(file->keep, log->err, "the tables of a model");
    memcpy(notes, log->note, log->note_count * sizeof *notes);
    memcpy(made, materials->material, materials->count * sizeof *made);
    model->notes = notes;
    model->note_count = log->note_count;
    model->materials = made;
    model->material_count = materials->count;
    model->nodes = nodes->node;
    model->node_count = nodes->count;
    model->line_count = meshes->line_total;
    model->point_count = meshes->point_total;
    model->triangle_count = meshes->triangle_total - meshes->line_total - meshes->point_total;
    model->vertex_count = meshes->vertex_total;
    model->format = &gltf_format;
    ZT_TRY(ARENA_TEXT(file->keep, &model->path, log->path, "a path", log->err));
    // By now it is known which maps clips move.
    return file->source->joined_maps
               ? model_pack_textures(model, textures->pictures, file->pool, log->err)
               : ZT_OK;
}

/// Records what was done since `start`, and returns the time.
static uint64_t lap(const gltf_file *file, const char *name, uint64_t start)
{
    const uint64_t now = job_clock_ns();
    trace_add(file->scratch->budget->trace, name, start, now);
    return now;
}

static zt_result read_model(gltf_file *file, zt_model *model)
{
    uint64_t start = job_clock_ns();
    gltf_textures textures = {0};
    gltf_materials materials = {0};
    gltf_nodes nodes = {0};
    gltf_meshes meshes = {0};
    ZT_TRY(gltf_file_open(file));
    ZT_TRY(gltf_check_extensions(file));
    ZT_TRY(gltf_read_asset_info(file, model));
    ZT_TRY(gltf_choose_variant(file, &materials));
    ZT_TRY(gltf_read_nodes(file, &nodes));
    ZT_TRY(gltf_read_cameras(file, model));
    ZT_TRY(gltf_read_lights(file, &nodes, model));
    ZT_TRY(gltf_read_environment(file, model));
    ZT_TRY(gltf_read_materials(file, &textures, &materials));
    start = lap(file, "file", start);
    ZT_TRY(gltf_build_textures(file, &textures, &materials, model));
    start = lap(file, "textures", start);
    ZT_TRY(gltf_read_meshes(file, &materials, &meshes, model));
    start = lap(file, "meshes", start);
    ZT_TRY(gltf_read_morph_weights(file, &nodes, model));
    ZT_TRY(gltf_read_humanoid(file, &nodes, model));
    ZT_TRY(gltf_read_expressions(file, &materials, &nodes, model));
    ZT_TRY(gltf_read_moved_expressions(file, &nodes, model));
    ZT_TRY(gltf_read_avatar(file, &nodes, model));
    ZT_TRY(gltf_read_skins(file, &nodes, &meshes, model));
    ZT_TRY(gltf_read_first_person(file, &nodes, model));
    ZT_TRY(gltf_read_springs(file, &nodes, model));
    ZT_TRY(gltf_read_clips(file, &materials, &nodes, model));
    ZT_TRY(gltf_move_expressions(file, &nodes, model));
    ZT_TRY(gltf_read_exact(file, &nodes, model));
    if (file->source->no_textures)
        ZT_TRY(gltf_keep_textures(file, &textures, &materials, model));
    start = lap(file, "nodes and clips", start);
    ZT_TRY(finish_model(file, &textures, &materials, &nodes, &meshes, model));
    (void)lap(file, "joined textures", start);
    return ZT_OK;
}

zt_result gltf_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err)
{
    // The stages always need an error to write to: the error of a broken image becomes a warning.
    zt_error own = {ZT_OK, ""};
    gltf_log log = {.path = source->path,
                    .sink = &source->sink,
                    .err = err ? err : &own,
                    .keep = &model->arena};
    gltf_file file = {.source = source,
                      .log = &log,
                      .keep = &model->arena,
                      .scratch = scratch,
                      .pool = source->pool};
    arena_init(&file.pictures, model->arena.budget);
    const zt_result result = read_model(&file, model);
    if (result == ZT_OK)
        gltf_log_finish(&log);
    arena_finish(&file.pictures);
    const zt_error inner = *log.err;
    if (result == ZT_OK || strncmp(inner.message, log.path, strlen(log.path)) == 0)
        return result;
    // Arenas and codecs do not know the path.
    return zt_fail(log.err, result, "%s: %s", log.path, inner.message);
}

static bool recognise(const char *path, file_bytes bytes, size_t start)
{
    (void)path;
    const bool glb = bytes.size >= 4 && memcmp(bytes.data, "glTF", 4) == 0;
    return glb || (start < bytes.size && bytes.data[start] == '{');
}

const model_format gltf_format = {
    .name = "glTF 2.0",
    .noun = "a glTF",
    .extensions = {{"glb", "the magic 'glTF'"}, {"gltf", "a JSON object"}},
    .recognise = recognise,
    .read = gltf_read,
};
