// SPDX-License-Identifier: MIT
/// The reader of Luna's .m3d, a text format.
#pragma once

#include "model/model.h"
#include "model/model_format.h"

extern const model_format m3d_format;

/// m3d_format.read.
zt_result m3d_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);
