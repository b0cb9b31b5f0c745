// SPDX-License-Identifier: MIT
/// zt_convert: which way a conversion goes, and what all ways share.
#include "convert/convert.h"

#include "base/handle.h"
#include "base/jobs.h"
#include "load/load.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

zt_result convert_lost(convert_job *job, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (char *c = text; *c; c++) // names in the file may hold anything, but this is one line
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    return message_unsupported(&job->sink, job->err, "%s: %s", job->out_path, text);
}

static bool path_taken(const convert_job *job, const char *path)
{
    for (const output_file *f = job->files.first; f; f = f->next)
        if (strcmp(f->writer.path, path) == 0)
            return true;
    return false;
}

const char *convert_side_name(convert_job *job, const char *name, const char *extension)
{
    enum { NAME_KEPT = 100 };
    const char *stem = path_name(job->out_path), *dot = strrchr(stem, '.');
    const size_t stem_length = dot ? (size_t)(dot - stem) : strlen(stem);
    const size_t size = stem_length + NAME_KEPT + strlen(extension) + 32;
    char *made = ARENA_ARRAY(job->a, char, size);
    char kept[NAME_KEPT + 1] = "";
    for (size_t i = 0; i < NAME_KEPT && name[i]; i++) {
        const char c = name[i];
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '_' || c == '-';
        kept[i] = plain ? c : '_';
    }
    if (!made)
        return NULL;
    for (unsigned n = 1;; n++) {
        char number[16] = "";
        if (n > 1)
            snprintf(number, sizeof number, "-%u", n);
        snprintf(made, size, "%.*s%s%s%s.%s", (int)stem_length, stem, *kept ? "-" : "", kept,
                 number, extension);
        const char *path = path_beside(job->a, job->out_path, made);
        if (!path)
            return NULL;
        if (!path_taken(job, path))
            return made;
    }
}

convert_picture_kind convert_picture_kind_of(file_bytes bytes)
{
    static const struct {
        size_t at, length;
        const char *magic;
        convert_picture_kind kind;
    } known[] = {
        {0, 4, "\x89PNG",      {"png", "image/png"}       },
        {0, 3, "\xff\xd8\xff", {"jpg", "image/jpeg"}      },
        {8, 4, "WEBP",         {"webp", "image/webp"}     },
        {0, 4, "\xabKTX",      {"ktx2", "image/ktx2"}     },
        {0, 4, "DDS ",         {"dds", "image/vnd-ms.dds"}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (bytes.size >= known[i].at + known[i].length &&
            memcmp(bytes.data + known[i].at, known[i].magic, known[i].length) == 0)
            return known[i].kind;
    return (convert_picture_kind){"bin", NULL};
}

static zt_result find_format(const char *path, convert_format *out, zt_error *err)
{
    static const char *const extensions[] = {
        [CONVERT_GLB] = "glb", [CONVERT_GLTF] = "gltf", [CONVERT_M3D] = "m3d"};
    char extension[8];
    path_extension(path, extension);
    for (int i = CONVERT_GLB; i <= CONVERT_M3D; i++)
        if (strcmp(extension, extensions[i]) == 0) {
            *out = (convert_format)i;
            return ZT_OK;
        }
    return zt_fail(err, ZT_ERR_ARGUMENT, "output '%.200s' (expected OUT.glb, OUT.gltf or OUT.m3d)",
                   path);
}

static zt_result convert_model(convert_job *job, const zt_model *model)
{
    const bool from_gltf = strcmp(model->kind, "m3d") != 0;
    gltf_document document = {0};
    if (job->format != CONVERT_M3D)
        return from_gltf ? convert_gltf_to_gltf(job) : convert_m3d_to_gltf(job, model);
    zt_result result = ZT_OK;
    if (from_gltf)
        result = gltf_document_open(&job->source, job->a, &document, job->err);
    if (result == ZT_OK)
        result = convert_to_m3d(job, model, from_gltf ? &document : NULL);
    gltf_document_finish(&document);
    return result;
}

/// Loads the model, which also proves that the file is sound, and writes it anew.
static zt_result load_and_convert(convert_job *job, const char *path, budget *memory)
{
    arena scratch;
    zt_model model = {0};
    arena_init(&scratch, memory);
    arena_init(&model.arena, memory);
    zt_result r = file_read(job->a, path, &job->source.bytes, job->err);
    if (r == ZT_OK) {
        // What a renderer approximates need not be lost in a file.
        model_source quiet = job->source;
        quiet.sink = (message_sink){0};
        r = model_read(&quiet, &model, &scratch, job->err);
    }
    arena_finish(&scratch);
    for (uint32_t i = 0; r == ZT_OK && i < model.note_count && strcmp(model.kind, "m3d") == 0; i++)
        message_warn(&job->sink, "%s", model.notes[i]);
    if (r == ZT_OK)
        r = convert_model(job, &model);
    if (r == ZT_OK)
        r = output_commit(&job->files, job->err);
    output_abandon(&job->files);
    arena_finish(&model.arena);
    return r;
}

zt_result zt_convert(const char *path, const char *out_path, const zt_load_def *def, zt_error *err)
{
    if (!path || !out_path || !def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_convert: no path, no output path, or a load def that was not made by "
                       "zt_default_load_def()");
    budget memory;
    arena a;
    zt_error own = {ZT_OK, ""};
    convert_job job = {.source = model_source_of(def, path),
                       .out_path = out_path,
                       .a = &a,
                       .err = err ? err : &own};
    ZT_TRY(find_format(out_path, &job.format, err));
    job.sink = job.source.sink;
    job.source.sink.strict = false;
    job.source.texture_least = 0;
    budget_init(&memory, def->max_memory, def->allocator);
    arena_init(&a, &memory);
    const uint64_t float_state = float_state_enter();
    const zt_result result = load_and_convert(&job, path, &memory);
    float_state_leave(float_state);
    arena_finish(&a);
    return result;
}
