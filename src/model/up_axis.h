// SPDX-License-Identifier: MIT
/// The axis of a file that points up.
#pragma once

#include "base/affine.h"
#include "base/trs.h"

/// In the order of ZT_WORDS_UP.
typedef enum model_up { UP_AS_IS, UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z } model_up;

/// UP_AS_IS for NULL and for other words.
model_up up_axis_of(const char *word);
/// The same axis where z of the file was negated.
model_up up_axis_mirrored(model_up up);
/// The rotation of a file that makes its axis point to +Y, by model_up.
extern const dmat3 up_axis_rotation[UP_MINUS_Z + 1];
/// Gives a root this rotation and the scale of a unit; returns both in double.
dmat3 up_axis_set(model_up up, double unit_m, trs *root);
