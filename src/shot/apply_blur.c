// SPDX-License-Identifier: MIT
/// The shutter and the lens of a zt_shot_def, as texts.
#include "base/number.h"
#include "scene/scene_blur.h"
#include "shot/shot.h"

#include <string.h>

static zt_result set_number(zt_scene *scene, double value, track *out, zt_error *err)
{
    return track_constant(&scene->arena, &value, 1, out) ? ZT_OK
                                                         : arena_fail(&scene->arena, err, "lens");
}

/// A number that ends with `unit`.
static bool parse_measure(const char *text, const char *unit, double *out)
{
    const char *end = number_parse_double(text, text + strlen(text), out);
    return end && strcmp(end, unit) == 0;
}

static zt_result apply_shutter(zt_scene *scene, const char *text, zt_error *err)
{
    double open = 0.0;
    const bool seconds = parse_measure(text, "s", &open);
    const double most = seconds ? SHUTTER_SECONDS_MAX : SHUTTER_DEGREES_MAX;
    if (!(seconds || parse_measure(text, "", &open)) || !(open >= 0.0 && open <= most))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "shutter '%.80s' (expected 0 to %g degrees, or 0s to %gs)", text,
                       SHUTTER_DEGREES_MAX, SHUTTER_SECONDS_MAX);
    scene->blur.shutter_seconds = seconds;
    return set_number(scene, open, &scene->blur.shutter, err);
}

static zt_result apply_aperture(zt_scene *scene, const char *text, zt_error *err)
{
    const bool stops = strncmp(text, "f/", 2) == 0;
    double size = 0.0;
    const bool fits = parse_measure(text + (stops ? 2 : 0), "", &size) && size > 0.0 &&
                      size <= (stops ? F_STOP_MAX : APERTURE_MAX) && !(stops && size < F_STOP_MIN);
    if (!fits)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "aperture '%.80s' (expected a radius above 0, to %g metres, or f/%g to "
                       "f/%g)",
                       text, APERTURE_MAX, F_STOP_MIN, F_STOP_MAX);
    scene->blur.aperture_stops = stops;
    return set_number(scene, size, &scene->blur.aperture, err);
}

static zt_result apply_focus(zt_scene *scene, const char *text, zt_error *err)
{
    scene_blur *blur = &scene->blur;
    double distance = 0.0;
    blur->focus = SCENE_FOCUS_AUTO;
    if (strcmp(text, "auto") == 0)
        return ZT_OK;
    if (!parse_measure(text, "", &distance)) {
        blur->focus = SCENE_FOCUS_POINT;
        return shot_point(scene, "focus", "auto, metres, a bone or X,Y,Z", text, &blur->focus_point,
                          err);
    }
    if (!(distance >= FOCUS_MIN && distance <= FOCUS_MAX))
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "focus '%.80s' is behind the eye, or too far (expected metres above 0, to "
                       "%g)",
                       text, FOCUS_MAX);
    blur->focus = SCENE_FOCUS_DISTANCE;
    return set_number(scene, distance, &blur->focus_m, err);
}

static zt_result apply_subframes(zt_scene *scene, const char *text, zt_error *err)
{
    const bool automatic = strcmp(text, "auto") == 0;
    const char *end = text + strlen(text);
    int64_t count = SCENE_SUBFRAMES_AUTO;
    if (!automatic &&
        (number_parse_int64(text, end, &count) != end || count < 1 || count > SCENE_SUBFRAMES_MAX))
        return zt_fail(err, ZT_ERR_ARGUMENT, "subframes '%.80s' (expected 1 to %d, or auto)", text,
                       (int)SCENE_SUBFRAMES_MAX);
    scene->blur.subframes = (int32_t)count;
    return ZT_OK;
}

zt_result shot_apply_blur(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    if (def->shutter)
        ZT_TRY(apply_shutter(scene, def->shutter, err));
    if (def->aperture)
        ZT_TRY(apply_aperture(scene, def->aperture, err));
    if (def->focus)
        ZT_TRY(apply_focus(scene, def->focus, err));
    if (def->subframes)
        ZT_TRY(apply_subframes(scene, def->subframes, err));
    if (def->blades)
        scene->blur.blades = def->blades;
    const int32_t fixed = scene->blur.subframes;
    ZT_TRY(scene_blur_limit(scene, fixed == SCENE_SUBFRAMES_AUTO ? 1 : fixed, err));
    return scene_blur_check(scene, err);
}
