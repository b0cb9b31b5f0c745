// SPDX-License-Identifier: MIT
/// Whole scenes from text, by a file and the public interface; paths in them are absolute.
#pragma once

#include "scene/scene.h"
#include "testing.h"

extern zt_error err;

/// The scene, or NULL when another result than ZT_OK is expected; any other fails the test.
zt_scene *scene_of_text(const char *text, zt_result expected);
