// SPDX-License-Identifier: MIT
/// `lights`: a list of directional, point and spot lights.
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

static zt_result read_direction(scene_reader *r, const document_node *value, void *target)
{
    scene_light *light = target;
    ZT_TRY(value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &light->direction));
    for (uint32_t i = 0; i < light->direction.key_count; i++) {
        const double *v = light->direction.value + (size_t)i * 3;
        if (!(v[0] * v[0] + v[1] * v[1] + v[2] * v[2] > 1e-18))
            return value_fail(r, value, false, "a direction of length 0 (expected a direction)");
    }
    return ZT_OK;
}

static zt_result read_position(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_VECTOR, -1e9, 1e9, &((scene_light *)target)->position);
}

static zt_result read_color(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_COLOR, 0.0, 1e6, &((scene_light *)target)->color);
}

static zt_result read_intensity(scene_reader *r, const document_node *value, void *target)
{
    return value_track(r, value, TRACK_NUMBER, 0.0, 1e9, &((scene_light *)target)->intensity);
}

static zt_result read_range(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 1e-6, 1e9, &((scene_light *)target)->range_m);
}

static zt_result read_inner(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 89.0, &((scene_light *)target)->inner_deg);
}

static zt_result read_outer(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.1, 90.0, &((scene_light *)target)->outer_deg);
}

static zt_result read_directional(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"direction", read_direction, KEY_REQUIRED},
        {"color",     read_color,     KEY_OPTIONAL},
        {"lux",       read_intensity, KEY_OPTIONAL},
        {"shadow",    NULL,           KEY_LATER   },
    };
    ((scene_light *)target)->kind = MODEL_LIGHT_DIRECTIONAL;
    return value_map(r, value, "directional light", keys, COUNT_OF(keys), target);
}

static zt_result read_point(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"position", read_position,  KEY_REQUIRED},
        {"color",    read_color,     KEY_OPTIONAL},
        {"candela",  read_intensity, KEY_OPTIONAL},
        {"range",    read_range,     KEY_OPTIONAL},
        {"shadow",   NULL,           KEY_LATER   },
    };
    ((scene_light *)target)->kind = MODEL_LIGHT_POINT;
    return value_map(r, value, "point light", keys, COUNT_OF(keys), target);
}

static zt_result read_spot(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"position",  read_position,  KEY_REQUIRED},
        {"direction", read_direction, KEY_REQUIRED},
        {"color",     read_color,     KEY_OPTIONAL},
        {"candela",   read_intensity, KEY_OPTIONAL},
        {"range",     read_range,     KEY_OPTIONAL},
        {"inner",     read_inner,     KEY_OPTIONAL},
        {"outer",     read_outer,     KEY_OPTIONAL},
        {"shadow",    NULL,           KEY_LATER   },
    };
    scene_light *light = target;
    light->kind = MODEL_LIGHT_SPOT;
    ZT_TRY(value_map(r, value, "spot light", keys, COUNT_OF(keys), target));
    if (!(light->inner_deg < light->outer_deg))
        return value_fail(r, value, false,
                          "a spot whose inner angle is not below its outer angle "
                          "(%.9g and %.9g degrees)",
                          light->inner_deg, light->outer_deg);
    return ZT_OK;
}

zt_result scene_read_lights(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"directional", read_directional, KEY_OPTIONAL},
        {"point",       read_point,       KEY_OPTIONAL},
        {"spot",        read_spot,        KEY_OPTIONAL},
    };
    zt_scene *scene = target;
    if (value->kind != DOCUMENT_LIST)
        return value_wrong(r, value, "a list of lights");
    if (value->count > SCENE_LIGHT_LIMIT)
        return value_fail(r, value, false, "%u lights (at most %d)", value->count,
                          (int)SCENE_LIGHT_LIMIT);
    scene->lights = ARENA_ARRAY(&scene->arena, scene_light, value->count);
    if (!scene->lights)
        return arena_fail(&scene->arena, r->err, "scene");
    const double white[3] = {1.0, 1.0, 1.0}, down[3] = {0.0, -1.0, 0.0}, zero[3] = {0.0, 0.0, 0.0};
    const double pi = 3.14159265358979323846; // a white surface facing a light of pi lux shows 1
    scene_light plain = {.instance = -1, .node = -1, .inner_deg = 0.0, .outer_deg = 45.0};
    ZT_TRY(value_constant(r, 3, white, &plain.color));
    ZT_TRY(value_constant(r, 1, &pi, &plain.intensity));
    ZT_TRY(value_constant(r, 3, zero, &plain.position));
    ZT_TRY(value_constant(r, 3, down, &plain.direction));
    for (const document_node *node = value->first; node; node = node->next) {
        scene_light *light = &scene->lights[scene->light_count];
        *light = plain;
        if (node->kind == DOCUMENT_MAP && node->count != 1)
            return value_fail(r, node, false,
                              "a light of %u kinds (expected one of directional, "
                              "point, spot)",
                              node->count);
        ZT_TRY(value_map(r, node, "light", keys, COUNT_OF(keys), light));
        scene->light_count++;
    }
    return ZT_OK;
}
