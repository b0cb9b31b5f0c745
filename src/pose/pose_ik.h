// SPDX-License-Identifier: MIT
/// Inverse kinematics of one instance.
#ifndef ZT_POSE_POSE_IK_H
#define ZT_POSE_POSE_IK_H

#include "pose/ik_solver.h"

/// Applies solvers in their order; updates `local` and `world`.
void pose_ik(const ik_context *context, const scene_ik *ik, uint32_t count);

#endif
