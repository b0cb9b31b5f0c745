// SPDX-License-Identifier: MIT
/// `ambient_occlusion`.
#include "scene/scene_read.h"

static zt_result read_occlusion_radius(document_reader *r, const document_node *value, void *target)
{
    scene_occlusion *occlusion = target;
    if (document_is(value, "auto"))
        occlusion->radius_m = 0.0;
    else if (value->kind != DOCUMENT_NUMBER)
        return value_wrong(r, value, "auto, or a radius in metres");
    else
        return value_number(r, value, 1e-6, 1e6, &occlusion->radius_m);
    return ZT_OK;
}

zt_result scene_read_occlusion(document_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        KEY_READ("radius", KEY_OPTIONAL, read_occlusion_radius),
        KEY_NUMBER("intensity", KEY_OPTIONAL, scene_occlusion, intensity, 0.0, 4.0),
    };
    static const char *const words[] = {"none", "auto"};
    zt_scene *scene = target;
    scene->lighting_keys.occlusion = 1;
    if (value->kind == DOCUMENT_MAP)
        return value_map(r, value, "ambient_occlusion", keys, COUNT_OF(keys), &scene->occlusion);
    if (value->kind != DOCUMENT_STRING)
        return value_wrong(r, value, "none, auto, or a map with radius and intensity");
    return value_choice(r, value, words, COUNT_OF(words), &scene->lighting_keys.occlusion);
}
