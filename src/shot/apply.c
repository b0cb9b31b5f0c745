// SPDX-License-Identifier: MIT
/// zt_scene_apply: overrides parts of a scene by a zt_shot_def; after an error all is unchanged.
#include "base/color_text.h"
#include "base/def_fields.h"
#include "base/handle.h"
#include "base/hash.h"
#include "base/jobs.h"
#include "base/nearest_name.h"
#include "base/number.h"
#include "scene/frame_list.h"
#include "scene/scene_build.h"
#include "scene/scene_path.h"
#include "shot/shot.h"

#include <stdio.h>
#include <string.h>

static bool is_set(double value) { return value == value; }

/// Index of a word of a list; fails with the nearest one.
static zt_result find_word(const char *what, zt_word_list list, const char *word, int32_t *out,
                           zt_error *err)
{
    const char *names[NAME_LIST_LIMIT];
    char all[200] = "";
    int32_t count = 0;
    for (; zt_word_at(list, count); count++) {
        names[count] = zt_word_at(list, count);
        if (strcmp(names[count], word) == 0) {
            *out = count;
            return ZT_OK;
        }
        strncat(all, count ? ", " : "", sizeof all - strlen(all) - 1);
        strncat(all, names[count], sizeof all - strlen(all) - 1);
    }
    const char *nearest = nearest_name(word, names, (size_t)count);
    return zt_fail(err, ZT_ERR_ARGUMENT, "%s '%.80s' (expected one of %s%s)", what, word, all,
                   nearest_hint(nearest).text);
}

// ---- Numbers and colours ----------------------------------------------------------------------

static zt_result apply_size(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    if (def->width == 0 && def->height == 0)
        return ZT_OK;
    const int32_t limit = scene->budget_own.limits->picture_side;
    if (def->width < 1 || def->height < 1 || def->width > limit || def->height > limit)
        return zt_fail(err, def->width < 1 || def->height < 1 ? ZT_ERR_ARGUMENT : ZT_ERR_LIMIT,
                       "size %dx%d (expected 1 to %d a side)", def->width, def->height, limit);
    scene->width = def->width;
    scene->height = def->height;
    return ZT_OK;
}

static zt_result fail_background(const char *text, zt_error *err)
{
    static const char *const words[] = {"transparent", "environment"};
    const char *nearest = nearest_name(text, words, 2);
    if (!nearest)
        nearest = color_nearest_name(text);
    return zt_fail(err, ZT_ERR_ARGUMENT,
                   "background '%.80s' (expected transparent, environment, " COLOR_TEXT_EXPECTED
                   "%s)",
                   text, nearest_hint(nearest).text);
}

static zt_result apply_background(zt_scene *scene, const char *background, zt_error *err)
{
    scene->transparent = strcmp(background, "transparent") == 0;
    scene->background_environment = strcmp(background, "environment") == 0;
    double color[3];
    if (!scene->transparent && !scene->background_environment) {
        if (!color_from_text(background, color))
            return fail_background(background, err);
        for (int i = 0; i < 3; i++)
            scene->background[i] = (float)color[i];
    }
    return ZT_OK;
}

/// Small thumbnails are shaded finer. The smallest keep their samples a pixel: with four times as
/// many they would cost as much again.
static void apply_supersample(zt_scene *scene, const zt_shot_def *def)
{
    const int32_t side = scene->width > scene->height ? scene->width : scene->height;
    if (def->supersample != 0)
        scene->supersample = def->supersample;
    if (def->supersample != 0 || !def->thumbnail || scene->supersample != 1 ||
        side > SCENE_SMALL_THUMBNAIL)
        return;
    scene->supersample = side > SCENE_SMALLEST_THUMBNAIL ? 2 : 4;
    if (scene->supersample == 4 && def->samples == 0)
        scene->samples = scene->samples > 4 ? scene->samples / 4 : 1;
}

static zt_result apply_film(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    ZT_TRY(apply_size(scene, def, err));
    if (def->samples)
        scene->samples = def->samples;
    apply_supersample(scene, def);
    if (def->anisotropy)
        scene->anisotropy = def->anisotropy;
    if (def->light_samples)
        scene->light_samples = def->light_samples;
    int32_t quality = (int32_t)scene->quality;
    if (def->quality)
        ZT_TRY(find_word("quality", ZT_WORDS_QUALITY, def->quality, &quality, err));
    scene->quality = (scene_quality)quality;
    if (def->tone_map)
        ZT_TRY(find_word("tone map", ZT_WORDS_TONE_MAP, def->tone_map,
                         &scene->lighting_keys.tone_map, err));
    if (is_set(def->exposure_ev))
        scene->exposure_ev = def->exposure_ev;
    if (scene->from_model && (def->thumbnail || turntable_asked(def)))
        scene->transparent = true;
    if (def->background)
        ZT_TRY(apply_background(scene, def->background, err));
    if (def->opaque && scene->transparent) {
        const message_sink sink = {scene->load.message, scene->load.message_user, false};
        message_note(&sink, "the background is the colour of the scene (the format of the pictures "
                            "has no transparency)");
        scene->transparent = false;
    }
    return ZT_OK;
}

// ---- Light ------------------------------------------------------------------------------------

static zt_result apply_environment(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    const int32_t light = def->light ? scene_find_light(def->light) : scene->lighting_keys.light;
    const char *image = def->light && light == SCENE_LIGHT_IMAGE ? def->light : def->environment;
    if (def->light && def->environment)
        return zt_fail(err, ZT_ERR_ARGUMENT, "--light and --environment cannot be combined");
    scene->lighting_keys.light = def->environment ? -1 : light;
    return image ? scene_set_environment_image(scene, image, err) : ZT_OK;
}

/// A preset replaces the one of the scene, with the keys of the scene that change presets.
static zt_result apply_lighting(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    if (def->preset) {
        ZT_TRY(
            find_word("preset", ZT_WORDS_PRESET, def->preset, &scene->lighting_keys.preset, err));
        scene->lighting_keys.ground = -1;
        scene->lighting_keys.occlusion = -1;
        scene->lighting_keys.light = -1;
    }
    int32_t look = (int32_t)scene->look, space = (int32_t)scene->planes_space;
    if (def->look)
        ZT_TRY(find_word("look", ZT_WORDS_LOOK, def->look, &look, err));
    if (def->space)
        ZT_TRY(find_word("space", ZT_WORDS_SPACE, def->space, &space, err));
    scene->look = (scene_look)look;
    scene->planes_space = (scene_space)space;
    ZT_TRY(apply_environment(scene, def, err));
    if (def->ground)
        ZT_TRY(
            find_word("ground", ZT_WORDS_GROUND, def->ground, &scene->lighting_keys.ground, err));
    if (def->ground_height && !scene_ground_set_height(scene, def->ground_height))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "the height '%.80s' of the ground (expected auto, rest, shot, or metres)",
                       def->ground_height);
    return scene_light_up(scene, err);
}

// ---- Camera -----------------------------------------------------------------------------------

static zt_result apply_view(zt_scene *scene, const char *view, zt_error *err)
{
    // Azimuth and elevation, in the order of ZT_WORDS_VIEW. As in a three-view drawing, `right`
    // looks from +X, which is on the right in the front view. In `iso` all axes have the same
    // length: the elevation is atan(1 / sqrt 2).
    static const double angles[][2] = {{0.0, 0.0},  {180.0, 0.0}, {270.0, 0.0},
                                       {90.0, 0.0}, {0.0, 90.0},  {45.0, 35.264389682754654}};
    int32_t index = 0;
    ZT_TRY(find_word("view", ZT_WORDS_VIEW, view, &index, err));
    scene->camera.orthographic = strcmp(view, "iso") == 0;
    scene->camera.ortho_height = 0.0;
    return scene_set_orbit(scene, angles[index][0], angles[index][1], err);
}

static zt_result apply_camera_name(zt_scene *scene, const char *name, zt_error *err)
{
    name_list list = {.word = name};
    char hint[600];
    int64_t cameras = 0, index = -1;
    const char *end = name + strlen(name);
    if (number_parse_int64(name, end, &index) != end)
        index = -1;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        for (uint32_t k = 0; k < model->node_count; k++) {
            const model_node *node = &model->nodes[k];
            if (node->camera < 0)
                continue;
            const char *names[2] = {node->name, model->cameras[node->camera].name};
            if (strcmp(names[0], name) == 0 || strcmp(names[1], name) == 0 || cameras == index) {
                scene->camera.kind = SCENE_CAMERA_MODEL;
                scene->camera.instance = (int32_t)i;
                scene->camera.node = (int32_t)k;
                return ZT_OK;
            }
            cameras++;
            name_list_add(&list, names[0]);
            name_list_add(&list, names[1]);
        }
    }
    for (int32_t i = 0; zt_word_at(ZT_WORDS_VIEW, i); i++)
        if (strcmp(zt_word_at(ZT_WORDS_VIEW, i), name) == 0)
            return zt_fail(err, ZT_ERR_ARGUMENT,
                           "no camera '%s' (it is a view: did you mean '--view %s'?)", name, name);
    name_list_hint(&list, "the models have none", hint, sizeof hint);
    return zt_fail(err, ZT_ERR_ARGUMENT, "no camera '%.80s' (%s)", name, hint);
}

static zt_result set_number(zt_scene *scene, double value, track *out, zt_error *err)
{
    if (!is_set(value) || track_constant(&scene->arena, &value, 1, out))
        return ZT_OK;
    return arena_fail(&scene->arena, err, "camera");
}

static zt_result fail_model_camera(const char *what, zt_error *err)
{
    return zt_fail(err, ZT_ERR_ARGUMENT, "%s cannot be combined with a camera of the model", what);
}

/// Where the camera looks, whether in parallel, and whether lights turn with it.
static zt_result apply_aim(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    scene_camera *camera = &scene->camera;
    if (def->look_at && camera->kind == SCENE_CAMERA_MODEL)
        return fail_model_camera("--look-at", err);
    if (def->orthographic && camera->kind == SCENE_CAMERA_MODEL)
        return fail_model_camera("--ortho", err);
    if (def->lights_turn && camera->kind != SCENE_CAMERA_ORBIT)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--lights camera with a camera that is no orbit (expected one, or "
                       "--azimuth)");
    scene->lights_turn = def->lights_turn;
    camera->orthographic = camera->orthographic || def->orthographic;
    if (!def->look_at)
        return ZT_OK;
    camera->target_auto = false;
    return shot_point(scene, "look-at", "a bone or X,Y,Z", def->look_at, &camera->target, err);
}

/// A model that lies flat is seen from further above in its thumbnail.
static zt_result raise_thumbnail_camera(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    arena scratch;
    if (!def->thumbnail || !scene->bare_file || def->camera || def->view || def->up)
        return ZT_OK;
    arena_init(&scratch, &scene->budget_own);
    const bool flat = shot_thumbnail_is_flat(scene->instances[0].model, &scratch);
    arena_finish(&scratch);
    return flat ? set_number(scene, 35.0, &scene->camera.elevation_deg, err) : ZT_OK;
}

static zt_result apply_camera(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    if (def->camera && def->view)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--view cannot be combined with a camera of the model");
    if (def->camera && (is_set(def->azimuth_deg) || is_set(def->elevation_deg)))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "--azimuth and --elevation cannot be combined with a camera of the model");
    if (def->camera && turntable_asked(def))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "a turntable cannot be combined with a camera of the model");
    if (def->camera)
        ZT_TRY(apply_camera_name(scene, def->camera, err));
    if (def->view)
        ZT_TRY(apply_view(scene, def->view, err));
    if (def->up) {
        int32_t axis = 0;
        ZT_TRY(find_word("up axis", ZT_WORDS_UP, def->up, &axis, err));
        scene->up = (model_up)(UP_X + axis);
    }
    // Angles belong to an orbit: any other camera becomes one.
    const bool needs_orbit = is_set(def->azimuth_deg) || is_set(def->elevation_deg) ||
                             turntable_asked(def) || def->directions > 1;
    if (needs_orbit && scene->camera.kind != SCENE_CAMERA_ORBIT)
        ZT_TRY(scene_set_orbit(scene, 0.0, 10.0, err));
    // Frame 0 of a turntable shows the front.
    if (turntable_asked(def) && !is_set(def->azimuth_deg) && !def->view && scene->from_model)
        ZT_TRY(set_number(scene, 0.0, &scene->camera.azimuth_deg, err));
    ZT_TRY(raise_thumbnail_camera(scene, def, err));
    ZT_TRY(set_number(scene, def->azimuth_deg, &scene->camera.azimuth_deg, err));
    ZT_TRY(set_number(scene, def->elevation_deg, &scene->camera.elevation_deg, err));
    ZT_TRY(set_number(scene, def->fov_deg, &scene->camera.fov_deg, err));
    if (scene->camera.kind == SCENE_CAMERA_MODEL && is_set(def->fov_deg)) {
        const message_sink sink = {scene->load.message, scene->load.message_user, false};
        message_warn(&sink, "a camera of a model keeps its own field of view: fov is ignored");
    }
    if (is_set(def->zoom))
        scene->camera.zoom = def->zoom;
    if (is_set(def->margin))
        scene->camera.margin = def->margin;
    scene->directions = def->directions;
    return apply_aim(scene, def, err);
}

// ---- The shot ---------------------------------------------------------------------------------

static zt_result apply_rate(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    if (def->fps_numerator == 0 && def->fps_denominator == 0)
        return ZT_OK;
    char text[32];
    snprintf(text, sizeof text, "%d/%d", def->fps_numerator, def->fps_denominator);
    if (!number_parse_rate(text, &scene->fps_numerator, &scene->fps_denominator))
        return zt_fail(err, ZT_ERR_ARGUMENT, "frame rate %s (expected 1/1000 to 1000)", text);
    return ZT_OK;
}

/// A thumbnail shows one frame, and only this frame decides its framing.
static zt_result keep_one_frame(zt_scene *scene, zt_error *err)
{
    ZT_TRY(frame_list_range(&scene->arena, scene->selected.frame[0], 1, &scene->shot, err));
    scene->selected = scene->shot;
    return ZT_OK;
}

static zt_result apply_shot(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    const bool changes_clip = def->clip || def->fps_numerator || is_set(def->time_s);
    ZT_TRY(apply_rate(scene, def, err));
    if (is_set(def->time_s))
        scene->freeze_time_s = def->time_s;
    if (turntable_asked(def)) {
        ZT_TRY(turntable_apply(scene, def, err));
        ZT_TRY(frame_list_range(&scene->arena, 0, scene->turntable.count, &scene->shot, err));
    } else if (scene->from_model && changes_clip) {
        ZT_TRY(scene_set_clip_shot(scene, err));
    }
    const bool is_long = scene->clip_frames > (double)scene->budget_own.limits->frames;
    if (is_long && !def->thumbnail && !turntable_asked(def))
        return scene_fail_long_clip(scene, err);
    scene->framed_count = 0;
    scene->selected = scene->shot;
    if (def->frames) {
        bool clamped = false;
        ZT_TRY(frame_list_select(&scene->arena, def->frames, &scene->shot, &scene->selected,
                                 &clamped, err));
        if (clamped) {
            const message_sink sink = {scene->load.message, scene->load.message_user, false};
            message_warn(&sink, "frames '%.80s' clamped to the shot (%lld..%lld)", def->frames,
                         (long long)scene->shot.frame[0],
                         (long long)scene->shot.frame[scene->shot.count - 1]);
        }
    }
    return def->thumbnail ? keep_one_frame(scene, err) : ZT_OK;
}

/// A clip that is played from so much before its first key gets a word, seconds of the clip.
#define LATE_S 0.25

/// A scene's time 0 is that of the clip: a clip whose keys begin later shows its first pose before.
/// Members of a crowd share what was `said`.
static void note_late_clip(const zt_scene *scene, const scene_instance *instance,
                           const scene_layer *layer, double last_s, const model_clip **said)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, false};
    if (layer->clip < 0 || layer->sync || scene_layer_goes_back(layer))
        return;
    const model_clip *clip = &instance->model->clips[layer->clip];
    const double start_s = scene_layer_range(layer, clip).start_s;
    const double reached_s = layer->start_s + scene_layer_played(layer, last_s);
    const bool late =
        start_s - layer->start_s > LATE_S || (instance->layer_count == 1 && reached_s <= start_s);
    if (!late || clip == *said || !(start_s < (double)clip->end_s && reached_s > layer->start_s))
        return;
    *said = instance->crowd_offset ? clip : NULL;
    message_warn(&sink,
                 "%s: clip '%.80s' begins at %.9g s of its own, and is played from %.9g s: it "
                 "shows its first pose until then (expected 'start: %.9g' with the clip)",
                 scene->path, clip->name, start_s, layer->start_s, start_s);
}

/// True for a model on a path along which nothing moves it.
static bool stands_on_path(const scene_instance *instance)
{
    bool moves = !instance->path || instance->path->speed.key_count > 0;
    for (uint32_t i = 0; i < instance->layer_count; i++)
        moves |= instance->layers[i].root_motion == SCENE_ROOT_EXTRACT;
    return !moves;
}

/// What stands still in a shot of several frames, though it was meant to move.
static void note_still(const zt_scene *scene)
{
    const message_sink sink = {scene->load.message, scene->load.message_user, false};
    const scene_frames *frames = &scene->selected;
    const scene_path *said = NULL; // members of a crowd share theirs
    const model_clip *late = NULL;
    if (scene->bare_file || frames->count < 2)
        return;
    const double last_s = scene_frame_time(scene, frames->frame[frames->count - 1]).animation_s;
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const scene_instance *instance = &scene->instances[i];
        for (uint32_t k = 0; k < instance->layer_count; k++)
            note_late_clip(scene, instance, &instance->layers[k], last_s, &late);
        if (stands_on_path(instance) && instance->path != said)
            message_warn(&sink,
                         "%s: the model '%.80s' stands still on its path (expected 'speed' with "
                         "the path, or 'root_motion' with a clip)",
                         scene->path,
                         instance->name ? instance->name : path_name(instance->model->path));
        said = instance->path;
    }
}

/// True for a def that sets nothing but frames, which decide no picture. `inputs`: its hash.
static bool only_selects(const zt_scene *scene, uint64_t inputs)
{
    zt_shot_def same = zt_default_shot_def();
    same.directions = scene->directions;
    same.lights_turn = scene->lights_turn;
    return inputs == def_hash(HASH_START, &shot_table, &same, NULL);
}

zt_result zt_scene_apply(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    if (!scene || !def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_scene_apply: no scene, or a def that is not from zt_default_shot_def()");
    // A copy of the instances gets the new layers.
    scene_instance *instances;
    ZT_TRY(ARENA_TAKE(&scene->arena, &instances, scene->instance_count, "scene", err));
    if (scene->instance_count)
        memcpy(instances, scene->instances, scene->instance_count * sizeof *instances);
    const zt_scene before = *scene;
    scene->edit_stamp = job_clock_ns();
    scene->instances = instances;
    scene->instance_capacity = scene->instance_count;
    zt_result result = def_check(&shot_table, def, err);
    if (result == ZT_OK)
        result = scene_apply_clip(scene, instances, def, err);
    if (result == ZT_OK)
        result = apply_film(scene, def, err);
    if (result == ZT_OK)
        result = apply_lighting(scene, def, err);
    if (result == ZT_OK)
        result = apply_camera(scene, def, err);
    if (result == ZT_OK)
        result = shot_apply_blur(scene, def, err);
    if (result == ZT_OK)
        result = apply_shot(scene, def, err);
    if (result == ZT_OK)
        note_still(scene);
    // What the caller sets decides pictures as files do.
    const uint64_t inputs = def_hash(HASH_START, &shot_table, def, NULL);
    if (result == ZT_OK && !only_selects(&before, inputs))
        scene_add_input(scene, &inputs, sizeof inputs);
    if (result != ZT_OK)
        scene_restore(scene, &before);
    return result;
}
