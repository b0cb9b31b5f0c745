// SPDX-License-Identifier: MIT
/// Information in a glTF file about itself: the extensions that it uses, who wrote it, its extras.
#pragma once

#include "gltf/gltf_file.h"
#include "model/model.h"

/// Reports the extensions that the file uses or requires and that are not shown.
zt_result gltf_check_extensions(gltf_file *file);
/// Fills model->asset_info, for inspect.
zt_result gltf_read_asset_info(gltf_file *file, zt_model *model);
