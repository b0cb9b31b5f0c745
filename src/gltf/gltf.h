// SPDX-License-Identifier: MIT
/// The reader of glTF 2.0: .gltf and .glb.
#ifndef ZT_GLTF_GLTF_H
#define ZT_GLTF_GLTF_H

#include "model/model.h"
#include "model/model_source.h"

/// Fills a zeroed zt_model whose arena is ready; on failure the caller discards the arena.
/// `scratch` is for what is not kept.
zt_result gltf_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);

#endif
