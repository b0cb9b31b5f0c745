// SPDX-License-Identifier: MIT
/// `environment`: colours, or a picture of light.
#include "base/hash.h"
#include "scene/scene_build.h"
#include "scene/scene_read.h"

/// `named`: by the scene file, not by the caller, whose paths on the disk may lead anywhere.
static zt_result read_picture(zt_scene *scene, arena *bytes_arena, const char *path, bool named,
                              scene_environment *out, zt_error *err)
{
    file_bytes bytes;
    const bool bound = named || scene->below || scene->in_memory;
    ZT_TRY(bound ? scene_read_file(scene, NULL, bytes_arena, path, &bytes, err)
                 : file_read_below(NULL, bytes_arena, path, FILE_ANYWHERE, &bytes, err));
    out->hash = hash_words(HASH_START, bytes.data, bytes.size);
    scene_add_input(scene, &out->hash, sizeof out->hash);
    return hdr_picture_decode(&scene->arena, path, bytes, &out->picture, err);
}

static zt_result set_image(zt_scene *scene, const char *path, bool named, zt_error *err)
{
    arena bytes_arena;
    const double zero = 0.0;
    scene_environment loaded = {.intensity = 1.0};
    if (!track_constant(&scene->arena, &zero, 1, &loaded.rotation_deg))
        return arena_fail(&scene->arena, err, "environment");
    arena_init(&bytes_arena, &scene->budget_own);
    const zt_result result = read_picture(scene, &bytes_arena, path, named, &loaded, err);
    arena_finish(&bytes_arena);
    if (result != ZT_OK)
        return result;
    scene->own_environment = loaded;
    scene->lighting_keys.has_image = true;
    return ZT_OK;
}

zt_result scene_set_environment_image(zt_scene *scene, const char *path, zt_error *err)
{
    return set_image(scene, path, false, err);
}

zt_result scene_read_environment_image(document_reader *r, const document_node *value)
{
    zt_error problem = {0};
    const char *path;
    ZT_TRY(value_path(r, value, "the path of a picture", &path));
    const zt_result result = set_image(scene_of(r), path, !reading_of(r)->by_call, &problem);
    reading_of(r)->file_failed = result != ZT_OK;
    return result == ZT_OK ? ZT_OK : value_fail_load(r, value, result, problem.message);
}

typedef struct environment_keys {
    const document_node *color;
    const document_node *sky, *ground;
    const document_node *image;
    double intensity, blur;
    track rotation_deg; ///< without keys: not named
} environment_keys;

static zt_result read_colors(document_reader *r, const environment_keys *keys)
{
    zt_scene *scene = scene_of(r);
    double sky[3], ground[3];
    ZT_TRY(value_color(r, keys->color ? keys->color : keys->sky, sky));
    ZT_TRY(value_color(r, keys->color ? keys->color : keys->ground, ground));
    scene->lighting_keys.has_ambient = true;
    for (int i = 0; i < 3; i++) {
        scene->own_ambient.sky[i] = (float)(sky[i] * keys->intensity);
        scene->own_ambient.ambient_below[i] = (float)(ground[i] * keys->intensity);
    }
    return ZT_OK;
}

static zt_result read_image(document_reader *r, const environment_keys *keys)
{
    scene_environment *environment = &scene_of(r)->own_environment;
    ZT_TRY(scene_read_environment_image(r, keys->image));
    environment->intensity = keys->intensity;
    environment->blur = keys->blur;
    if (keys->rotation_deg.key_count > 0)
        environment->rotation_deg = keys->rotation_deg;
    return ZT_OK;
}

zt_result scene_read_environment(document_reader *r, const document_node *value, void *target)
{
    static const map_key table[] = {
        KEY_NODE("color", KEY_OPTIONAL, environment_keys, color),
        KEY_NODE("sky", KEY_OPTIONAL, environment_keys, sky),
        KEY_NODE("ground", KEY_OPTIONAL, environment_keys, ground),
        KEY_NODE("image", KEY_OPTIONAL, environment_keys, image),
        KEY_NUMBER("intensity", KEY_OPTIONAL, environment_keys, intensity, 0.0, 1e6),
        KEY_NUMBER("blur", KEY_OPTIONAL, environment_keys, blur, 0.0, 1.0),
        KEY_TRACK("rotation", KEY_OPTIONAL, environment_keys, rotation_deg, TRACK_NUMBER, -1e6,
                  1e6),
    };
    environment_keys keys = {.intensity = 1.0};
    ((zt_scene *)target)->lighting_keys.names_light = true;
    ZT_TRY(value_map(r, value, "environment", table, COUNT_OF(table), &keys));
    const int sources = (keys.color != NULL) + (keys.sky || keys.ground) + (keys.image != NULL);
    if (sources != 1 || !keys.sky != !keys.ground)
        return value_fail(r, value, false,
                          "an environment without its light (expected one of 'color', 'image', or "
                          "'sky' and 'ground')");
    if (keys.rotation_deg.key_count > 0 && !keys.image)
        return value_fail(r, value, false, "a rotation without 'image', which it turns");
    return keys.image ? read_image(r, &keys) : read_colors(r, &keys);
}
