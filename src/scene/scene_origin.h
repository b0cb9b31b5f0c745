// SPDX-License-Identifier: MIT
/// Scenes far from zero: the world's origin is moved to them, so that floats know their places.
#pragma once

#include "scene/scene.h"

/// Moves the origin of a scene that has been read to its first instance, if that is more than
/// 4096 m away along some axis: zt_scene.origin is the place. Tracks of places in the world follow.
zt_result scene_move_to_origin(zt_scene *scene, zt_error *err);

/// The part of an instance's translation that its model lost (zt_model.origin).
dvec3 scene_lost_by_model(const scene_instance *instance);

/// A point in the coordinates that the user writes, in those of the scene.
static inline void scene_from_user(const zt_scene *scene, double point[3])
{
    for (int k = 0; k < 3; k++)
        point[k] -= scene->origin[k];
}
