// SPDX-License-Identifier: MIT
/// The clips of a zt_shot_def.
#pragma once

#include "scene/scene.h"

/// Plays the first line of def->clip. Models without it keep their animation; fails if no model has
/// it. `instances`: of the scene, to be changed.
zt_result scene_apply_clip(zt_scene *scene, scene_instance *instances, const zt_shot_def *def,
                           zt_error *err);
/// The clips of further lines: each as if it played, for the framing alone.
zt_result scene_apply_framed_clips(zt_scene *scene, const zt_shot_def *def, zt_error *err);
