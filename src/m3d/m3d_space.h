// SPDX-License-Identifier: MIT
/// From the space of an .m3d file to ours.
#pragma once

#include "m3d/m3d_file.h"

/// Brings the parsed file into a right-handed space with counter-clockwise fronts, as the head
/// of m3d_space.c decides it. `handedness` is 0, 'l' or 'r'. Returns true when z was mirrored.
bool m3d_to_right_handed(m3d_file *file, int handedness);
/// Turns the file, which is in our space, by 180 degrees about +y.
void m3d_turn(m3d_file *file);
/// Gives vertices without a normal or a tangent one.
zt_result m3d_complete_frames(m3d_file *file, arena *scratch, zt_error *err);
