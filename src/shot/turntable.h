// SPDX-License-Identifier: MIT
/// Turntables: frames of a full circle, and clips that end with it by playing faster or slower.
#pragma once

#include "scene/scene.h"

/// True when a caller asks for a turntable.
bool turntable_asked(const zt_shot_def *def);

/// The turn that fits `asked` frames: whole cycles of a clip in whole frames.
typedef struct turntable_fit {
    int64_t frames;
    int32_t cycles;
    double rate; ///< seconds of the clip for a second of the shot: 0.9 to 1.1
} turntable_fit;

/// The number of frames that is nearest to `asked` (at least 1) in which `cycles` cycles (0: any
/// number) of `cycle_frames` frames (above 0) fit at a rate of 0.9 to 1.1; of those with as many
/// frames the one with the rate nearest to 1. False: no number of frames does.
bool turntable_find_fit(double cycle_frames, int64_t asked, int32_t cycles, turntable_fit *out);

/// Sets scene->turntable, after clips and rate; reports bent or open clips. ZT_ERR_ARGUMENT.
zt_result turntable_apply(zt_scene *scene, const zt_shot_def *def, zt_error *err);
