// SPDX-License-Identifier: MIT
/// zt_scene as an object of the API: made from a scene file, a model file or calls.
#include "base/def_fields.h"
#include "base/file_supply.h"
#include "base/handle.h"
#include "base/jobs.h"
#include "base/model_names.h"
#include "load/load.h"
#include "scene/scene_build.h"
#include "scene/scene_origin.h"
#include "scene/scene_read.h"

#include <math.h>
#include <string.h>

zt_instance_def zt_default_instance_def(void)
{
    return (zt_instance_def){
        .world_from_model = {1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f,
                             0.0f},
        .clip = -1,
        .cookie_ = HANDLE_COOKIE,
    };
}

frame_time scene_shot_time(const zt_scene *scene, double shot_s)
{
    const bool frozen = !isnan(scene->freeze_time_s);
    const double rate = scene->turntable.clip_rate;
    const double played_s = rate > 0.0 ? shot_s * rate : shot_s;
    return (frame_time){.shot_s = shot_s, .animation_s = frozen ? scene->freeze_time_s : played_s};
}

frame_time scene_frame_time(const zt_scene *scene, int64_t frame)
{
    const int64_t at = frame + scene->turntable.lead;
    const double shot_s = (double)(at * scene->fps_denominator) / (double)scene->fps_numerator;
    frame_time time = scene_shot_time(scene, shot_s);
    time.frame = frame;
    return time;
}

/// Replaces a caller's texts by copies.
static bool keep_texts(arena *a, zt_load_def *def)
{
    bool kept = true;
    for (size_t i = 0; i < load_table.count && kept; i++) {
        const def_field *f = &load_table.field[i];
        if (f->kind < DEF_TEXT || !def_is_set(f, def))
            continue;
        const char **text = def_text(f, def);
        *text = arena_text(a, *text, strlen(*text));
        kept = *text != NULL;
    }
    return kept;
}

zt_result zt_scene_create(const zt_load_def *def, zt_scene **out_scene, zt_error *err)
{
    if (!def || def->cookie_ != HANDLE_COOKIE || !out_scene)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_create: no out_scene, or a def that is not from "
                       "zt_default_load_def()");
    *out_scene = NULL;
    ZT_TRY(load_def_check(def, err));
    zt_scene *scene = handle_alloc(def->allocator, sizeof *scene);
    if (!scene)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a scene");
    scene->load = *def;
    budget_init_within(&scene->budget_own, def->budget, def->max_memory, def->allocator);
    cancel_init(&scene->budget_own.cancel, def->cancel);
    arena_init(&scene->arena, &scene->budget_own);
    scene->path = "";
    scene->root_length = FILE_ANYWHERE;
    scene->in_memory = file_in_memory(def);
    scene->edit_stamp = job_clock_ns();
    scene->inputs = def_hash(scene->inputs, &load_table, def, NULL);
    scene->from_model = true;
    zt_result result = scene_set_defaults(scene, err);
    if (result == ZT_OK)
        result = scene_light_up(scene, err);
    if (result == ZT_OK && !keep_texts(&scene->arena, &scene->load))
        result = arena_fail(&scene->arena, err, "scene");
    if (result != ZT_OK) {
        zt_scene_destroy(scene);
        return result;
    }
    *out_scene = scene;
    return ZT_OK;
}

/// Fills a scene with one model and the default camera, light and shot.
static zt_result load_bare_model(zt_scene *scene, const char *path, zt_error *err)
{
    ZT_TRY(scene_set_defaults(scene, err));
    const zt_model *model = NULL;
    ZT_TRY(scene_load_model(scene, path, (scene_model_key){.clips_from = ""}, &model, err));
    if (model->is_picture)
        ZT_TRY(scene_set_orbit(scene, 0.0, 0.0, err));
    scene_instance *instance = scene_new_instance(scene);
    if (!instance)
        return arena_fail(&scene->arena, err, "scene");
    instance->model = model;
    instance->name = model->path;
    scene->bare_file = scene->turn_fronts = true;
    ZT_TRY(scene_set_layer(scene, instance, scene_bare_layer(scene, model, scene_bare_clip(model)),
                           err));
    scene->from_model = true;
    ZT_TRY(scene_light_up(scene, err));
    ZT_TRY(scene_set_clip_shot(scene, err));
    scene->selected = scene->shot;
    return ZT_OK;
}

/// The bytes of the scene: the caller's, or those of a file.
static zt_result read_bytes(const zt_scene *scene, arena *a, file_bytes *out, zt_error *err)
{
    const zt_load_def *load = &scene->load;
    if (scene->in_memory)
        return file_copy(a, scene->path, load->bytes, load->size, out, err);
    if (scene->below)
        return file_read_below(NULL, a, scene->path, scene->root_length, out, err);
    return file_read_within(a, scene->path, DOCUMENT_SIZE_LIMIT, out, err);
}

static zt_result load_scene_file(zt_scene *scene, zt_error *err)
{
    arena bytes_arena;
    arena_init(&bytes_arena, &scene->budget_own);
    file_bytes bytes = {0};
    zt_result result = read_bytes(scene, &bytes_arena, &bytes, err);
    if (result == ZT_OK) {
        scene_add_input(scene, bytes.data, bytes.size);
        result = scene_read(scene->path, bytes, scene, err);
    }
    arena_finish(&bytes_arena);
    scene->selected = scene->shot;
    return result;
}

/// `root_length`: the folder that the file is below, or FILE_ANYWHERE.
static zt_result load_into(zt_scene *scene, const char *path, size_t root_length, zt_error *err)
{
    char other[FILE_PATH_SIZE];
    if (!scene->in_memory)
        path = file_form(path, root_length, other);
    // Without the defaults of zt_scene_create(): a file has its own.
    scene->lights = NULL;
    scene->light_count = 0;
    scene->ambient = (scene_ambient){0};
    scene->from_model = false;
    scene->path = arena_text(&scene->arena, path, strlen(path));
    scene->from_file = is_scene_name(path);
    if (scene->in_memory || (scene->from_file && scene->load.confine_scene))
        scene->root_length = path_folder_length(path);
    if (root_length != FILE_ANYWHERE)
        scene->root_length = root_length;
    if (!scene->path)
        return arena_fail(&scene->arena, err, path);
    ZT_TRY(scene->from_file ? load_scene_file(scene, err)
                            : load_bare_model(scene, scene->path, err));
    scene->load.bytes = NULL; // they are the caller's
    ZT_TRY(scene_move_to_origin(scene, err));
    zt_scene *loaded;
    ZT_TRY(ARENA_TAKE(&scene->arena, &loaded, 1, path, err));
    *loaded = *scene;
    scene->loaded = loaded;
    return ZT_OK;
}

zt_result scene_load_below(const char *path, size_t root_length, bool named, const zt_load_def *def,
                           zt_scene **out_scene, zt_error *err)
{
    zt_scene *scene = NULL;
    *out_scene = NULL;
    const uint64_t start = job_clock_ns();
    ZT_TRY(zt_scene_create(def, &scene, err));
    scene->below = named;
    const uint64_t float_state = float_state_enter();
    const zt_result result = load_into(scene, path, root_length, err);
    float_state_leave(float_state);
    if (result != ZT_OK)
        zt_scene_destroy(scene);
    else
        *out_scene = scene;
    if (def->budget)
        trace_add(def->budget->bytes.trace, "open", start, job_clock_ns());
    return result;
}

zt_result zt_scene_load(const char *path, const zt_load_def *def, zt_scene **out_scene,
                        zt_error *err)
{
    if (!path || !out_scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_load: path or out_scene is NULL");
    return scene_load_below(path, FILE_ANYWHERE, false, def, out_scene, err);
}

zt_result zt_scene_add_instance(zt_scene *scene, const zt_instance_def *def, zt_error *err)
{
    if (!scene || !def || def->cookie_ != HANDLE_COOKIE || !def->model)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_add_instance: no scene, no model, or a def that is not from "
                       "zt_default_instance_def()");
    if (def->clip < -1 || def->clip >= (int64_t)def->model->clip_count)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_add_instance: clip %d (expected -1 to %lld)",
                       def->clip, (long long)def->model->clip_count - 1);
    for (int i = 0; i < 12; i++)
        if (!(def->world_from_model[i] - def->world_from_model[i] == 0.0f))
            return zt_fail(err, ZT_ERR_ARGUMENT,
                           "zt_scene_add_instance: world_from_model[%d] is not finite", i);
    if (!(def->clip_start_s - def->clip_start_s == 0.0))
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_add_instance: clip_start_s is not finite");
    scene_instance *instance = scene_new_instance(scene);
    if (!instance)
        return arena_fail(&scene->arena, err, "instance");
    instance->name = "";
    instance->model = def->model;
    scene_layer layer = scene_default_layer(def->clip);
    layer.start_s = def->clip_start_s;
    ZT_TRY(scene_set_layer(scene, instance, layer, err));
    instance->has_matrix = true;
    glm_mat4_identity(instance->world_from_model);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 4; column++)
            instance->world_from_model[column][row] = def->world_from_model[row * 4 + column];
    ZT_TRY(scene_add_model_lights(scene, scene->instance_count - 1, err));
    scene->edit_stamp = job_clock_ns();
    scene_add_input(scene, &def->model->inputs, sizeof def->model->inputs);
    scene_add_input(scene, def->world_from_model, sizeof def->world_from_model);
    scene_add_input(scene, &def->clip, sizeof def->clip);
    scene_add_input(scene, &def->clip_start_s, sizeof def->clip_start_s);
    if (!scene->from_model)
        return ZT_OK;
    ZT_TRY(scene_set_clip_shot(scene, err));
    scene->selected = scene->shot;
    return ZT_OK;
}

void zt_scene_restore(zt_scene *scene)
{
    const zt_scene *loaded = scene ? scene->loaded : NULL;
    if (!loaded)
        return;
    scene_restore(scene, loaded);
    scene->loaded = loaded;
    scene->edit_stamp = job_clock_ns();
}

void zt_scene_destroy(zt_scene *scene)
{
    if (!scene)
        return;
    for (uint32_t i = 0; i < scene->model_count; i++)
        arena_finish(&scene->models[i]->arena);
    arena_finish(&scene->arena);
    handle_free(scene->load.allocator, scene, sizeof *scene);
}
