// SPDX-License-Identifier: MIT
/// The environment of a glTF file.
#pragma once

#include "gltf/gltf_file.h"
#include "model/model.h"

/// Sets model->environment from EXT_lights_image_based of the shown scene; NULL when it has none.
/// Images that are missing or broken leave the environment out, with a warning.
zt_result gltf_read_environment(gltf_file *file, zt_model *model);
