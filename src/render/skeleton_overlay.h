// SPDX-License-Identifier: MIT
/// The look `skeleton`: bones and their axes, drawn over a finished picture.
#pragma once

#include "geometry/screen_view.h"
#include "scene/scene.h"

/// Draws a line from each bone to its parent, a dot at each joint, and short axes: x red, y green,
/// z blue. The bones of a chain, which ends where bones branch, have one colour. Models with skins
/// show the joints of their skins, others all nodes. `world_from_node`: [instance][node]. Fails
/// when the work of `a` is cancelled, or with ZT_ERR_MEMORY, ZT_ERR_LIMIT.
zt_result skeleton_draw(const zt_scene *scene, const mat4 *const *world_from_node,
                        const view_transform *transform, arena *a, zt_image *out, zt_error *err);
