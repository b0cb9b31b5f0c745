// SPDX-License-Identifier: MIT
/// The six faces of a cube -> an equirectangular picture of light.
#pragma once

#include "base/quat.h"
#include "image/hdr_picture.h"

enum { CUBE_FACES = 6, CUBE_SIDE_LIMIT = 4096 };

/// Square faces of linear RGB in the order +X, -X, +Y, -Y, +Z, -Z, each as it is seen from the
/// centre of the cube in right-handed space: on the sides +Y is up; the upper edge of +Y is -Z, and
/// that of -Y is +Z. Row 0 is on top.
typedef struct cube_map {
    int32_t size;                  ///< 1 to CUBE_SIDE_LIMIT pixels a side
    const float *face[CUBE_FACES]; ///< [size][size][3], finite and not negative
} cube_map;

/// Makes a 4 size x 2 size picture in `a`: bilinear in a face, rotated, times `intensity`, finite.
zt_result cube_map_unroll(arena *a, const cube_map *cube, quat world_from_cube, double intensity,
                          hdr_picture *out, zt_error *err);
