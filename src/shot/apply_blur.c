// SPDX-License-Identifier: MIT
/// The shutter and the lens of a zt_shot_def, as texts.
#include "base/number.h"
#include "scene/scene_blur.h"
#include "shot/shot.h"

#include <string.h>

/// A number from `min` to `max` with nothing but `unit` after it.
static bool is_measure(const char *text, const char *unit, double min, double max, double *out)
{
    const char *end = number_parse_double(text, text + strlen(text), out);
    return end && strcmp(end, unit) == 0 && *out >= min && *out <= max;
}

/// Sets a constant, or says what was `expected` of the text.
static zt_result set(zt_scene *scene, bool fits, double value, track *out, const char *what,
                     const char *text, const char *expected, zt_error *err)
{
    if (!fits)
        return zt_fail(err, ZT_ERR_ARGUMENT, "%s '%.80s' (expected %s)", what, text, expected);
    return track_constant(&scene->arena, &value, 1, out) ? ZT_OK
                                                         : arena_fail(&scene->arena, err, what);
}

static zt_result apply_shutter(zt_scene *scene, const char *text, zt_error *err)
{
    double open = 0.0;
    const bool degrees = is_measure(text, "", 0.0, SHUTTER_DEGREES_MAX, &open);
    scene->blur.shutter_seconds = !degrees;
    return set(scene, degrees || is_measure(text, "s", 0.0, SHUTTER_SECONDS_MAX, &open), open,
               &scene->blur.shutter, "shutter", text, "0 to 360 degrees, or 0s to 3600s", err);
}

static zt_result apply_aperture(zt_scene *scene, const char *text, zt_error *err)
{
    double size = 0.0;
    const bool stops = strncmp(text, "f/", 2) == 0;
    const bool fits = stops ? is_measure(text + 2, "", F_STOP_MIN, F_STOP_MAX, &size)
                            : is_measure(text, "", 0.0, APERTURE_MAX, &size) && size > 0.0;
    scene->blur.aperture_stops = stops;
    return set(scene, fits, size, &scene->blur.aperture, "aperture", text,
               "a radius above 0, to 1000 metres, or f/0.1 to f/10000", err);
}

static zt_result apply_focus(zt_scene *scene, const char *text, zt_error *err)
{
    scene_blur *blur = &scene->blur;
    double distance = 0.0;
    const bool is_auto = strcmp(text, "auto") == 0;
    blur->focus = is_auto ? SCENE_FOCUS_AUTO : SCENE_FOCUS_DISTANCE;
    if (is_auto)
        return ZT_OK;
    const bool fits = is_measure(text, "", FOCUS_MIN, FOCUS_MAX, &distance);
    if (fits || is_measure(text, "", -1e300, 1e300, &distance))
        return set(scene, fits, distance, &blur->focus_m, "focus", text,
                   "metres above 0: what is nearer is behind the eye", err);
    blur->focus = SCENE_FOCUS_POINT;
    return shot_point(scene, "focus", "auto, metres, a bone or X,Y,Z", text, &blur->focus_point,
                      err);
}

zt_result shot_apply_blur(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    int32_t *subframes = &scene->blur.subframes;
    const char *count = def->subframes;
    double number = SCENE_SUBFRAMES_AUTO;
    if (def->shutter)
        ZT_TRY(apply_shutter(scene, def->shutter, err));
    if (def->aperture)
        ZT_TRY(apply_aperture(scene, def->aperture, err));
    if (def->focus)
        ZT_TRY(apply_focus(scene, def->focus, err));
    if (def->blades)
        scene->blur.blades = def->blades;
    if (count && strcmp(count, "auto") != 0 &&
        (!is_measure(count, "", 1.0, SCENE_SUBFRAMES_MAX, &number) ||
         number != (double)(int32_t)number))
        return zt_fail(err, ZT_ERR_ARGUMENT, "subframes '%.80s' (expected 1 to 4096, or auto)",
                       count);
    if (count)
        *subframes = (int32_t)number;
    ZT_TRY(scene_blur_limit(scene, *subframes == SCENE_SUBFRAMES_AUTO ? 1 : *subframes, err));
    return scene_blur_check(scene, err);
}
