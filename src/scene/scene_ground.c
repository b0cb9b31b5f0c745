// SPDX-License-Identifier: MIT
/// `ground`.
#include "base/number.h"
#include "scene/scene_read.h"

#include <string.h>

/// In the order of scene_ground_height.
static const char *const heights[] = {"auto", "rest", "shot"};

static const double height_limit = 1e9; ///< metres

bool scene_ground_set_height(zt_scene *scene, const char *text)
{
    for (size_t i = 0; i < COUNT_OF(heights); i++)
        if (strcmp(text, heights[i]) == 0) {
            scene->ground_height = (scene_ground_height)i;
            return true;
        }
    double height_m;
    const char *end = text + strlen(text);
    if (number_parse_double(text, end, &height_m) != end || !(height_m >= -height_limit) ||
        !(height_m <= height_limit))
        return false;
    scene->ground_height = SCENE_GROUND_METRES;
    scene->ground_m = height_m;
    return true;
}

static zt_result read_height(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    if (value->kind == DOCUMENT_STRING && scene_ground_set_height(scene, value->text))
        return ZT_OK;
    if (value->kind != DOCUMENT_NUMBER)
        return value_wrong(r, value, "auto, rest, shot, or a height in metres");
    scene->ground_height = SCENE_GROUND_METRES;
    return value_number(r, value, -height_limit, height_limit, &scene->ground_m);
}

zt_result scene_read_ground(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_WORD("kind", KEY_OPTIONAL, zt_scene, lighting_keys.ground, ZT_WORDS_GROUND),
        KEY_READ("height", KEY_OPTIONAL, read_height),
    };
    zt_scene *scene = target;
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "ground", keys, COUNT_OF(keys), scene);
    return value_word(r, value, ZT_WORDS_GROUND, &scene->lighting_keys.ground);
}
