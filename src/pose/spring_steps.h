// SPDX-License-Identifier: MIT
/// Makes trails of springs.
#pragma once

#include "pose/pose_springs.h"

/// Takes the steps up to a time, in `a`. No trail: a scene without springs, or too large states.
zt_result spring_trail_build(const pose_loops *loops, const zt_scene *scene, double until_s,
                             arena *a, spring_trail *out, zt_error *err);
