// SPDX-License-Identifier: MIT
/// Inverse kinematics of one instance.
#pragma once

#include "pose/ik_solver.h"

/// Applies solvers in their order; updates `local` and `world`.
void pose_ik(const ik_context *context, const scene_ik *ik, uint32_t count);
