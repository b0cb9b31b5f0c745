// SPDX-License-Identifier: MIT
/// The shutter and the lens of a zt_shot_def: texts that the readers of scene files check and take.
#include "base/number.h"
#include "scene/scene_read.h"
#include "shot/shot.h"

#include <string.h>

/// Reads a text as the value of a key; f/2.8 and 0.02s are maps of one number.
static zt_result read_text(zt_scene *scene, const char *flag, const char *text, value_fn read,
                           void *target, zt_error *err)
{
    zt_error problem = {0};
    scene_reading reading = {.scene = scene};
    document_reader r = {.path = flag,
                         .keep = &scene->arena,
                         .scratch = &scene->arena,
                         .user = &reading,
                         .err = &problem};
    document_node value = {.kind = DOCUMENT_STRING, .text = text};
    document_node map = {.kind = DOCUMENT_MAP, .text = "", .first = &value, .count = 1};
    const size_t length = strlen(text);
    const bool stops = strncmp(text, "f/", 2) == 0, seconds = length > 0 && text[length - 1] == 's';
    const char *end = text + length - seconds;
    if (number_parse_double(text + (stops ? 2 : 0), end, &value.number) == end)
        value.kind = DOCUMENT_NUMBER;
    value.key = stops ? "f_stop" : seconds ? "seconds" : NULL;
    value.parent = value.key ? &map : NULL;
    const zt_result result = read(&r, value.key ? &map : &value, target);
    if (result != ZT_ERR_FORMAT)
        return result == ZT_OK ? ZT_OK : zt_fail(err, result, "%s", problem.message);
    return zt_fail(err, ZT_ERR_ARGUMENT, "%s: %s", flag, strchr(problem.message, ' ') + 1);
}

zt_result shot_apply_blur(zt_scene *scene, const zt_shot_def *def, zt_error *err)
{
    scene_blur *blur = &scene->blur;
    const char *focus = def->focus ? def->focus : "", *end = focus + strlen(focus);
    double distance;
    if (def->shutter)
        ZT_TRY(read_text(scene, "--shutter", def->shutter, scene_read_shutter, blur, err));
    if (def->aperture)
        ZT_TRY(read_text(scene, "--aperture", def->aperture, scene_read_aperture, blur, err));
    if (strcmp(focus, "auto") == 0 || number_parse_double(focus, end, &distance) == end) {
        ZT_TRY(read_text(scene, "--focus", focus, scene_read_focus, blur, err));
    } else if (def->focus) {
        blur->focus = SCENE_FOCUS_POINT;
        ZT_TRY(shot_point(scene, "focus", "auto, metres, a bone or X,Y,Z", focus,
                          &blur->focus_point, err));
    }
    if (def->blades)
        blur->blades = def->blades;
    if (def->subframes)
        ZT_TRY(read_text(scene, "--subframes", def->subframes, scene_read_subframes,
                         &blur->subframes, err));
    ZT_TRY(scene_blur_limit(scene, blur->subframes > 0 ? blur->subframes : 1, err));
    return scene_blur_check(scene, err);
}
