// SPDX-License-Identifier: MIT
/// `output`.
#include "scene/frame_list.h"
#include "scene/scene_build.h"
#include "scene/scene_read.h"

#include <string.h>

static zt_result read_size(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    const int32_t limit = scene->budget_own.limits->picture_side;
    int64_t width = 0, height = 0;
    if (value->kind != DOCUMENT_LIST || value->count != 2)
        return value_wrong(r, value, "a size [width, height] in pixels");
    for (const document_node *side = value->first; side; side = side->next) {
        char location[DOCUMENT_LOCATION_SIZE];
        if (side->kind == DOCUMENT_NUMBER && side->number > limit)
            return zt_fail(r->err, ZT_ERR_LIMIT, "%s: size %.9g (expected 1 to %d a side)",
                           document_location(r->path, side, false, location), side->number, limit);
    }
    ZT_TRY(value_integer(r, value->first, 1, limit, &width));
    ZT_TRY(value_integer(r, value->first->next, 1, limit, &height));
    scene->width = (int32_t)width;
    scene->height = (int32_t)height;
    return ZT_OK;
}

static zt_result read_frames(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    const char *text = NULL;
    ZT_TRY(value_text(r, value, "a list of frames like 0-75", &text));
    zt_error problem = {0};
    const zt_result result = scene_parse_frames(&scene->arena, text, &scene->shot, &problem);
    if (result == ZT_ERR_ARGUMENT)
        return value_fail(r, value, false, "%s", problem.message);
    return result == ZT_OK ? ZT_OK : zt_fail(r->err, result, "%s: %s", r->path, problem.message);
}

static zt_result read_fps(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    const char *text = NULL;
    ZT_TRY(value_text(r, value, "a frame rate like 30 or 30000/1001", &text));
    if (!scene_parse_fps(text, &scene->fps_numerator, &scene->fps_denominator))
        return value_wrong(r, value, "a frame rate above 0 and up to 1000, like 30 or 30000/1001");
    return ZT_OK;
}

static zt_result read_samples(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    int64_t samples = 0;
    if (value_integer(r, value, 1, 16, &samples) != ZT_OK || !scene_samples_valid(samples))
        return value_wrong(r, value, "1, 2, 4, 8 or 16 samples");
    scene->samples = (int32_t)samples;
    return ZT_OK;
}

static zt_result read_supersample(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    int64_t factor = 0;
    if (value_integer(r, value, 1, 4, &factor) != ZT_OK || !scene_supersample_valid(factor))
        return value_wrong(r, value, "1, 2 or 4");
    scene->supersample = (int32_t)factor;
    return ZT_OK;
}

static zt_result read_anisotropy(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    int64_t taps = 0;
    if (value_integer(r, value, 1, 16, &taps) != ZT_OK || !scene_samples_valid(taps))
        return value_wrong(r, value, "1, 2, 4, 8 or 16 taps");
    scene->anisotropy = (int32_t)taps;
    return ZT_OK;
}

static zt_result read_background(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    const bool is_text = value->kind == DOCUMENT_STRING;
    scene->transparent = is_text && strcmp(value->text, "transparent") == 0;
    scene->background_environment = is_text && strcmp(value->text, "environment") == 0;
    if (scene->transparent || scene->background_environment)
        return ZT_OK;
    double color[3];
    ZT_TRY(value_color(r, value, color));
    for (int i = 0; i < 3; i++)
        scene->background[i] = (float)color[i];
    return ZT_OK;
}

static zt_result read_tone_map(document_reader *r, const document_node *value, void *target)
{
    return value_word(r, value, ZT_WORDS_TONE_MAP, &((zt_scene *)target)->lighting_keys.tone_map);
}

static zt_result read_look(document_reader *r, const document_node *value, void *target)
{
    int32_t choice = 0;
    ZT_TRY(value_word(r, value, ZT_WORDS_LOOK, &choice));
    ((zt_scene *)target)->look = (scene_look)choice;
    return ZT_OK;
}

zt_result scene_read_output(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("size", KEY_OPTIONAL, read_size),
        KEY_READ("frames", KEY_OPTIONAL, read_frames),
        KEY_READ("fps", KEY_OPTIONAL, read_fps),
        KEY_READ("samples", KEY_OPTIONAL, read_samples),
        KEY_READ("supersample", KEY_OPTIONAL, read_supersample),
        KEY_READ("anisotropy", KEY_OPTIONAL, read_anisotropy),
        KEY_READ("background", KEY_OPTIONAL, read_background),
        KEY_READ("tone_map", KEY_OPTIONAL, read_tone_map),
        KEY_READ("look", KEY_OPTIONAL, read_look),
        KEY_NUMBER("exposure", KEY_OPTIONAL, zt_scene, exposure_ev, -32.0, 32.0),
    };
    return value_map(r, value, "output", keys, COUNT_OF(keys), target);
}
