// SPDX-License-Identifier: MIT
/// The ground speed of clips that walk in place: that at which planted feet stay where they are.
#pragma once

#include "base/dvec3.h"
#include "model/model.h"

enum { FOOT_SPEED_FEET = 16 };

typedef struct foot_speed {
    dvec3 velocity;      ///< of the model over the ground in its space, units a second; y is 0
    uint32_t foot_count; ///< 0: no feet, or none that goes over the ground
    int32_t foot[FOOT_SPEED_FEET];
    double held_s; ///< all feet stand still for so long at the end of the clip
} foot_speed;

/// For the part of a clip between two times. `feet`: the nodes [foot_count] that stand; with 0
/// those that move and come lowest. A foot stands while it is in the lowest sixteenth of the
/// heights that it goes through and the figure moves; the velocity is against the median of theirs,
/// then the mean of those near it.
zt_result model_foot_speed(const zt_model *model, const model_clip *clip, double start_s,
                           double end_s, const int32_t *feet, uint32_t foot_count, arena *scratch,
                           foot_speed *out, zt_error *err);

/// The number of joints and channels that this evaluates in all poses.
uint64_t model_foot_speed_steps(const zt_model *model, const model_clip *clip, double start_s,
                                double end_s);
