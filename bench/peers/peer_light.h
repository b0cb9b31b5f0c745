// SPDX-License-Identifier: MIT
/// The environment and the shadow map of a scene, in the layouts of a graphics interface.
#pragma once

#include "environment/environment.h"
#include "peer_scene.h"
#include "render/camera.h"

/// Fills the faces of the cube map from an environment with the rotation and intensity of `view`.
zt_result peer_cube_build(const environment_view *view, arena *a, peer_cube *out, zt_error *err);

/// The view of the shadow map of a directional light: world space -> clip space with y downwards.
void peer_shadow_view(const scene_framing *framing, const double direction[3], int32_t size,
                      peer_shadow *out);
