// SPDX-License-Identifier: MIT
/// zt_scene as an object: made from a scene file, a model file or calls; owns its models.
#include "base/handle.h"
#include "base/jobs.h"
#include "load/load.h"
#include "scene/frame_list.h"
#include "scene/scene_parts.h"

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

double scene_time_of_frame(const zt_scene *scene, int64_t frame)
{
    return (double)(frame * scene->fps_denominator) / (double)scene->fps_numerator;
}

// ---- Models and instances ---------------------------------------------------------------------

scene_instance *scene_new_instance(zt_scene *scene)
{
    arena *a = &scene->arena;
    if (scene->instance_count == scene->instance_capacity) {
        const uint32_t capacity = scene->instance_capacity ? scene->instance_capacity * 2 : 4;
        scene_instance *grown = ARENA_ARRAY(a, scene_instance, capacity);
        if (!grown)
            return NULL;
        if (scene->instance_count)
            memcpy(grown, scene->instances, scene->instance_count * sizeof *grown);
        scene->instances = grown;
        scene->instance_capacity = capacity;
    }
    const double zero[3] = {0.0, 0.0, 0.0}, one = 1.0;
    scene_instance *added = &scene->instances[scene->instance_count];
    *added = (scene_instance){0};
    if (!track_constant(a, zero, 3, &added->translate) ||
        !track_constant(a, zero, 3, &added->rotate) || !track_constant(a, &one, 1, &added->scale))
        return NULL;
    scene->instance_count++;
    return added;
}

zt_result scene_set_layer(zt_scene *scene, scene_instance *instance, scene_layer layer,
                          zt_error *err)
{
    scene_layer *layers = ARENA_ARRAY(&scene->arena, scene_layer, 1);
    if (!layers)
        return arena_fail(&scene->arena, err, "animation");
    layers[0] = layer;
    instance->layers = layers;
    instance->layer_count = 1;
    return ZT_OK;
}

static const zt_model *find_model(const zt_scene *scene, const char *path, scene_model_key key)
{
    for (uint32_t i = 0; i < scene->model_count; i++)
        if (strcmp(scene->models[i]->path, path) == 0 &&
            scene->model_keys[i].handedness == key.handedness &&
            scene->model_keys[i].tangents == key.tangents &&
            strcmp(scene->model_keys[i].clips_from, key.clips_from) == 0)
            return scene->models[i];
    return NULL;
}

static zt_result add_model_slot(zt_scene *scene, zt_error *err)
{
    if (scene->model_count < scene->model_capacity)
        return ZT_OK;
    arena *a = &scene->arena;
    const uint32_t capacity = scene->model_capacity ? scene->model_capacity * 2 : 4;
    zt_model **models = ARENA_ARRAY(a, zt_model *, capacity);
    scene_model_key *keys = ARENA_ARRAY(a, scene_model_key, capacity);
    if (!models || !keys)
        return arena_fail(a, err, "models of the scene");
    if (scene->model_count) {
        memcpy(models, scene->models, scene->model_count * sizeof *models);
        memcpy(keys, scene->model_keys, scene->model_count * sizeof *keys);
    }
    scene->models = models;
    scene->model_keys = keys;
    scene->model_capacity = capacity;
    return ZT_OK;
}

// A file into a model whose arena is ready.
static zt_result read_model_file(const zt_scene *scene, const char *path,
                                 const scene_model_key *key, int32_t texture_least, zt_model *model,
                                 arena *scratch, zt_error *err)
{
    model_source source = model_source_of(&scene->load, path);
    source.handedness = key->handedness;
    source.tangents = key->tangents;
    source.texture_least = texture_least ? texture_least : source.texture_least;
    ZT_TRY(file_read(scratch, path, &source.bytes, err));
    return model_read(&source, model, scratch, err);
}

zt_result scene_load_model(zt_scene *scene, const char *path, scene_model_key key,
                           const zt_model **out_model, zt_error *err)
{
    *out_model = find_model(scene, path, key);
    if (*out_model)
        return ZT_OK;
    ZT_TRY(add_model_slot(scene, err));
    zt_model *model = ARENA_ARRAY(&scene->arena, zt_model, 1);
    const char *path_copy = arena_text(&scene->arena, path, strlen(path));
    if (!model || !path_copy)
        return arena_fail(&scene->arena, err, path);
    arena_init(&model->arena, &scene->budget_own);
    // Owned from here on, so that a failure below is cleaned up with the scene.
    scene->models[scene->model_count] = model;
    scene->model_keys[scene->model_count] = key;
    scene->model_count++;
    model->path = path_copy;

    arena scratch;
    arena_init(&scratch, &scene->budget_own);
    const zt_result result = read_model_file(scene, path_copy, &key, 0, model, &scratch, err);
    arena_finish(&scratch);
    model->path = path_copy;
    if (result == ZT_OK)
        *out_model = model;
    return result;
}

zt_result scene_add_clips(zt_scene *scene, const char *path, zt_error *err)
{
    zt_model *model = scene->models[scene->model_count - 1];
    zt_model lender = {.path = path};
    uint32_t count = 0;
    arena scratch;
    arena_init(&scratch, &scene->budget_own);
    arena_init(&lender.arena, &scene->budget_own);
    // Of its pictures nothing is used.
    zt_result result = read_model_file(scene, path, &scene->model_keys[scene->model_count - 1], 1,
                                       &lender, &scratch, err);
    if (result == ZT_OK)
        result = model_borrow_clips(model, &lender, &scratch, &count, err);
    if (result == ZT_OK && count == 0)
        result = zt_fail(err, ZT_ERR_FORMAT,
                         "%s: no clip moves a bone of %s (expected bones of the same names)", path,
                         model->path);
    arena_finish(&lender.arena);
    arena_finish(&scratch);
    return result;
}

// ---- Bare models ------------------------------------------------------------------------------

zt_result scene_from_model(zt_scene *scene, const char *path, zt_error *err)
{
    ZT_TRY(scene_set_defaults(scene, err));
    ZT_TRY(scene_set_studio(scene, err));
    const zt_model *model = NULL;
    ZT_TRY(scene_load_model(scene, path, (scene_model_key){.clips_from = ""}, &model, err));
    scene_instance *instance = scene_new_instance(scene);
    if (!instance)
        return arena_fail(&scene->arena, err, "scene");
    instance->model = model;
    instance->name = model->path;
    ZT_TRY(
        scene_set_layer(scene, instance, scene_plain_layer(model->clip_count > 0 ? 0 : -1), err));
    scene->from_model = true;
    ZT_TRY(scene_add_model_lights(scene, 0, err));
    ZT_TRY(scene_set_clip_shot(scene, err));
    scene->selected = scene->shot;
    return ZT_OK;
}

// ---- The object ---------------------------------------------------------------------------------

// Replaces a caller's text by a copy; NULL stays.
static bool keep_text(arena *a, const char **text)
{
    if (!*text)
        return true;
    *text = arena_text(a, *text, strlen(*text));
    return *text != NULL;
}

zt_result zt_scene_create(const zt_load_def *def, zt_scene **out_scene, zt_error *err)
{
    if (!def || def->cookie_ != HANDLE_COOKIE || !out_scene)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_create: a load def that zt_default_load_def() did not make");
    *out_scene = NULL;
    zt_scene *scene = handle_alloc(def->allocator, sizeof *scene);
    if (!scene)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a scene");
    scene->load = *def;
    budget_init(&scene->budget_own, def->max_memory, def->allocator);
    arena_init(&scene->arena, &scene->budget_own);
    scene->path = "";
    scene->edit_stamp = job_clock_ns();
    scene->from_model = true;
    zt_result result = scene_set_defaults(scene, err);
    if (result == ZT_OK)
        result = scene_set_studio(scene, err);
    if (result == ZT_OK && !(keep_text(&scene->arena, &scene->load.texture_dir) &&
                             keep_text(&scene->arena, &scene->load.variant)))
        result = arena_fail(&scene->arena, err, "scene");
    if (result != ZT_OK) {
        zt_scene_destroy(scene);
        return result;
    }
    *out_scene = scene;
    return ZT_OK;
}

// Forgets the defaults of zt_scene_create, which a file replaces.
static void begin_file(zt_scene *scene)
{
    scene->lights = NULL;
    scene->light_count = 0;
    scene->ambient = (scene_ambient){0};
    scene->from_model = false;
}

static zt_result load_scene_file(zt_scene *scene, zt_error *err)
{
    arena bytes_arena;
    arena_init(&bytes_arena, &scene->budget_own);
    file_bytes bytes = {0};
    zt_result result = file_read(&bytes_arena, scene->path, &bytes, err);
    if (result == ZT_OK)
        result = scene_read(scene->path, bytes, scene, err);
    arena_finish(&bytes_arena);
    scene->selected = scene->shot;
    return result;
}

zt_result zt_scene_load(const char *path, const zt_load_def *def, zt_scene **out_scene,
                        zt_error *err)
{
    if (!path || !out_scene)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_load: no path or no place for the scene");
    zt_scene *scene = NULL;
    *out_scene = NULL;
    ZT_TRY(zt_scene_create(def, &scene, err));
    begin_file(scene);
    char extension[8];
    path_extension(path, extension);
    const bool is_scene = strcmp(extension, "yaml") == 0 || strcmp(extension, "yml") == 0 ||
                          strcmp(extension, "json") == 0;
    const uint64_t float_state = float_state_enter();
    zt_result result;
    scene->path = arena_text(&scene->arena, path, strlen(path));
    if (!scene->path)
        result = arena_fail(&scene->arena, err, path);
    else
        result = is_scene ? load_scene_file(scene, err) : scene_from_model(scene, path, err);
    float_state_leave(float_state);
    if (result != ZT_OK) {
        zt_scene_destroy(scene);
        return result;
    }
    *out_scene = scene;
    return ZT_OK;
}

zt_result zt_scene_add_instance(zt_scene *scene, const zt_instance_def *def, zt_error *err)
{
    if (!scene || !def || def->cookie_ != HANDLE_COOKIE || !def->model)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_add_instance: no scene, no model, or a def that "
                       "zt_default_instance_def() did not make");
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
    scene_layer layer = scene_plain_layer(def->clip);
    layer.start_s = def->clip_start_s;
    ZT_TRY(scene_set_layer(scene, instance, layer, err));
    instance->has_matrix = true;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            instance->world_from_model[column][row] = row < 3
                                                          ? def->world_from_model[row * 4 + column]
                                                      : column == 3 ? 1.0f
                                                                    : 0.0f;
    ZT_TRY(scene_add_model_lights(scene, scene->instance_count - 1, err));
    scene->edit_stamp = job_clock_ns();
    if (!scene->from_model)
        return ZT_OK;
    ZT_TRY(scene_set_clip_shot(scene, err));
    scene->selected = scene->shot;
    return ZT_OK;
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
