// SPDX-License-Identifier: MIT
/// Punctual lights as the shading loops read them (KHR_lights_punctual).
#pragma once

#include "model/model.h"
#include "shade/shade_loops.h"

/// A light in world space at one time.
typedef struct light_source {
    model_light_kind kind;
    double color[3];  ///< linear RGB
    double intensity; ///< lux or candela
    double position[3];
    double direction[3];         ///< in which it travels; any length above 0
    double range_m;              ///< 0: unlimited
    double inner_rad, outer_rad; ///< half angles of a spot
    bool of_surface;             ///< its highlights are as wide as it is
    double size;                 ///< degrees of a directional light, else metres: its diameter
} light_source;

/// The radius of the lamp, of one `scale` times as large: metres, of a directional light the
/// tangent of half its angle.
double light_radius(const light_source *light, double scale);
void shade_light_build(const light_source *source, shade_light *out);
