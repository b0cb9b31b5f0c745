// SPDX-License-Identifier: MIT
/// Root motion: displacement and heading of a clip's root, taken from the pose to the instance.
#pragma once

#include "base/dvec3.h"
#include "model/pose_lanes.h"
#include "scene/scene.h"

/// A rotation about +Y, then a translation.
typedef struct root_motion {
    double heading_deg; ///< right-handed; whole turns add up
    dvec3 displacement; ///< metres
} root_motion;

/// Takes the layer's root motion out of its pose, as its root_motion mode and its root say.
void root_motion_remove(const scene_layer *layer, pose_block *local);
/// Root motion of an instance's layers from their start to animation time, in the instance's space.
root_motion root_motion_evaluate(const scene_instance *instance, double time_s);
