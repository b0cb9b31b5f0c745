// SPDX-License-Identifier: MIT
/// The presets of light, and how single keys change them. docs/light.md has the same table.
#include "scene/scene_build.h"

#include <string.h>

#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/// A scene that names its light by keys has that light and nothing else.
static const scene_lighting plain = {
    .environment = SCENE_ENVIRONMENT_AMBIENT,
    .lamps = 1.0,
    .tone_map = ZT_TONE_MAP_NEUTRAL,
};

static const scene_lighting presets[] = {
    {
     .preset = "flat",
     .environment = SCENE_ENVIRONMENT_AMBIENT,
     .flat_lights = true,
     .lamps = 1.0,
     .tone_map = ZT_TONE_MAP_NEUTRAL,
     },
    {
     .preset = "studio",
     .environment = SCENE_ENVIRONMENT_STUDIO,
     .studio = 1.0,
     .studio_with_lamps = 0.25,
     .lamps = 1.0,
     .tone_map = ZT_TONE_MAP_NEUTRAL,
     },
    {
     .preset = "neutral",
     .environment = SCENE_ENVIRONMENT_NEUTRAL,
     .studio = 1.0,
     .studio_with_lamps = 0.25,
     .lamps = 1.0,
     .tone_map = ZT_TONE_MAP_NEUTRAL,
     },
};

_Static_assert(COUNT_OF(presets) <= SCENE_PRESET_LIMIT, "raise SCENE_PRESET_LIMIT");

/// Of a ground that the preset does not have.
#define DEFAULT_CONTACT_SHADOW 0.85

/// The preset of a scene that says nothing about light.
enum { DEFAULT_PRESET = 0 };

const scene_lighting *scene_preset_at(int32_t index)
{
    return index >= 0 && index < (int32_t)COUNT_OF(presets) ? &presets[index] : NULL;
}

int32_t scene_find_preset(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(presets); i++)
        if (strcmp(presets[i].preset, name) == 0)
            return (int32_t)i;
    return -1;
}

scene_lighting scene_resolve_lighting(const scene_lighting_keys *keys)
{
    const bool silent =
        keys->preset < 0 && !keys->has_lights && !keys->has_ambient && !keys->has_image;
    scene_lighting out = keys->preset >= 0 ? presets[keys->preset]
                         : silent          ? presets[DEFAULT_PRESET]
                                           : plain;
    if (keys->has_image)
        out.environment = SCENE_ENVIRONMENT_IMAGE;
    if (keys->ground >= 0)
        out.ground = (scene_floor)keys->ground;
    if (out.ground != SCENE_FLOOR_NONE && out.contact_shadow == 0.0)
        out.contact_shadow = DEFAULT_CONTACT_SHADOW;
    if (keys->occlusion >= 0)
        out.occlusion = keys->occlusion != 0;
    if (keys->tone_map >= 0)
        out.tone_map = (zt_tone_map)keys->tone_map;
    return out;
}
