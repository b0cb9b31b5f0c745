// SPDX-License-Identifier: MIT
/// Light from all around: an environment, made once from a picture, and the view of it that shading
/// looks up for each pixel.
///
/// An environment is a chain of levels of filtered radiance, an octave of roughness squared each.
/// The widest lobe, of roughness 1, is the cosine: irradiance / pi, read by diffuse surfaces. (Nine
/// spherical harmonics would do under a wide sky; in a room they are off by up to 15 %.)
///
/// A level is an octahedral map (Cigolle et al., "A Survey of Efficient Representations for
/// Independent Unit Vectors", JCGT 2014): direction d is at (x, z) / (|x| + |y| + |z|), folded
/// outwards below the horizon, -1 to 1 on both axes. Texels are the corners of a grid of size x
/// size cells: poles, axes and edges are texels. Texels of an edge equal those mirrored about its
/// middle: bilinear lookups, which never leave the square, have no seam.
#pragma once

#include "base/arena.h"

/// Octahedral levels in one array of r, g, b, unused. 16 entries, as lanes need; the last repeats.
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
    ENVIRONMENT_IRRADIANCE = ENVIRONMENT_LEVELS - 1,
};

/// An environment in its own space (rotation 0, intensity 1).
typedef struct environment {
    octahedral_levels chain;
} environment;

/// An environment as a frame sees it. Directions are in world space.
typedef struct environment_view {
    octahedral_levels chain;
    float cosine, sine; ///< of the rotation
    float intensity;
    float wall; ///< radiance of the wall behind the model, which its rims mirror; 0: none
} environment_view;

/// Sets the tables of a chain of levels of these sizes, in order, and returns its count of texels.
int32_t environment_chain_layout(const int32_t size[ENVIRONMENT_LEVELS], octahedral_levels *out);

/// `rotation_deg` turns the environment counter-clockwise seen from above.
void environment_view_build(const environment *e, double rotation_deg, double intensity,
                            environment_view *out);
