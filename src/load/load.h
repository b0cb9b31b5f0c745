// SPDX-License-Identifier: MIT
/// Which reader opens a model file.
#ifndef ZT_LOAD_LOAD_H
#define ZT_LOAD_LOAD_H

#include "model/model.h"
#include "model/model_source.h"

/// Tells the formats apart by content (a glTF is JSON or starts with "glTF"; an .m3d starts with
/// asterisks) and calls the reader; says so when it meets another format of the same extension.
zt_result model_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);

/// What a reader gets from the caller's zt_load_def, with `bytes` to be filled in.
model_source model_source_of(const zt_load_def *def, const char *path);

#endif
