// SPDX-License-Identifier: MIT
// Pictures of the head: colour, skin, and wrinkles with their masks.
#pragma once

#include "writers.h"

/// Half axes of the ball that the head is made of.
#define HEAD_X 0.85
#define HEAD_Y 1.1
#define HEAD_Z 0.9

/// The wrinkles: each a normal map and a mask.
typedef enum head_wrinkle {
    WRINKLE_FOREHEAD,
    WRINKLE_BROW,
    WRINKLE_MOUTH,
    WRINKLE_COUNT
} head_wrinkle;

/// Texture coordinates of a direction: the face in the middle, the back of the head around it, so
/// that every direction except straight back has one position.
void head_uv(dvec3 direction, double *u, double *v);

/// Pictures are of any size; `at` is a point of the ball.
void head_paint_color(built_image *image);
void head_paint_skin(built_image *image);
void head_paint_wrinkle(built_image *image, head_wrinkle which);
void head_paint_mask(built_image *image, head_wrinkle which);
