// SPDX-License-Identifier: MIT
/// What the blur of a scene may ask for.
#pragma once

#include "scene/scene.h"

#define SHUTTER_DEGREES_MAX 360.0
#define SHUTTER_SECONDS_MAX 3600.0
#define APERTURE_MAX        1000.0 // metres
#define F_STOP_MIN          0.1
#define F_STOP_MAX          1e4
#define FOCUS_MIN           1e-6 // metres
#define FOCUS_MAX           1e9
enum { BLADES_MIN = 3, BLADES_MAX = 32 };

/// ZT_ERR_ARGUMENT for an aperture of a camera that has no perspective.
zt_result scene_blur_check(const zt_scene *scene, zt_error *err);
/// ZT_ERR_LIMIT when so many sub-frames, 1 without blur, exceed zt_limits.samples.
zt_result scene_blur_limit(const zt_scene *scene, int32_t subframes, zt_error *err);
/// The most sub-frames that SCENE_SUBFRAMES_AUTO may choose: at least 1.
int32_t scene_blur_subframes_max(const zt_scene *scene);
