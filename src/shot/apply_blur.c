// SPDX-License-Identifier: MIT
/// The shutter and the lens of a zt_shot_def: texts that the readers of scene files check and take.
#include "base/number.h"
#include "scene/scene_read.h"
#include "shot/shot.h"

#include <string.h>

static bool is_number(const char *text, double *out)
{
    const char *end = text + strlen(text);
    return number_parse_double(text, end, out) == end;
}

/// Reads a text as the value of a key, or as the member `unit` of a map.
static zt_result read_text(zt_scene *scene, const char *flag, const char *text, const char *unit,
                           value_fn read, void *target, zt_error *err)
{
    zt_error problem = {0};
    scene_reading reading = {.scene = scene};
    document_reader r = {
        .path = flag, .keep = &scene->arena, .scratch = &scene->arena, .user = &reading};
    document_node value = {.kind = DOCUMENT_STRING, .text = text, .key = unit};
    document_node map = {.kind = DOCUMENT_MAP, .text = "", .first = &value, .count = 1};
    r.err = &problem;
    if (is_number(text, &value.number))
        value.kind = DOCUMENT_NUMBER;
    value.parent = unit ? &map : NULL;
    const zt_result result = read(&r, unit ? &map : &value, target);
    if (result != ZT_ERR_FORMAT)
        return result == ZT_OK ? ZT_OK : zt_fail(err, result, "%s", problem.message);
    return zt_fail(err, ZT_ERR_ARGUMENT, "%s: %s", flag, strchr(problem.message, ' ') + 1);
}

static zt_result apply_shutter(zt_scene *scene, const char *text, zt_error *err)
{
    const size_t length = strlen(text);
    const bool seconds = length > 0 && text[length - 1] == 's';
    const char *number = arena_text(&scene->arena, text, length - seconds);
    if (!number)
        return arena_fail(&scene->arena, err, "shutter");
    return read_text(scene, "--shutter", number, seconds ? "seconds" : NULL, scene_read_shutter,
                     &scene->blur, err);
}

zt_result shot_apply_blur(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    scene_blur *blur = &scene->blur;
    const char *aperture = def->aperture, *focus = def->focus;
    const bool stops = aperture && strncmp(aperture, "f/", 2) == 0;
    double distance;
    if (def->shutter)
        ZT_TRY(apply_shutter(scene, def->shutter, err));
    if (aperture)
        ZT_TRY(read_text(scene, "--aperture", aperture + (stops ? 2 : 0), stops ? "f_stop" : NULL,
                         scene_read_aperture, blur, err));
    if (focus && (strcmp(focus, "auto") == 0 || is_number(focus, &distance))) {
        ZT_TRY(read_text(scene, "--focus", focus, NULL, scene_read_focus, blur, err));
    } else if (focus) {
        blur->focus = SCENE_FOCUS_POINT;
        ZT_TRY(shot_point(scene, "focus", "auto, metres, a bone or X,Y,Z", focus,
                          &blur->focus_point, err));
    }
    if (def->blades)
        blur->blades = def->blades;
    if (def->subframes)
        ZT_TRY(read_text(scene, "--subframes", def->subframes, NULL, scene_read_subframes,
                         &blur->subframes, err));
    ZT_TRY(scene_blur_limit(scene, blur->subframes > 0 ? blur->subframes : 1, err));
    return scene_blur_check(scene, err);
}
