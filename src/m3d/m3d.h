// SPDX-License-Identifier: MIT
/// The reader of Luna's .m3d, a text format.
#ifndef ZT_M3D_M3D_H
#define ZT_M3D_M3D_H

#include "model/model.h"
#include "model/model_format.h"

extern const model_format m3d_format;

/// m3d_format.read.
zt_result m3d_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);

#endif
