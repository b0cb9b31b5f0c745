// SPDX-License-Identifier: MIT
/// The seam of a clip that may be a cycle: its last pose from its first, by its own steps.
#pragma once

#include "model/model.h"

/// Distances between poses in sizes of the model: the farthest that any joint moves, or a point a
/// tenth of that size away from it; of morph targets a weight of 1 counts as such a tenth.
typedef struct clip_seam {
    double gap;  ///< from the pose at the end to the one at the start
    double step; ///< the largest between two poses one after the other
} clip_seam;

/// Measures a clip between two times, poses at most step_s apart (farther above 1024, or 2^20
/// joints).
zt_result model_clip_seam(const zt_model *model, const model_clip *clip, double start_s,
                          double end_s, double step_s, arena *scratch, clip_seam *out,
                          zt_error *err);
