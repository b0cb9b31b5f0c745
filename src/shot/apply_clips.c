// SPDX-License-Identifier: MIT
/// See apply_clips.h.
#include "shot/apply_clips.h"

#include "base/nearest_name.h"
#include "scene/scene_build.h"
#include "scene/scene_names.h"
#include "shot/shot_thumbnail.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CLIP_NAME_SIZE = 256 };

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

/// The clip that plays, of those of a def: its first line, in `out`.
static const char *played_clip(const zt_shot_def *def, char *out, size_t size)
{
    const char *end = def->clip ? strchr(def->clip, '\n') : NULL;
    if (!end)
        return def->clip;
    snprintf(out, size, "%.*s", (int)(end - def->clip), def->clip);
    return out;
}

zt_result scene_apply_clip(zt_scene *scene, scene_instance *instances, const zt_shot_def *def,
                           zt_error *err)
{
    bool found = false;
    char line[CLIP_NAME_SIZE];
    const char *name = played_clip(def, line, sizeof line);
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

zt_result scene_apply_framed_clips(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    const char *line = def->clip ? strchr(def->clip, '\n') : NULL;
    scene_instance *instance = &scene->instances[0];
    uint32_t count = 0;
    for (const char *at = line; at; at = strchr(at + 1, '\n'))
        count++;
    scene->framed_count = 0;
    if (count == 0)
        return ZT_OK;
    if (!scene->bare_file || scene->instance_count != 1)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%s: several clips of a scene (expected a model)",
                       scene->path);
    scene_framed_clip *framed;
    const scene_frames shot = scene->shot;
    const scene_layer *layers = instance->layers;
    const uint32_t layer_count = instance->layer_count;
    ZT_TRY(ARENA_TAKE(&scene->arena, &framed, count, "clips to frame", err));
    for (uint32_t i = 0; i < count; i++, line = strchr(line + 1, '\n')) {
        char name[CLIP_NAME_SIZE];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(line + 1, "\n"), line + 1);
        const int32_t clip = scene_find_clip(instance->model, name);
        if (clip < -1)
            return fail_clip(scene, name, err);
        framed[i].layer = scene_bare_layer(scene, instance->model, clip);
        ZT_TRY(scene_set_layer(scene, instance, framed[i].layer, err));
        ZT_TRY(scene_set_clip_shot(scene, err));
        framed[i].shot = scene->shot;
    }
    scene->shot = shot;
    instance->layers = layers;
    instance->layer_count = layer_count;
    scene->framed = framed;
    scene->framed_count = count;
    return ZT_OK;
}
