// SPDX-License-Identifier: MIT
/// Names of model files that can be read, for folders, reports and desktops. Readers themselves go
/// by the content.
#pragma once

#include <stdbool.h>

#define MODEL_NAMES_TEXT ".glb, .gltf, .vrm, .m3d, .obj, .ply, .stl, .3mf, .fbx or .x"

/// True when a file of this name is read as a scene.
bool is_scene_name(const char *path);
/// The MIME type of a model by the suffix of its name, in any case; NULL: it is none.
const char *model_mime_type(const char *path);
