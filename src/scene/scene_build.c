// SPDX-License-Identifier: MIT
/// Defaults, models and instances of a scene.
#include "scene/scene_build.h"

#include "base/color_text.h"
#include "base/def_fields.h"
#include "base/hash.h"
#include "load/load.h"
#include "scene/frame_list.h"

#include <math.h>
#include <string.h>

static bool constant(arena *a, track *out, uint32_t width, double x, double y, double z)
{
    const double value[4] = {x, y, z, 0.0};
    return track_constant(a, value, width, out);
}

zt_result scene_set_orbit(zt_scene *scene, double azimuth_deg, double elevation_deg, zt_error *err)
{
    arena *a = &scene->arena;
    scene_camera *camera = &scene->camera;
    camera->kind = SCENE_CAMERA_ORBIT;
    camera->target_auto = camera->distance_auto = true;
    const bool made = constant(a, &camera->target.at, 3, 0.0, 0.0, 0.0) &&
                      constant(a, &camera->azimuth_deg, 1, azimuth_deg, 0.0, 0.0) &&
                      constant(a, &camera->elevation_deg, 1, elevation_deg, 0.0, 0.0) &&
                      constant(a, &camera->distance, 1, 1.0, 0.0, 0.0);
    return made ? ZT_OK : arena_fail(a, err, "camera");
}

void scene_restore(zt_scene *scene, const zt_scene *before)
{
    const arena taken = scene->arena;
    const uint64_t used = scene->budget_own.used;
    *scene = *before;
    scene->arena = taken;
    scene->budget_own.used = used;
}

zt_result scene_set_default_camera(zt_scene *scene, zt_error *err)
{
    arena *a = &scene->arena;
    scene->camera = (scene_camera){.zoom = 1.0, .margin = 0.05, .instance = -1, .node = -1};
    // 30 degrees aside, a little above: depth, and all faces; 35 degrees is a short portrait lens.
    ZT_TRY(scene_set_orbit(scene, 30.0, 10.0, err));
    const bool made = constant(a, &scene->camera.position.at, 3, 0.0, 0.0, 1.0) &&
                      constant(a, &scene->camera.up, 3, 0.0, 1.0, 0.0) &&
                      constant(a, &scene->camera.fov_deg, 1, 35.0, 0.0, 0.0);
    return made ? ZT_OK : arena_fail(a, err, "camera");
}

zt_result scene_set_defaults(zt_scene *scene, zt_error *err)
{
    arena *a = &scene->arena;
    scene->width = 1280;
    scene->height = 720;
    scene->samples = 4;
    scene->supersample = 1;
    scene->anisotropy = 1;
    scene->light_samples = 64;
    scene->blur = (scene_blur){.sensor_m = 0.024};
    scene->fps_numerator = 30;
    scene->fps_denominator = 1;
    scene->freeze_time_s = (double)NAN;
    scene->occlusion = (scene_occlusion){.intensity = 1.0};
    scene->springs = (scene_spring_steps){.rate = 120.0, .warmup_s = 1.0};
    scene->lighting_keys = (scene_lighting_keys){
        .preset = -1, .light = -1, .ground = -1, .occlusion = -1, .tone_map = -1};
    double background[3];
    color_from_text("#303338", background);
    for (int i = 0; i < 3; i++)
        scene->background[i] = (float)background[i];
    ZT_TRY(scene_set_default_camera(scene, err));
    ZT_TRY(frame_list_range(a, 0, 1, &scene->shot, err));
    scene->selected = scene->shot;
    return ZT_OK;
}

zt_result scene_fail_long_clip(const zt_scene *scene, zt_error *err)
{
    return zt_fail(err, ZT_ERR_LIMIT, "%s: the clip takes %.9g frames (expected at most %d)",
                   scene->path, scene->clip_frames, scene->budget_own.limits->frames);
}

zt_result scene_set_clip_shot(zt_scene *scene, zt_error *err)
{
    int64_t count = 1;
    const int32_t limit = scene->budget_own.limits->frames;
    scene->clip_frames = 0.0;
    if (!isnan(scene->freeze_time_s))
        return frame_list_range(&scene->arena, 0, 1, &scene->shot, err);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        if (instance->layer_count == 0 || instance->layers[0].clip < 0)
            continue;
        const model_clip *clip = &instance->model->clips[instance->layers[0].clip];
        const scene_layer *layer = &instance->layers[0];
        const double start_s = layer->has_range   ? layer->from_s
                               : scene->bare_file ? (double)clip->start_s
                                                  : 0.0;
        const double shot_s = (layer->has_range ? layer->to_s : (double)clip->end_s) - start_s;
        double frames = shot_s * scene->fps_numerator / scene->fps_denominator;
        scene->clip_frames = frames;
        if (frames > (double)limit && !scene->bare_file)
            return scene_fail_long_clip(scene, err);
        if (frames > (double)limit)
            frames = (double)limit;
        count = (int64_t)frames;
        count += (double)count < frames ? 1 : 0; // ceil
        break;
    }
    return frame_list_range(&scene->arena, 0, count < 1 ? 1 : count, &scene->shot, err);
}

void scene_add_input(zt_scene *scene, const void *bytes, size_t size)
{
    scene->inputs = hash_words(scene->inputs, bytes, size);
}

static const zt_model *find_model(const zt_scene *scene, const char *path, scene_model_key key)
{
    for (uint32_t i = 0; i < scene->model_count; i++)
        if (strcmp(scene->models[i]->path, path) == 0 &&
            scene->model_keys[i].handedness == key.handedness &&
            def_all_same(&load_table, &scene->model_keys[i].load, &key.load) &&
            scene->model_keys[i].tangents == key.tangents &&
            strcmp(scene->model_keys[i].clips_from, key.clips_from) == 0)
            return scene->models[i];
    return NULL;
}

static zt_result add_model_slot(zt_scene *scene, zt_error *err)
{
    uint32_t key_capacity = scene->model_capacity;
    ZT_TRY(ARENA_GROW(&scene->arena, scene->model_keys, scene->model_count, key_capacity,
                      "models of the scene", err));
    return ARENA_GROW(&scene->arena, scene->models, scene->model_count, scene->model_capacity,
                      "models of the scene", err);
}

zt_result scene_read_file(const zt_scene *scene, job_pool *pool, arena *a, const char *path,
                          file_bytes *out, zt_error *err)
{
    if (!scene->in_memory)
        return file_read_below(pool, a, path, scene->root_length, out, err);
    file_supply supply = file_supply_of(&scene->load, "");
    const zt_result result = file_supply_read(&supply, a, path, out, err);
    file_supply_finish(&supply);
    return result;
}

static zt_result read_model(zt_scene *scene, const char *path, const scene_model_key *key,
                            file_supply *supply, zt_model *model, job_pool *pool, arena *file,
                            arena *scratch, zt_error *err)
{
    zt_load_def load = scene->load;
    def_overlay(&load_table, &load, &key->load);
    model_source from = model_source_of(&load, path);
    from.pool = pool;
    from.file = file;
    from.supply = supply;
    from.at_origin = true;
    from.m3d.handedness = key->handedness;
    from.tangents = key->tangents;
    if (scene->root_length != FILE_ANYWHERE)
        from.root_length = scene->root_length;
    if (scene->from_file || scene->below)
        ZT_TRY(scene_read_file(scene, pool, file, path, &from.bytes, err));
    else
        ZT_TRY(model_source_read(&from, &scene->load, supply, file, err));
    model->in_memory = scene->in_memory;
    ZT_TRY(model_read(&from, model, scratch, err));
    scene_add_input(scene, &model->inputs, sizeof model->inputs);
    return ZT_OK;
}

zt_result scene_read_model(zt_scene *scene, const char *path, const scene_model_key *key,
                           zt_model *model, arena *scratch, zt_error *err)
{
    // What a model file in memory names is relative to it.
    const size_t folder_length = scene->from_file ? path_folder_length(path) : 0;
    const char *folder = arena_text(scratch, path, folder_length);
    if (!folder)
        return arena_fail(scratch, err, path);
    job_pool *pool;
    ZT_TRY(job_pool_create_optional(&scene->budget_own, scene->load.threads, &pool, err));
    file_supply supply = file_supply_of(&scene->load, folder);
    arena file;
    arena_init(&file, &scene->budget_own);
    const zt_result result = read_model(scene, path, key, scene->in_memory ? &supply : NULL, model,
                                        pool, &file, scratch, err);
    arena_finish(&file);
    job_pool_destroy(pool);
    file_supply_finish(&supply);
    return result;
}

zt_result scene_new_model(zt_scene *scene, const char *path, scene_model_key key,
                          zt_model **out_model, zt_error *err)
{
    ZT_TRY(add_model_slot(scene, err));
    zt_model *model = ARENA_ARRAY(&scene->arena, zt_model, 1);
    const char *path_copy = arena_text(&scene->arena, path, strlen(path));
    if (!model || !path_copy)
        return arena_fail(&scene->arena, err, path);
    arena_init(&model->arena, &scene->budget_own);
    // The scene owns it from here on: a failure below is cleaned up with the scene.
    scene->models[scene->model_count] = model;
    scene->model_keys[scene->model_count] = key;
    scene->model_count++;
    model->path = path_copy;
    *out_model = model;
    return ZT_OK;
}

zt_result scene_load_model(zt_scene *scene, const char *path, scene_model_key key,
                           const zt_model **out_model, zt_error *err)
{
    zt_model *model;
    *out_model = find_model(scene, path, key);
    if (*out_model)
        return ZT_OK;
    ZT_TRY(scene_new_model(scene, path, key, &model, err));
    const char *path_copy = model->path;
    arena scratch;
    arena_init(&scratch, &scene->budget_own);
    const zt_result result = scene_read_model(scene, path_copy, &key, model, &scratch, err);
    arena_finish(&scratch);
    model->path = path_copy;
    if (result == ZT_OK)
        *out_model = model;
    return result;
}

scene_instance *scene_new_instance(zt_scene *scene)
{
    arena *a = &scene->arena;
    if (!arena_grow(a, &scene->instances, scene->instance_count, &scene->instance_capacity,
                    sizeof *scene->instances))
        return NULL;
    const double zero[3] = {0.0, 0.0, 0.0}, one = 1.0;
    scene_instance *added = &scene->instances[scene->instance_count];
    *added = (scene_instance){0};
    if (!track_constant(a, zero, 3, &added->translate) ||
        !track_constant(a, zero, 3, &added->rotate) || !track_constant(a, &one, 1, &added->scale))
        return NULL;
    scene->instance_count++;
    return added;
}

scene_layer scene_default_layer(int32_t clip)
{
    return (scene_layer){.clip = clip, .speed = 1.0, .reference = -1};
}

int32_t scene_bare_clip(const zt_model *model)
{
    return model->joined_count == model->clip_count ? model->all_clip : 0;
}

scene_layer scene_bare_layer(const zt_scene *scene, const zt_model *model, int32_t clip)
{
    scene_layer layer = scene_default_layer(clip);
    if (scene->bare_file && clip >= 0)
        layer.start_s = (double)model->clips[clip].start_s;
    return layer;
}

zt_result scene_set_layer(zt_scene *scene, scene_instance *instance, scene_layer layer,
                          zt_error *err)
{
    scene_layer *layers;
    ZT_TRY(ARENA_TAKE(&scene->arena, &layers, 1, "animation", err));
    layers[0] = layer;
    instance->layers = layers;
    instance->layer_count = 1;
    return ZT_OK;
}
