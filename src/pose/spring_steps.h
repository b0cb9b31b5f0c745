// SPDX-License-Identifier: MIT
/// Makes and reads trails of springs.
#ifndef ZT_POSE_SPRING_STEPS_H
#define ZT_POSE_SPRING_STEPS_H

#include "pose/pose_springs.h"

/// Sets the springs and the attachments of a pass to the last state up to a step, if the trail is
/// of its scene.
void spring_trail_resume(const spring_trail *trail, pose_pass *p, int64_t step);
/// Takes the steps up to a time, in `a`, which holds the trail. A scene without springs has
/// none, nor one whose states do not fit into memory.
zt_result spring_trail_build(const pose_loops *loops, const zt_scene *scene, double until_s,
                             arena *a, spring_trail *out, zt_error *err);

#endif
