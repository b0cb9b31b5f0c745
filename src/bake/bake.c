// SPDX-License-Identifier: MIT
/// zt_scene_bake: from a scene to a glTF file; see bake.h. Read bake_scene() first.
#include "bake/bake.h"

#include "base/handle.h"
#include "base/jobs.h"
#include "gltf/gltf.h"
#include "load/load.h"
#include "load/other_formats.h"
#include "scene/scene_build.h"

#include <stdio.h>
#include <string.h>

zt_bake_def zt_default_bake_def(void)
{
    return (zt_bake_def){.error = 1e-4, .cookie_ = HANDLE_COOKIE};
}

static bool is_name_used(const bake_job *bake, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(bake->instances[i].name, name) == 0)
            return true;
    return false;
}

/// The name of an instance or of its file, with a number after it where it is taken.
static zt_result name_instance(bake_job *bake, uint32_t index)
{
    const scene_instance *instance = &bake->scene->instances[index];
    convert_job *job = bake->assembly.builder.job;
    const char *name = instance->name;
    if (!name || bake->scene->bare_file)
        name = convert_stem(job, path_name(instance->model->path));
    const size_t size = (name ? strlen(name) : 0) + 16;
    char *made = ARENA_ARRAY(bake->a, char, size);
    if (!name || !made)
        return arena_fail(bake->a, bake->err, "names");
    snprintf(made, size, "%s", name);
    // The members of a crowd have the number of the instance at once: trying all would be slow.
    if (is_name_used(bake, index, made))
        snprintf(made, size, "%s-%u", name, index + 1);
    bake->instances[index].name = made;
    return ZT_OK;
}

/// True for a model that the scene has loaded; others are the caller's.
static bool owns_model(const zt_scene *scene, const zt_model *model)
{
    for (uint32_t i = 0; i < scene->model_count; i++)
        if (scene->models[i] == model)
            return true;
    return false;
}

/// Reads the file of a model again, from where the scene or the caller had it.
static zt_result read_part(const bake_job *bake, const zt_model *model, file_bytes *out)
{
    const zt_scene *scene = bake->scene;
    if (!owns_model(scene, model) || !(scene->in_memory || scene->from_file))
        return file_read(bake->a, model->path, out, bake->err);
    return scene_read_file(scene, NULL, bake->a, model->path, out, bake->err);
}

/// Adds the file of a model to the output, once.
static zt_result add_part(bake_job *bake, const zt_model *model, gltf_part *parts, uint32_t *count,
                          const gltf_part **out)
{
    const zt_scene *scene = bake->scene;
    for (uint32_t i = 0; i < *count; i++)
        if (parts[i].model == model) {
            *out = &parts[i];
            return ZT_OK;
        }
    const bool owned = owns_model(scene, model);
    if (model->in_memory && !(owned && scene->from_file && model->format))
        return zt_fail(bake->err, ZT_ERR_UNSUPPORTED,
                       "%s: was loaded from memory (expected a model file: baking reads it again)",
                       model->path);
    model_source source = model_source_of(&scene->load, model->path);
    source.sink = (message_sink){0}; // loading the scene has reported it
    source.texture_min_side = 0;
    if (owned && scene->root_length != FILE_ANYWHERE)
        source.root_length = scene->root_length;
    const size_t folder_length = scene->from_file ? path_folder_length(model->path) : 0;
    const char *folder = arena_text(bake->a, model->path, folder_length);
    if (!folder)
        return arena_fail(bake->a, bake->err, "a file name");
    file_supply supply = file_supply_of(&scene->load, folder);
    source.supply = model->in_memory ? &supply : NULL;
    zt_result result = ZT_OK;
    if (model->format == &gltf_format) // all else is built from the model
        result = read_part(bake, model, &source.bytes);
    gltf_part *part = &parts[(*count)++];
    *out = part;
    if (result == ZT_OK)
        result = gltf_assembly_add(&bake->assembly, &source, model, part);
    bake->assembly.builder.job->source.supply = NULL;
    file_supply_finish(&supply);
    return result;
}

static zt_result write_instances(bake_job *bake, json_value *roots)
{
    const uint32_t count = bake->scene->instance_count;
    gltf_part *parts = ARENA_ARRAY(bake->a, gltf_part, count);
    uint32_t part_count = 0;
    if (!parts)
        return arena_fail(bake->a, bake->err, "models");
    for (uint32_t i = 0; i < count; i++) {
        bake_instance *instance = &bake->instances[i];
        const gltf_part *part = NULL;
        ZT_TRY(add_part(bake, instance->scene->model, parts, &part_count, &part));
        ZT_TRY(bake_reduce(bake, instance));
        bake_move_from_origin(bake, instance);
        ZT_TRY(bake_write_instance(bake, instance, part, roots));
        const double size = instance->size * instance->scale;
        message_note(&bake->assembly.builder.job->sink,
                     "%s: keys are off by at most %.3g m, %.3g of its size", instance->name,
                     instance->reduced.error + instance->residual,
                     size > 0.0 ? (instance->reduced.error + instance->residual) / size : 0.0);
    }
    return ZT_OK;
}

static zt_result write_scene(bake_job *bake)
{
    gltf_builder *builder = &bake->assembly.builder;
    json_builder *b = &builder->package.values;
    json_value *roots = json_new(b, JSON_KIND_ARRAY);
    ZT_TRY(write_instances(bake, roots));
    ZT_TRY(bake_write_camera(bake, roots));
    ZT_TRY(bake_write_lights(bake, roots));
    if (bake->has_shot && json_length(bake->shot.channels) > 0)
        gltf_clip_end(builder, &bake->shot, "shot");
    json_put(b, gltf_builder_entry(builder, "scenes"), "nodes", roots);
    json_put_int(b, builder->package.json, "scene", 0);
    return gltf_assembly_write(&bake->assembly);
}

static zt_result bake_scene(bake_job *bake, convert_job *job)
{
    const uint32_t count = bake->scene->instance_count;
    ZT_TRY(gltf_assembly_begin(&bake->assembly, job));
    ZT_TRY(ARENA_TAKE(bake->a, &bake->instances, count, "models", bake->err));
    ZT_TRY(bake_find_times(bake));
    for (uint32_t i = 0; i < count; i++) {
        bake->instances[i].scene = &bake->scene->instances[i];
        ZT_TRY(name_instance(bake, i));
        ZT_TRY(bake_find_morphs(bake, &bake->instances[i]));
        ZT_TRY(bake_find_points(bake, &bake->instances[i]));
    }
    ZT_TRY(bake_report_losses(bake));
    ZT_TRY(bake_find_framing(bake));
    ZT_TRY(bake_sample(bake));
    for (uint32_t i = 0; i < count; i++) {
        if (bake->instances[i].morph_count > 0) // whose weights are known now
            ZT_TRY(bake_find_points(bake, &bake->instances[i]));
        ZT_TRY(bake_measure(bake, &bake->instances[i]));
    }
    ZT_TRY(write_scene(bake));
    return output_commit(&job->files, bake->err);
}

static zt_result format_of(const char *path, convert_format *out, zt_error *err)
{
    *out = has_suffix(path, ".gltf") ? CONVERT_GLTF : CONVERT_GLB;
    if (*out == CONVERT_GLB && !has_suffix(path, ".glb"))
        return other_format_fail_output(path, "OUT.glb or OUT.gltf of a scene", err);
    return ZT_OK;
}

zt_result zt_scene_bake(const zt_scene *scene, const char *out_path, const zt_bake_def *def,
                        zt_error *err)
{
    convert_job job = {.out_path = out_path};
    zt_error own = {ZT_OK, ""};
    arena a;
    if (!scene || !out_path || !def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_bake: no scene, no output path, or a def that was not made by "
                       "zt_default_bake_def()");
    if (!(def->error >= 0.0 && def->error <= 1.0))
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_bake: error %g (expected 0 to 1)",
                       def->error);
    ZT_TRY(format_of(out_path, &job.format, err));
    arena_init(&a, scene->arena.budget);
    job.a = &a;
    job.err = err ? err : &own;
    job.files.save = scene->load.save;
    job.files.save_user = scene->load.save_user;
    job.sink = (message_sink){scene->load.message, scene->load.message_user, scene->load.strict};
    bake_job bake = {
        .scene = scene, .def = *def, .kernels = kernels_best(ZT_ISA_BEST), .a = &a, .err = job.err};
    const uint64_t float_state = float_state_enter();
    const zt_result result = bake_scene(&bake, &job);
    float_state_leave(float_state);
    output_abandon(&job.files);
    arena_finish(&a);
    return result;
}
