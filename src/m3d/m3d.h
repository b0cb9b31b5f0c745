// SPDX-License-Identifier: MIT
/// The reader of Luna's .m3d, a text format.
#ifndef ZT_M3D_M3D_H
#define ZT_M3D_M3D_H

#include "model/model.h"
#include "model/model_source.h"

/// Fills a zeroed zt_model whose arena is ready; on failure the caller discards the arena.
/// `scratch` is for what is not kept.
zt_result m3d_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);

#endif
