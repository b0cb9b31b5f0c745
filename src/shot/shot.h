// SPDX-License-Identifier: MIT
/// Parts of zt_scene_apply(): clips, turntables, and defaults of a bare model's thumbnail.
#pragma once

#include "scene/scene.h"

/// Plays def->clip. Models without it keep their animation; fails if no model has
/// it. `instances`: of the scene, to be changed.
zt_result scene_apply_clip(zt_scene *scene, scene_instance *instances, const zt_shot_def *def,
                           zt_error *err);

/// Shutter, lens and sub-frames, after the camera; and whether the scene may have them.
zt_result shot_apply_blur(zt_scene *scene, const zt_shot_def *def, zt_error *err);
/// "X,Y,Z" in the world, or the first bone of that name. `what`, `expected`: for the message.
zt_result shot_point(zt_scene *scene, const char *what, const char *expected, const char *text,
                     scene_point *out, zt_error *err);

/// True when a caller asks for a turntable.
bool turntable_asked(const zt_shot_def *def);
/// Sets scene->turntable, after clips and rate; reports bent or open clips. ZT_ERR_ARGUMENT.
zt_result turntable_apply(zt_scene *scene, const zt_shot_def *def, zt_error *err);

/// All clips together where they move different things. Else the one that a character stands in:
/// with the shortest name that holds "idle", in letters of either case, of equal ones the first;
/// without one the first that is no bind pose by its name ("T-Pose", "Armature|bind"); without one
/// the first. -1: there are none.
int32_t shot_thumbnail_clip(const zt_model *model);
/// True when the model lies flat, as tiles of floors and roads do, so that it wants to be seen from
/// above: its height along +Y is less than a quarter of its width and of its depth, at rest, or for
/// what has a skin, as it was bound. False also when no memory is left in `scratch` to find out.
bool shot_thumbnail_is_flat(const zt_model *model, arena *scratch);
