// SPDX-License-Identifier: MIT
/// Light reflected by a metal-rough surface in double, from the formulas: glTF 2.0, appendix B.2
/// and B.3 (with height-correlated masking, Heitz 2014), and KHR_lights_punctual.
#pragma once

#include "shade_stage.h"

typedef struct oracle_point {
    double position[3];
    double normal[3], view[3]; ///< unit
    double base[3], f0[3];     ///< of the material; f0: of its dielectric part
    double metallic, roughness;
    double specular; ///< KHR_materials_specular's factor
} oracle_point;

/// A light as a scene describes it.
typedef struct oracle_light {
    int kind;
    double position[3], direction[3]; ///< direction: of travel, unit
    double color[3];                  ///< times lux or candela
    double range;                     ///< 0: unlimited
    double inner_rad, outer_rad;
} oracle_light;

/// Radiance towards the viewer. `out_slack`: its derivative by errors of cosines, first order.
void oracle_direct(const oracle_point *p, const oracle_light *light, double out[3],
                   double out_slack[3]);

/// Gives the stage this light alone.
void oracle_light_stage(const oracle_light *light, shade_stage *s);

/// The comparison of a stage's samples: those whose normal is at least `least_cosine` from the
/// line of sight, within 2e-6 of the light and its colour and `per_slack` of what errors of cosines
/// make of it.
typedef struct oracle_check {
    double least_cosine, per_slack;
    double worst; ///< the largest relative error so far
    int lit;      ///< channels that were lit so far
} oracle_check;

/// Compares every sample with the light that a surface of the shading normal `n` reflects.
void oracle_check_direct(const shade_stage *s, const oracle_light *light, const double n[3],
                         oracle_check *check);
