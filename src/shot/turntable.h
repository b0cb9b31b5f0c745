// SPDX-License-Identifier: MIT
/// Turntables: frames of a full circle, and clips that end with it by playing faster or slower.
#pragma once

#include "scene/scene.h"

/// True when a caller asks for a turntable.
bool turntable_asked(const zt_shot_def *def);

/// Sets scene->turntable, after clips and rate; reports bent or open clips. ZT_ERR_ARGUMENT.
zt_result turntable_apply(zt_scene *scene, const zt_shot_def *def, zt_error *err);
