// SPDX-License-Identifier: MIT
/// The reader of glTF 2.0: .gltf and .glb.
#pragma once

#include "model/model.h"
#include "model/model_format.h"

extern const model_format gltf_format;

/// gltf_format.read.
zt_result gltf_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);
