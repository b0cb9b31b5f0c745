// SPDX-License-Identifier: MIT
// The loops of pose, from times to matrices, of one instruction set.
#include "kernels/stage_table.h"
#include "pose/pose_loops.h"

// clang-format off
#include "pose/pose.inl"
// clang-format on

extern const pose_loops STAGE_TABLE(pose);
const pose_loops STAGE_TABLE(pose) = {
    .sample = pose_sample, .blend = pose_blend, .add = pose_add, .matrices = pose_matrices};
