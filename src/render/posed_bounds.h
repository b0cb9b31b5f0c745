// SPDX-License-Identifier: MIT
/// Bounds of a posed scene, for framing and inspect.
#pragma once

#include "kernels/kernels.h"
#include "pose/pose.h"
#include "view/view_fit.h"

/// The exact box of all posed vertices at a time, in the world; min > max: none. `scratch`: reset.
zt_result posed_bounds(const kernel_table *kernels, const zt_scene *scene, frame_time time,
                       arena *scratch, float out_min[3], float out_max[3], zt_error *err);

enum { BOUNDS_DIRECTIONS = VIEW_FIT_SIDES };

/// The same, and for each of four directions the largest direction . position of a posed vertex.
/// Framing passes directions that belong to the four sides of the picture.
zt_result posed_bounds_along(const kernel_table *kernels, const zt_scene *scene, frame_time time,
                             const float direction[BOUNDS_DIRECTIONS][3], arena *scratch,
                             float out_min[3], float out_max[3],
                             float out_support[BOUNDS_DIRECTIONS], zt_error *err);
