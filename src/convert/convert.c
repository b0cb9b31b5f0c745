// SPDX-License-Identifier: MIT
/// zt_convert: loads a model, which also proves that its file is sound, chooses the writer by the
/// suffix of the output, and commits all output files at once or none of them.
#include "base/handle.h"
#include "base/jobs.h"
#include "base/row_find.h"
#include "convert/convert_directions.h"
#include "gltf/gltf.h"
#include "load/load.h"
#include "load/other_formats.h"

/// True if the file is a glTF, whose JSON writers may copy. All else is built from the model.
static bool is_gltf(const zt_model *model) { return model->format == &gltf_format; }

zt_result convert_to_gltf(convert_job *job, const zt_model *model)
{
    return is_gltf(model) ? convert_gltf_to_gltf(job) : convert_model_to_gltf(job, model);
}

zt_result convert_to_m3d(convert_job *job, const zt_model *model)
{
    return convert_model_to_m3d(job, model, is_gltf(model));
}

/// A new output format is one row here and one direction in convert_directions.h.
typedef struct model_writer {
    const char *suffix;
    convert_format format;
    zt_result (*write)(convert_job *job, const zt_model *model);
} model_writer;

static const model_writer writers[] = {
    {"glb", CONVERT_GLB, convert_to_gltf},
    {"gltf", CONVERT_GLTF, convert_to_gltf},
    {"m3d", CONVERT_M3D, convert_to_m3d},
};

/// NULL when no writer has this suffix.
static const model_writer *find_writer(const char *path)
{
    char suffix[8];
    path_extension(path, suffix);
    const int32_t i = ROW_FIND(writers, suffix);
    return i >= 0 ? &writers[i] : NULL;
}

static zt_result load_and_convert(convert_job *job, const model_writer *writer,
                                  const zt_load_def *def, budget *memory)
{
    arena scratch;
    job_pool *pool;
    zt_model model = {0};
    ZT_TRY(job_pool_create_optional(memory, def->threads, &pool, job->err));
    file_supply supply = file_supply_of(def, "");
    arena_init(&scratch, memory);
    arena_init(&model.arena, memory);
    job->source.pool = pool;
    zt_result r = model_source_read(&job->source, def, &supply, job->a, job->err);
    if (r == ZT_OK) {
        // The reader reports what a renderer approximates, which a file need not lose.
        model_source quiet = job->source;
        quiet.sink = (message_sink){0};
        quiet.joined_maps = false;                    // writers look at maps one by one
        quiet.keep_embedded = true;                   // and copy the files of pictures
        quiet.at_origin = job->format != CONVERT_M3D; // which has no node for the way back
        quiet.only_triangles = job->format == CONVERT_M3D;
        quiet.m3d.turn_front = true; // glTF faces +Z, and m3d_text_writer.c turns what it writes
        r = model_read(&quiet, &model, &scratch, job->err);
    }
    arena_finish(&scratch);
    job_pool_destroy(pool);
    job->source.pool = NULL;
    const bool says_notes = r == ZT_OK && !is_gltf(&model);
    for (uint32_t i = 0; says_notes && i < model.note_count; i++)
        message_warn(&job->sink, "%s", model.notes[i]);
    if (r == ZT_OK)
        r = writer->write(job, &model);
    if (r == ZT_OK)
        r = output_commit(&job->files, job->err);
    output_abandon(&job->files);
    arena_finish(&model.arena);
    file_supply_finish(&supply);
    return r;
}

zt_result zt_convert(const char *path, const char *out_path, const zt_load_def *def, zt_error *err)
{
    if (!path || !out_path || !def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_convert: no path, no output path, or a load def that was not made by "
                       "zt_default_load_def()");
    ZT_TRY(load_def_check(def, err));
    const model_writer *writer = find_writer(out_path);
    if (!writer)
        return other_format_fail_output(out_path, "OUT.glb, OUT.gltf or OUT.m3d", err);
    budget memory;
    arena a;
    zt_error own = {ZT_OK, ""};
    char other[FILE_PATH_SIZE];
    if (!file_in_memory(def))
        path = file_form(path, FILE_ANYWHERE, other);
    convert_job job = {.source = model_source_of(def, path),
                       .out_path = out_path,
                       .format = writer->format,
                       .a = &a,
                       .files = {.save = def->save, .save_user = def->save_user},
                       .err = err ? err : &own};
    job.sink = job.source.sink;
    job.source.sink.strict = false;
    job.source.texture_min_side = 0;
    budget_init_within(&memory, def->budget, def->max_memory, def->allocator);
    cancel_init(&memory.cancel, def->cancel);
    arena_init(&a, &memory);
    const uint64_t float_state = float_state_enter();
    const zt_result result = load_and_convert(&job, writer, def, &memory);
    float_state_leave(float_state);
    arena_finish(&a);
    return result;
}
