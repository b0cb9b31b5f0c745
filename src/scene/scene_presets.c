// SPDX-License-Identifier: MIT
/// The presets of light, and how single keys change them. docs/light.md has the same table.
#include "scene/scene_build.h"
#include "scene/scene_read.h"

#include <string.h>

/// A scene that names its light by keys has that light and nothing else.
static const scene_lighting plain = {
    .environment = SCENE_ENVIRONMENT_AMBIENT,
    .lamps = 1.0,
    .tone_map = TONE_MAP_NEUTRAL,
};

/// For looks that show data.
static const scene_lighting plain_without_lamps = {
    .environment = SCENE_ENVIRONMENT_AMBIENT,
    .tone_map = TONE_MAP_NEUTRAL,
};

/// Values that presets with an environment have in common.
#define STUDIO_LIGHT                                                                               \
    .studio = 1.0, .studio_with_lamps = 0.9, .studio_with_lights = 0.25, .lamps = 1.0,             \
    .lamp_shadows = true, .occlusion = true, .specular_antialiasing = true

/// In the order of ZT_WORDS_PRESET. The first is that of scenes that say nothing of light.
static const scene_lighting presets[] = {
    {
        .environment = SCENE_ENVIRONMENT_STUDIO,
        STUDIO_LIGHT,
        .tone_map = TONE_MAP_SOFT,
        .ground = SCENE_FLOOR_SHADOW,
        .contact_shadow = 0.85,
    },
    {
        .environment = SCENE_ENVIRONMENT_NEUTRAL,
        STUDIO_LIGHT,
        .tone_map = TONE_MAP_NEUTRAL,
        .ground = SCENE_FLOOR_NONE,
    },
    {
        .environment = SCENE_ENVIRONMENT_PRODUCT,
        STUDIO_LIGHT,
        .ground = SCENE_FLOOR_SHADOW,
        .tone_map = TONE_MAP_NEUTRAL,
        .contact_shadow = 0.9,
        .exposure_ev = 0.25,
    },
    {
        .environment = SCENE_ENVIRONMENT_AMBIENT,
        .flat_lights = true,
        .lamps = 1.0,
        .ground = SCENE_FLOOR_NONE,
        .tone_map = TONE_MAP_NEUTRAL,
    },
};

/// For a ground that the preset does not have.
#define DEFAULT_CONTACT_SHADOW 0.85

/// The light of the preset gives way to what `light` names.
static void choose_light(scene_light_choice light, scene_lighting *out)
{
    out->flat_lights = false;
    out->studio = out->studio_with_lamps = out->studio_with_lights = 0.0;
    out->lamps = light == SCENE_LIGHT_FILE ? 1.0 : 0.0;
    if (light == SCENE_LIGHT_STUDIO) {
        if (!scene_is_studio(out->environment))
            out->environment = SCENE_ENVIRONMENT_STUDIO;
        out->studio = out->studio_with_lamps = out->studio_with_lights = 1.0;
    } else if (scene_is_studio(out->environment)) {
        out->environment = SCENE_ENVIRONMENT_AMBIENT;
    }
}

static scene_lighting resolve_lighting(const scene_lighting_keys *keys)
{
    scene_lighting out = keys->preset >= 0   ? presets[keys->preset]
                         : keys->names_light ? plain
                                             : presets[0];
    if (keys->has_ambient && scene_is_studio(out.environment))
        out.environment = SCENE_ENVIRONMENT_AMBIENT;
    if (keys->has_image && keys->light != SCENE_LIGHT_STUDIO) {
        out.environment = SCENE_ENVIRONMENT_IMAGE;
        out.flat_lights = false;
    }
    if (keys->light >= 0)
        choose_light((scene_light_choice)keys->light, &out);
    if (keys->ground >= 0)
        out.ground = (scene_floor)keys->ground;
    if (out.ground != SCENE_FLOOR_NONE && out.contact_shadow == 0.0)
        out.contact_shadow = DEFAULT_CONTACT_SHADOW;
    if (keys->occlusion >= 0)
        out.occlusion = keys->occlusion != 0;
    if (keys->tone_map >= 0)
        out.tone_map = (tone_map_kind)keys->tone_map;
    else if (out.environment != SCENE_ENVIRONMENT_STUDIO)
        out.tone_map = TONE_MAP_NEUTRAL;
    return out;
}

scene_lighting scene_look_lighting(scene_look look, const scene_lighting_keys *keys)
{
    const scene_lighting_keys flat = {.preset = SCENE_PRESET_FLAT,
                                      .light = -1,
                                      .ground = -1,
                                      .occlusion = -1,
                                      .tone_map = keys->tone_map};
    scene_lighting out = look == SCENE_LOOK_FLAT ? resolve_lighting(&flat) : resolve_lighting(keys);
    if (look == SCENE_LOOK_FLAT)
        out.lamps = 0.0;
    if (look == SCENE_LOOK_CLAY || look == SCENE_LOOK_WIREFRAME)
        out.occlusion = keys->occlusion != 0;
    return scene_look_is_data(look) ? plain_without_lamps : out;
}

int32_t scene_find_light(const char *word)
{
    for (int32_t i = 0; zt_word_at(ZT_WORDS_LIGHT, i); i++)
        if (strcmp(word, zt_word_at(ZT_WORDS_LIGHT, i)) == 0)
            return i;
    return SCENE_LIGHT_IMAGE;
}

zt_result scene_read_light(document_reader *r, const document_node *value, void *target)
{
    zt_scene *scene = target;
    if (value->kind != DOCUMENT_STRING)
        return value_wrong(r, value, "studio, file, none or the path of a picture");
    scene->lighting_keys.names_light = true;
    scene->lighting_keys.light = scene_find_light(value->text);
    return scene->lighting_keys.light == SCENE_LIGHT_IMAGE ? scene_read_environment_image(r, value)
                                                           : ZT_OK;
}
