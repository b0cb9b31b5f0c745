// SPDX-License-Identifier: MIT
#include "base/hash.h"
#include "base/jobs.h"
#include "base/nearest_name.h"
#include "scene/scene_build.h"
#include "scene/scene_names.h"
#include "shot/shot.h"

#include <math.h>
#include <string.h>

static zt_result fail_clip(const zt_scene *scene, const char *name, zt_error *err)
{
    name_list list = {.word = name};
    char hint[600];
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        for (uint32_t k = 0; k < model->clip_count; k++)
            name_list_add(&list, model->clips[k].name);
    }
    name_list_hint(&list, "there are no clips", hint, sizeof hint);
    return zt_fail(err, ZT_ERR_ARGUMENT, "no clip '%.80s' (%s)", name, hint);
}

/// Copies loop, times and root motion of the bottom layer that `layer` replaces.
static zt_result copy_playback(zt_scene *scene, const scene_instance *instance, scene_layer *layer,
                               zt_error *err)
{
    const scene_layer *before = &instance->layers[0];
    layer->loop = before->loop;
    layer->speed = before->speed;
    layer->speed_keys = before->speed_keys;
    if (!scene->bare_file && !before->has_range)
        layer->start_s = before->start_s;
    layer->at_s = before->at_s;
    layer->root_motion = before->root_motion;
    if (layer->clip < 0 || layer->root_motion == SCENE_ROOT_KEEP)
        return ZT_OK;
    if (before->root && before->root->steady)
        return scene_find_foot_root(scene, instance->model, layer, NULL, 0, &layer->root, err);
    return scene_find_root(scene, instance->model, &instance->model->clips[layer->clip],
                           before->root ? before->root->node : -1,
                           before->root && before->root->rotation, &layer->root, err);
}

/// A character stands in its thumbnail.
static zt_result apply_thumbnail_clip(zt_scene *scene, scene_instance *instances, zt_error *err)
{
    const zt_model *model = instances[0].model;
    const int32_t clip = shot_thumbnail_clip(model);
    ZT_TRY(scene_set_layer(scene, &instances[0], scene_bare_layer(scene, model, clip), err));
    return scene_set_clip_shot(scene, err);
}

/// A first clip that is one pose is what a bare model shows, though others move.
static void warn_still_clip(const zt_scene *scene, const zt_shot_def *def)
{
    const zt_model *model = scene->instance_count == 1 ? scene->instances[0].model : NULL;
    const message_sink sink = {scene->load.message, scene->load.message_user, false};
    if (!scene->bare_file || def->thumbnail || !model || model->clip_count < 2 ||
        model->clips[0].end_s > model->clips[0].start_s || model->joined_count == model->clip_count)
        return;
    for (uint32_t i = 1; i < model->clip_count; i++)
        if (model->clips[i].end_s > model->clips[i].start_s) {
            message_warn(&sink,
                         "%s: the first clip, '%.80s', is one pose, and others move (expected "
                         "--clip '%.80s' or another of --list-clips)",
                         scene->path, model->clips[0].name, model->clips[i].name);
            return;
        }
}

/// `all` may be few.
static void warn_left_out(const zt_scene *scene, const zt_model *model, int32_t clip,
                          const char *name)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, false};
    if (clip >= 0 && clip == model->all_clip && strcmp(name, "all") == 0 &&
        model->joined_count < model->clip_count)
        message_warn(&sink, "%s: %u of its %u clips play: the others move what these move",
                     model->path, model->joined_count, model->clip_count);
}

zt_result scene_apply_clip(zt_scene *scene, scene_instance *instances, const zt_shot_def *def,
                           zt_error *err)
{
    bool found = false;
    const char *name = def->clip;
    if (!def->clip && !def->frames && isnan(def->time_s) && def->thumbnail && scene->bare_file)
        return apply_thumbnail_clip(scene, instances, err);
    if (!def->clip) {
        warn_still_clip(scene, def);
        return ZT_OK;
    }
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const int32_t clip = scene_find_clip(instances[i].model, name);
        if (clip < -1)
            continue;
        found = true;
        warn_left_out(scene, instances[i].model, clip, name);
        scene_layer layer = scene_bare_layer(scene, instances[i].model, clip);
        if (instances[i].layer_count > 0)
            ZT_TRY(copy_playback(scene, &instances[i], &layer, err));
        ZT_TRY(scene_set_layer(scene, &instances[i], layer, err));
    }
    return found ? ZT_OK : fail_clip(scene, name, err);
}

static zt_result frame_clips(zt_scene *scene, const char *const *clips, uint32_t count,
                             zt_error *err)
{
    scene_instance *instance = &scene->instances[0];
    const scene_frames shot = scene->shot;
    const scene_layer *layers = instance->layers;
    const uint32_t layer_count = instance->layer_count;
    const double clip_frames = scene->clip_frames;
    scene_framed_clip *framed;
    zt_result result = ARENA_TAKE(&scene->arena, &framed, count, "clips to frame", err);
    for (uint32_t i = 0; i < count && result == ZT_OK; i++) {
        const int32_t clip = scene_find_clip(instance->model, clips[i]);
        framed[i].layer = scene_bare_layer(scene, instance->model, clip);
        result = clip < -1 ? fail_clip(scene, clips[i], err)
                           : scene_set_layer(scene, instance, framed[i].layer, err);
        if (result == ZT_OK)
            result = scene_set_clip_shot(scene, err);
        framed[i].shot = scene->shot;
    }
    scene->shot = shot;
    scene->clip_frames = clip_frames;
    instance->layers = layers;
    instance->layer_count = layer_count;
    if (result != ZT_OK)
        return result;
    scene->framed = framed;
    scene->framed_count = count;
    return ZT_OK;
}

zt_result zt_scene_frame_clips(zt_scene *scene, const char *const *clips, int32_t count,
                               zt_error *err)
{
    if (!scene || count < 0 || (count > 0 && !clips))
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_frame_clips: no scene, or no clips");
    for (int32_t i = 0; i < count; i++)
        if (!clips[i])
            return zt_fail(err, ZT_ERR_ARGUMENT, "zt_scene_frame_clips: clip %d is NULL", (int)i);
    if (!scene->bare_file || scene->instance_count != 1)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%s: several clips of a scene (expected a model)",
                       scene->path);
    ZT_TRY(frame_clips(scene, clips, (uint32_t)count, err));
    uint64_t key = hash_bytes(HASH_START, &count, sizeof count);
    for (int32_t i = 0; i < count; i++)
        key = hash_bytes(key, clips[i], strlen(clips[i]) + 1);
    scene_add_input(scene, &key, sizeof key);
    scene->edit_stamp = job_clock_ns();
    return ZT_OK;
}
