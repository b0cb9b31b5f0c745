// SPDX-License-Identifier: MIT
/// `output` and `environment`: size, frames, rate, samples, background, tone map, exposure;
/// ambient.
#include "base/number.h"
#include "scene/scene_parts.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

bool scene_parse_fps(const char *text, int32_t *out_numerator, int32_t *out_denominator)
{
    const char *end = text + strlen(text);
    const char *slash = strchr(text, '/');
    int64_t numerator = 0, denominator = 1;
    if (slash) {
        if (number_parse_int64(text, slash, &numerator) != slash ||
            number_parse_int64(slash + 1, end, &denominator) != end)
            return false;
    } else if (number_parse_int64(text, end, &numerator) != end) {
        // A decimal becomes millionths: 23.976 is 23976000/1000000, exactly as written.
        double rate = 0.0;
        if (number_parse_double(text, end, &rate) != end || !(rate > 0.0 && rate <= 1000.0))
            return false;
        numerator = (int64_t)(rate * 1000000.0 + 0.5);
        denominator = 1000000;
    }
    if (numerator < 1 || denominator < 1 || numerator > 1000000000 || denominator > 1000000000)
        return false;
    int64_t a = numerator, b = denominator;
    while (b != 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    numerator /= a;
    denominator /= a;
    *out_numerator = (int32_t)numerator;
    *out_denominator = (int32_t)denominator;
    return numerator <= 1000 * denominator && numerator * 1000 >= denominator;
}

static zt_result read_size(scene_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    int64_t width = 0, height = 0;
    if (value->kind != DOCUMENT_LIST || value->count != 2)
        return value_wrong(r, value, "a size [width, height] in pixels");
    for (const document_node *side = value->first; side; side = side->next) {
        char place[DOCUMENT_LOCATION_SIZE];
        if (side->kind == DOCUMENT_NUMBER && side->number > PICTURE_SIDE_LIMIT)
            return zt_fail(r->err, ZT_ERR_LIMIT, "%s: size %.9g (expected 1 to %d a side)",
                           document_location(r->path, side, false, place), side->number,
                           PICTURE_SIDE_LIMIT);
    }
    ZT_TRY(value_integer(r, value->first, 1, PICTURE_SIDE_LIMIT, &width));
    ZT_TRY(value_integer(r, value->first->next, 1, PICTURE_SIDE_LIMIT, &height));
    scene->width = (int32_t)width;
    scene->height = (int32_t)height;
    return ZT_OK;
}

static zt_result read_frames(scene_reader *r, const document_node *value, void *target)
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

static zt_result read_fps(scene_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    const char *text = NULL;
    ZT_TRY(value_text(r, value, "a frame rate like 30 or 30000/1001", &text));
    if (!scene_parse_fps(text, &scene->fps_numerator, &scene->fps_denominator))
        return value_wrong(r, value, "a frame rate above 0 and up to 1000, like 30 or 30000/1001");
    return ZT_OK;
}

static zt_result read_samples(scene_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    int64_t samples = 0;
    if (value_integer(r, value, 1, 16, &samples) != ZT_OK || (samples & (samples - 1)) != 0)
        return value_wrong(r, value, "1, 2, 4, 8 or 16 samples");
    scene->samples = (int32_t)samples;
    return ZT_OK;
}

static zt_result read_background(scene_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    if (value->kind == DOCUMENT_STRING && strcmp(value->text, "transparent") == 0) {
        scene->transparent = true;
        return ZT_OK;
    }
    if (value->kind == DOCUMENT_STRING && strcmp(value->text, "environment") == 0)
        return value_fail(r, value, false, "the background 'environment' is not yet supported");
    double color[3];
    ZT_TRY(value_color(r, value, color));
    for (int i = 0; i < 3; i++)
        scene->background[i] = (float)color[i];
    scene->transparent = false;
    return ZT_OK;
}

static zt_result read_tone_map(scene_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    static const char *const names[] = {"neutral", "aces", "linear"};
    int32_t choice = 0;
    if (value->kind == DOCUMENT_STRING && strcmp(value->text, "agx") == 0)
        return value_fail(r, value, false, "the tone map 'agx' is not yet supported");
    ZT_TRY(value_choice(r, value, names, COUNT_OF(names), &choice));
    scene->tone_map = (zt_tone_map)choice;
    return ZT_OK;
}

static zt_result read_exposure(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, -32.0, 32.0, &((zt_scene *)target)->exposure_ev);
}

zt_result scene_read_output(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"size",       read_size,       KEY_OPTIONAL},
        {"frames",     read_frames,     KEY_OPTIONAL},
        {"fps",        read_fps,        KEY_OPTIONAL},
        {"samples",    read_samples,    KEY_OPTIONAL},
        {"background", read_background, KEY_OPTIONAL},
        {"tone_map",   read_tone_map,   KEY_OPTIONAL},
        {"exposure",   read_exposure,   KEY_OPTIONAL},
    };
    return value_map(r, value, "output", keys, COUNT_OF(keys), target);
}

// ---- Environment
// ----------------------------------------------------------------------------------

typedef struct ambient_values {
    double sky[3], ground[3], intensity;
    bool has_color, has_sky, has_ground;
} ambient_values;

static zt_result read_color(scene_reader *r, const document_node *value, void *target)
{
    ambient_values *ambient = target;
    ambient->has_color = true;
    ZT_TRY(value_color(r, value, ambient->sky));
    memcpy(ambient->ground, ambient->sky, sizeof ambient->ground);
    return ZT_OK;
}

static zt_result read_sky(scene_reader *r, const document_node *value, void *target)
{
    ambient_values *ambient = target;
    ambient->has_sky = true;
    return value_color(r, value, ambient->sky);
}

static zt_result read_ground(scene_reader *r, const document_node *value, void *target)
{
    ambient_values *ambient = target;
    ambient->has_ground = true;
    return value_color(r, value, ambient->ground);
}

static zt_result read_intensity(scene_reader *r, const document_node *value, void *target)
{
    return value_number(r, value, 0.0, 1e6, &((ambient_values *)target)->intensity);
}

zt_result scene_read_environment(scene_reader *r, const document_node *value, void *target)
{
    static const map_key keys[] = {
        {"color",     read_color,     KEY_OPTIONAL},
        {"sky",       read_sky,       KEY_OPTIONAL},
        {"ground",    read_ground,    KEY_OPTIONAL},
        {"intensity", read_intensity, KEY_OPTIONAL},
        {"image",     NULL,           KEY_LATER   },
        {"rotation",  NULL,           KEY_LATER   },
    };
    ambient_values ambient = {.intensity = 1.0};
    ZT_TRY(value_map(r, value, "environment", keys, COUNT_OF(keys), &ambient));
    if (ambient.has_color == (ambient.has_sky || ambient.has_ground) ||
        ambient.has_sky != ambient.has_ground)
        return value_fail(r, value, false,
                          "an environment without its colour (expected 'color', or 'sky' and "
                          "'ground')");
    zt_scene *scene = target;
    for (int i = 0; i < 3; i++) {
        scene->ambient.sky[i] = (float)(ambient.sky[i] * ambient.intensity);
        scene->ambient.ground[i] = (float)(ambient.ground[i] * ambient.intensity);
    }
    return ZT_OK;
}
