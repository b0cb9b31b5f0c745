// SPDX-License-Identifier: MIT
/// Points of cameras and lights in the world.
#pragma once

#include "scene/track.h"

typedef struct scene_follow scene_follow; // scene_follow.h

typedef struct scene_point {
    track at;
    const scene_follow *follow; ///< instead of `at`; NULL: none
} scene_point;
