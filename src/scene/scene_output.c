// SPDX-License-Identifier: MIT
/// `output`.
#include "document/picture_value.h"
#include "image/picture_planes.h"
#include "scene/frame_list.h"
#include "scene/scene_read.h"

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

static zt_result read_background(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    scene->transparent = document_is(value, "transparent");
    scene->background_environment = document_is(value, "environment");
    if (scene->transparent || scene->background_environment)
        return ZT_OK;
    double color[3];
    ZT_TRY(value_color(r, value, color));
    for (int i = 0; i < 3; i++)
        scene->background[i] = (float)color[i];
    return ZT_OK;
}

static zt_result read_planes(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    ZT_TRY(value_list(r, value, 1, PLANE_COUNT, "names of planes like [color, depth]"));
    for (const document_node *item = value->first; item; item = item->next) {
        const char *name;
        zt_error problem = {0};
        ZT_TRY(value_text(r, item, "the name of a plane", &name));
        if (picture_planes_add(&scene->planes, name, &problem) != ZT_OK)
            return value_fail(r, item, false, "%s", problem.message);
    }
    return ZT_OK;
}

zt_result scene_read_output(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ_INTO("size", KEY_OPTIONAL, value_size, zt_scene, width),
        KEY_READ("frames", KEY_OPTIONAL, read_frames),
        KEY_READ_INTO("fps", KEY_OPTIONAL, value_rate, zt_scene, fps_numerator),
        KEY_READ_INTO("samples", KEY_OPTIONAL, value_step, zt_scene, samples),
        KEY_READ_INTO("supersample", KEY_OPTIONAL, value_step, zt_scene, supersample),
        KEY_READ_INTO("anisotropy", KEY_OPTIONAL, value_step, zt_scene, anisotropy),
        KEY_WORD("quality", KEY_OPTIONAL, zt_scene, quality, ZT_WORDS_QUALITY),
        KEY_READ_INTO("light_samples", KEY_OPTIONAL, value_step, zt_scene, light_samples),
        KEY_READ_INTO("shutter", KEY_OPTIONAL, scene_read_shutter, zt_scene, blur),
        KEY_READ_INTO("subframes", KEY_OPTIONAL, scene_read_subframes, zt_scene, blur.subframes),
        KEY_READ("background", KEY_OPTIONAL, read_background),
        KEY_WORD("tone_map", KEY_OPTIONAL, zt_scene, lighting_keys.tone_map, ZT_WORDS_TONE_MAP),
        KEY_WORD("look", KEY_OPTIONAL, zt_scene, look, ZT_WORDS_LOOK),
        KEY_WORD("space", KEY_OPTIONAL, zt_scene, planes_space, ZT_WORDS_SPACE),
        KEY_READ("planes", KEY_OPTIONAL, read_planes),
        KEY_NUMBER("exposure", KEY_OPTIONAL, zt_scene, exposure_ev, -32.0, 32.0),
    };
    return value_map(r, value, "output", keys, COUNT_OF(keys), target);
}
