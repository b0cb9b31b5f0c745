// SPDX-License-Identifier: MIT
/// Surfaces that light what is near them. Read by `frame.c` once the draws have memory.
#pragma once

#include "scene/scene.h"

struct frame;

/// True when frames may have emitters, which are measured by the bounds of the shot.
bool emitters_need_framing(const zt_scene *scene);

/// Adds the emitters among the draws to the lights of the frame, at most FRAME_EMITTERS. Poses the
/// meshes that have them, whose vertices are allocated.
void frame_emitters(struct frame *f);
