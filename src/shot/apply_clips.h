// SPDX-License-Identifier: MIT
/// The clips of a zt_shot_def.
#pragma once

#include "scene/scene.h"

/// Plays def->clip. Models without it keep their animation; fails if no model has
/// it. `instances`: of the scene, to be changed.
zt_result scene_apply_clip(zt_scene *scene, scene_instance *instances, const zt_shot_def *def,
                           zt_error *err);
