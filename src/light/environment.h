// SPDX-License-Identifier: MIT
/// Light from all around: an environment, made once from a picture, and the view of it that shading
/// looks up for each pixel.
///
/// An environment has two parts. Diffuse surfaces read nine harmonics. Glossy ones read the chain:
/// levels of prefiltered radiance, one for each octave of roughness squared.
///
/// A level is an octahedral map (Cigolle et al., "A Survey of Efficient Representations for
/// Independent Unit Vectors", JCGT 2014): the direction d is at (x, z) / (|x| + |y| + |z|), folded
/// outwards below the horizon, so -1 to 1 on both axes. Its texels are on the corners of a grid of
/// size x size cells: poles, axes and edges are texels. Points of an edge have the direction of
/// their mirror images about its middle, and those texels are equal: bilinear lookups, which never
/// leave the square, have no seam.
#ifndef ZT_LIGHT_ENVIRONMENT_H
#define ZT_LIGHT_ENVIRONMENT_H

#include "base/arena.h"

/// Octahedral levels in one array of texels r, g, b, unused. The tables have 16 entries, as
/// lookups in lanes need; those past the last level repeat it.
typedef struct octahedral_levels {
    const float (*texels)[4]; ///< 16-byte aligned
    int32_t level_count;
    int32_t size[16];  ///< cells a side: a level has (size + 1)^2 texels, row by row
    int32_t first[16]; ///< texels before the level
} octahedral_levels;

enum {
    /// Level k is for alpha = roughness^2 = 2^(k + 1 - ENVIRONMENT_LEVELS). Between levels light is
    /// linear in alpha. The first level is not filtered: its texels are as wide as the lobe.
    ENVIRONMENT_LEVELS = 9,
    HARMONIC_COUNT = 9,
};

/// The terms of the polynomial of a unit normal that harmonics are the factors of: 1, x, y, z, xy,
/// yz, zx, x^2 - z^2, 3 y^2 - 1. It is irradiance / pi: what a white surface reflects.
enum {
    HARMONIC_1,
    HARMONIC_X,
    HARMONIC_Y,
    HARMONIC_Z,
    HARMONIC_XY,
    HARMONIC_YZ,
    HARMONIC_ZX,
    HARMONIC_XX_ZZ,
    HARMONIC_YY
};

/// An environment in its own space (rotation 0, intensity 1).
typedef struct environment {
    double harmonics[HARMONIC_COUNT][3];
    octahedral_levels chain;
} environment;

/// An environment as a frame sees it. Directions are in world space.
typedef struct environment_view {
    float harmonics[HARMONIC_COUNT][3]; ///< with rotation and intensity
    octahedral_levels chain;            ///< without
    float cosine, sine;                 ///< of the rotation
    float intensity;
} environment_view;

/// Sets the tables of a chain whose levels have these sizes, level after level, and returns the
/// number of its texels.
int32_t environment_chain_layout(const int32_t size[ENVIRONMENT_LEVELS], octahedral_levels *out);

/// `rotation_deg` turns the environment counter-clockwise seen from above.
void environment_view_build(const environment *e, double rotation_deg, double intensity,
                            environment_view *out);

#endif
