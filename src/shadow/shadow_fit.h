// SPDX-License-Identifier: MIT
/// Where the maps of shadows look.
#pragma once

#include "view/view_camera.h"

enum { SHADOW_CUBE_FACES = 6 };

typedef enum shadow_kind { SHADOW_DIRECTIONAL, SHADOW_POINT, SHADOW_SPOT } shadow_kind;

/// A light that casts shadows, in world space.
typedef struct shadow_light {
    shadow_kind kind;
    double position[3];
    double direction[3]; ///< in which it travels; any length above 0
    double outer_rad;    ///< half angle of a spot
    bool has_size;       ///< its shadows have penumbras
    double blur;         ///< radius of penumbras: metres for each metre between what casts it and
                         ///< the surface; of a positional light metres at the light
    int32_t size;        ///< texels a side of its map; 0: `default_size`, and half of it for cubes
    int32_t default_size;
    uint32_t emitter;                 ///< 1 + the number of the draw that emits it; 0: it is a lamp
    const struct view_shared *shared; ///< its maps see it
    struct shadow_maps *maps;         ///< gets its maps
    struct arena *arena;              ///< for their texels
} shadow_light;

/// The bounds over the shot, metres.
typedef struct shadow_bounds {
    float min[3], max[3];
} shadow_bounds;

/// The view of a map.
typedef struct shadow_fit {
    view_camera camera;
    int32_t width, height;
    bool is_face;         ///< of a cube
    double nearest_depth; ///< perspective: 1 / distance of what is nearest to the light
} shadow_fit;

/// An orthographic camera along `direction` that sees the bounds of the shot at whole texels, at
/// most `size` a side.
/// `blur`: the radius of penumbras in metres for each metre of depth; there is room for them.
void shadow_fit_box(const shadow_bounds *f, const double direction[3], double blur, int32_t size,
                    view_camera *out, int32_t *out_width, int32_t *out_height);

/// Fills the cameras of a light's maps, one or six. Returns their number.
int32_t shadow_fit_light(const shadow_light *light, const shadow_bounds *bounds,
                         shadow_fit out[SHADOW_CUBE_FACES]);

/// The radius of penumbras is at most this part of the side of the map.
#define SHADOW_WIDEST_PENUMBRA 0.125
