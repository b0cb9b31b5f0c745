// SPDX-License-Identifier: MIT
/// Points, shutter and lens of a zt_shot_def: texts, which readers of scene files check and take.
#include "base/number.h"
#include "scene/scene_follow.h"
#include "scene/scene_names.h"
#include "scene/scene_origin.h"
#include "scene/scene_read.h"
#include "shot/shot.h"

#include <string.h>

/// "X,Y,Z" in the world; false when it is none.
static bool parse_point(const char *text, double out[3])
{
    const char *end = text + strlen(text), *at = text;
    for (int k = 0; k < 3; k++) {
        at = number_parse_double(at, end, &out[k]);
        if (!at || !(out[k] >= -1e9 && out[k] <= 1e9) || *at != (k < 2 ? ',' : '\0'))
            return false;
        at++;
    }
    return true;
}

zt_result shot_point(zt_scene *scene, const char *what, const char *expected, const char *text,
                     scene_point *out, zt_error *err)
{
    name_list list = {.word = text};
    char hint[600];
    double point[3];
    out->follow = NULL;
    if (parse_point(text, point)) {
        scene_from_user(scene, point);
        return track_constant(&scene->arena, point, 3, &out->at)
                   ? ZT_OK
                   : arena_fail(&scene->arena, err, "camera");
    }
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const zt_model *model = scene->instances[i].model;
        const int32_t node = scene_find_node(model, text);
        if (node < 0) {
            for (uint32_t k = 0; k < model->node_count; k++)
                name_list_add(&list, model->nodes[k].name);
            continue;
        }
        scene_follow *follow;
        ZT_TRY(ARENA_TAKE(&scene->arena, &follow, 1, "camera", err));
        *follow = (scene_follow){.instance = (int32_t)i, .node = node};
        out->follow = follow;
        return ZT_OK;
    }
    name_list_hint(&list, "the models have none", hint, sizeof hint);
    return zt_fail(err, ZT_ERR_ARGUMENT, "%s '%.80s': no such bone (%s; %s)", what, text, expected,
                   hint);
}

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
