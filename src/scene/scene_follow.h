// SPDX-License-Identifier: MIT
/// Points of cameras and lights that follow a model or one of its bones.
#pragma once

#include "scene/scene.h"

/// A point over time, with `smooth_s` its mean over a window: a function of time (pose_point).
struct scene_follow {
    int32_t instance;
    int32_t node;      ///< the bone; -1: the model itself
    double offset[3];  ///< in the space of the bone or the model, or
    bool world_offset; ///< along the axes of the world, in metres
    double smooth_s;   ///< length of the window, which has `time` in its middle; 0: no mean
};

enum { SCENE_FOLLOW_SMOOTH_MAX = 60 }; ///< seconds
enum { SCENE_SMOOTH_LIMIT = 64 };      ///< points with a mean, whose models are posed many times
