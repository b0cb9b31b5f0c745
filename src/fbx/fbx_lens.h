// SPDX-License-Identifier: MIT
/// Cameras and lights of FBX.
#pragma once

#include "fbx/fbx_parts.h"

zt_result fbx_make_cameras(fbx_file *f, zt_error *err);
