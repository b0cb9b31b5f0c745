// SPDX-License-Identifier: MIT
/// Ambient occlusion of a frame: opaque depth, drawn before the view, and planes for shading.
#pragma once

#include "render/camera.h"
#include "render/camera_pass.h"
#include "shadow/occlusion.h"

/// True when the planes need the bounds of the shot, in the framing.
bool occlusion_needs_framing(const zt_scene *scene);

/// Planes for the pass, in its arena; NULL in *out if the scene asks for no occlusion.
zt_result frame_occlusion(const zt_scene *scene, const scene_framing *framing,
                          const camera_pass *pass, occlusion_planes **out, zt_error *err);
