// SPDX-License-Identifier: MIT
/// The light of a scene: its lights, its environment, the ground that catches shadows, and the
/// choices of which presets are made.
#pragma once

#include "image/hdr_picture.h"
#include "image/tone_map.h"
#include "model/model.h"
#include "scene/scene_point.h"

typedef struct scene_light {
    model_light_kind kind;
    track color;     ///< linear RGB
    track intensity; ///< lux (directional) or candela
    scene_point position;
    track direction; ///< in which the light travels, in world space
    bool has_target; ///< a spot whose direction is towards `target`
    scene_point target;
    double range_m;              ///< 0: unlimited
    double inner_deg, outer_deg; ///< half angles of the cone
    int32_t instance, node; ///< >= 0: moved by this node of a model (KHR_lights_punctual); or -1
    bool casts;             ///< things in its light have shadows
    double size;            ///< metres across; directional: degrees across; 0: a point
    int64_t shadow_size;    ///< texels a side of its shadow maps; 0: the default
    double shadow_softness; ///< factor of the width of penumbras
} scene_light;

/// The light of a scene besides its own lights and the lamps of its models.
typedef enum scene_environment_kind {
    SCENE_ENVIRONMENT_AMBIENT, ///< zt_scene.ambient: sky over ground; black without
    SCENE_ENVIRONMENT_STUDIO,  ///< those made by code, from here on: soft boxes
    SCENE_ENVIRONMENT_NEUTRAL, ///< a bright room
    SCENE_ENVIRONMENT_PRODUCT, ///< a room with wide soft lights
    SCENE_ENVIRONMENT_IMAGE,   ///< a picture
    SCENE_ENVIRONMENT_FILE,    ///< that of a model file
} scene_environment_kind;

/// True when the light is made by code.
static inline bool scene_is_studio(scene_environment_kind kind)
{
    return kind >= SCENE_ENVIRONMENT_STUDIO && kind <= SCENE_ENVIRONMENT_PRODUCT;
}

typedef enum scene_floor {
    SCENE_FLOOR_NONE,
    SCENE_FLOOR_SHADOW, ///< shows nothing but the shadow on it
    SCENE_FLOOR_CHECKER,
    SCENE_FLOOR_PLANE
} scene_floor;

/// The light that shines besides the `lights` and the `environment` of the scene file.
typedef enum scene_light_choice {
    SCENE_LIGHT_STUDIO, ///< the studio alone
    SCENE_LIGHT_FILE,   ///< the lamps of the models alone
    SCENE_LIGHT_NONE,
    SCENE_LIGHT_IMAGE ///< a picture alone: zt_scene.own_environment
} scene_light_choice;

/// Light and development: the preset's values, replaced by named ones. See scene_presets.c.
typedef struct scene_lighting {
    scene_environment_kind environment;
    bool flat_lights; ///< the three directional lights and the ambient light of preset flat
    /// Factor of the studio: alone, with lamps of models, and with lights of the scene.
    double studio, studio_with_lamps, studio_with_lights;
    double lamps; ///< factor of the lamps of the models (KHR_lights_punctual); 0: they are off
    bool lamp_shadows;
    scene_floor ground;
    double contact_shadow;      ///< 0 (none) to 1 (black): on the ground, below what stands on it
    bool occlusion;             ///< ambient occlusion
    bool specular_antialiasing; ///< roughness grows with the variance of the normals
    double exposure_ev;         ///< added to zt_scene.exposure_ev
    tone_map_kind tone_map;
} scene_lighting;

/// Ambient occlusion, where zt_scene.lighting has it.
typedef struct scene_occlusion {
    double radius_m;  ///< 0: from the bounds of the shot
    double intensity; ///< factor of the light that is blocked
} scene_occlusion;

/// The choices of a scene file or a caller about light; -1: what the preset says.
typedef struct scene_lighting_keys {
    int32_t preset;    ///< index of ZT_WORDS_PRESET
    int32_t light;     ///< scene_light_choice
    int32_t ground;    ///< scene_floor
    int32_t occlusion; ///< 0, 1
    int32_t tone_map;
    bool names_light; ///< the scene file has `lights`, `environment` or `light`
    bool has_ambient; ///< `environment` names colours: zt_scene.own_ambient
    bool has_image;   ///< `environment` names a picture: zt_scene.own_environment
} scene_lighting_keys;

/// A picture that lights a scene.
typedef struct scene_environment {
    hdr_picture picture; ///< equirectangular
    uint64_t hash;       ///< hash of its file
    track rotation_deg;  ///< counter-clockwise seen from above
    double intensity;
    double blur; ///< roughness of the background that shows it: 0 to 1
} scene_environment;

/// Ambient light: `ambient_below` from below, `sky` from above, blended by the y of the normal.
typedef struct scene_ambient {
    float sky[3], ambient_below[3]; ///< linear radiance; equal: constant
} scene_ambient;
