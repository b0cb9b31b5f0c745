// SPDX-License-Identifier: MIT
/// Bounds of a posed scene, for framing and inspect.
#ifndef ZT_RENDER_POSED_BOUNDS_H
#define ZT_RENDER_POSED_BOUNDS_H

#include "kernels/kernels.h"
#include "pose/pose.h"

/// Exact bounds of the posed, skinned vertices of the whole scene at shot time (a box; empty scene:
/// min > max). Uses `scratch` (reset by the caller).
zt_result posed_bounds(const kernel_table *kernels, const zt_scene *scene, frame_time time,
                       arena *scratch, float out_min[3], float out_max[3], zt_error *err);

enum { BOUNDS_DIRECTIONS = 4 };

/// The same, and how far the posed vertices reach along four directions: the largest
/// direction . position of each. Framing asks for the four sides of the picture.
zt_result posed_bounds_along(const kernel_table *kernels, const zt_scene *scene, frame_time time,
                             const float direction[BOUNDS_DIRECTIONS][3], arena *scratch,
                             float out_min[3], float out_max[3],
                             float out_support[BOUNDS_DIRECTIONS], zt_error *err);

#endif
