// SPDX-License-Identifier: MIT
/// Shutter and sub-frames of `output`, the lens of `camera`, and what a scene may ask of them.
#include "scene/scene_read.h"

#include <string.h>

/// True for a map that has no keys of a track.
static bool is_plain_map(const document_node *value)
{
    return value->kind == DOCUMENT_MAP && !document_member(value, "keys");
}

/// A whole number from `min` to `max`; `zero` stands for 0.
static zt_result read_count(document_reader *r, const document_node *value, const char *zero,
                            int64_t min, int64_t max, int32_t *out)
{
    int64_t count = 0;
    if (strcmp(value->text, zero) != 0)
        ZT_TRY(value_integer(r, value, min, max, &count));
    *out = (int32_t)count;
    return ZT_OK;
}

typedef struct shutter_keys {
    track angle, seconds;
    double phase;
} shutter_keys;

zt_result scene_read_shutter(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_TRACK("angle", KEY_OPTIONAL, shutter_keys, angle, TRACK_NUMBER, 0, 360),
        KEY_TRACK("seconds", KEY_OPTIONAL, shutter_keys, seconds, TRACK_NUMBER, 0, 3600),
        KEY_NUMBER("phase", KEY_OPTIONAL, shutter_keys, phase, -0.5, 0.5),
    };
    scene_blur *blur = target;
    shutter_keys read = {.phase = blur->shutter_phase};
    if (is_plain_map(value))
        ZT_TRY(value_map(r, value, "shutter", keys, COUNT_OF(keys), &read));
    else
        ZT_TRY(value_track(r, value, TRACK_NUMBER, 0, 360, &read.angle));
    blur->shutter_seconds = read.seconds.key_count > 0;
    blur->shutter = blur->shutter_seconds ? read.seconds : read.angle;
    blur->shutter_phase = read.phase;
    return blur->shutter_seconds != (read.angle.key_count > 0)
               ? ZT_OK
               : value_fail(r, value, false, "a shutter with both or none of angle and seconds");
}

zt_result scene_read_subframes(document_reader *r, const document_node *value, void *target)
{
    return read_count(r, value, "auto", 1, SCENE_SUBFRAMES_MAX, target);
}

zt_result scene_read_aperture(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_TRACK("f_stop", KEY_REQUIRED, scene_blur, aperture, TRACK_NUMBER, 0.1, 1e4),
        KEY_NUMBER("sensor", KEY_OPTIONAL, scene_blur, sensor_m, 1e-4, 10.0),
    };
    scene_blur *blur = target;
    blur->aperture_stops = is_plain_map(value);
    if (blur->aperture_stops)
        return value_map(r, value, "aperture", keys, COUNT_OF(keys), blur);
    if (value->kind == DOCUMENT_NUMBER && !(value->number > 0.0))
        return value_wrong(r, value, "a radius above 0, in metres");
    return value_track(r, value, TRACK_NUMBER, 0.0, 1000.0, &blur->aperture);
}

/// True for three numbers, keys of them, and a place that a model carries.
static bool is_point(const document_node *value)
{
    const document_node *keys = document_member(value, "keys");
    const document_node *first = keys ? keys->first : value->first;
    if (is_plain_map(value))
        return document_member(value, "model") || document_member(value, "bone");
    if (!first || first->kind != DOCUMENT_LIST)
        return first != NULL;
    return first->count > 1 && first->first->next->kind == DOCUMENT_LIST;
}

zt_result scene_read_focus(document_reader *r, const document_node *value, void *target)
{
    scene_blur *blur = target;
    blur->focus = document_is(value, "auto") ? SCENE_FOCUS_AUTO
                  : is_point(value)          ? SCENE_FOCUS_POINT
                                             : SCENE_FOCUS_DISTANCE;
    if (blur->focus == SCENE_FOCUS_AUTO)
        return ZT_OK;
    if (blur->focus == SCENE_FOCUS_POINT)
        return scene_read_point(r, value, &blur->focus_point);
    if (value->kind == DOCUMENT_NUMBER && !(value->number > 0.0))
        return value_wrong(r, value, "metres above 0: what is nearer is behind the eye");
    return value_track(r, value, TRACK_NUMBER, 1e-6, 1e9, &blur->focus_m);
}

static zt_result read_blade_count(document_reader *r, const document_node *value, void *target)
{
    return read_count(r, value, "0", 3, 32, target);
}

zt_result scene_read_blades(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("count", KEY_REQUIRED, read_blade_count, scene_blur, blades),
        KEY_NUMBER("turn", KEY_OPTIONAL, scene_blur, blades_turn_deg, -1e6, 1e6),
    };
    return value->kind == DOCUMENT_MAP
               ? value_map(r, value, "blades", keys, COUNT_OF(keys), target)
               : read_blade_count(r, value, &((scene_blur *)target)->blades);
}

zt_result scene_blur_check(const zt_scene *scene, zt_error *err)
{
    const scene_camera *camera = &scene->camera;
    bool parallel = camera->orthographic;
    if (camera->kind == SCENE_CAMERA_MODEL) {
        const zt_model *model = scene->instances[camera->instance].model;
        parallel = model->cameras[model->nodes[camera->node].camera].orthographic;
    }
    if (!parallel || scene->blur.aperture.key_count == 0)
        return ZT_OK;
    return zt_fail(err, ZT_ERR_ARGUMENT,
                   "an aperture with an orthographic camera (expected perspective)");
}

int32_t scene_blur_subframes_max(const zt_scene *scene)
{
    const int32_t each = scene->supersample * scene->supersample * scene->samples;
    return scene->budget_own.limits->samples / each;
}

zt_result scene_blur_limit(const zt_scene *scene, int32_t subframes, zt_error *err)
{
    if (subframes <= scene_blur_subframes_max(scene))
        return ZT_OK;
    return zt_fail(err, ZT_ERR_LIMIT,
                   "%d sub-frames x supersample %d squared x %d samples (limit %d of a pixel)",
                   (int)subframes, (int)scene->supersample, (int)scene->samples,
                   (int)scene->budget_own.limits->samples);
}
