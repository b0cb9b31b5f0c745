// SPDX-License-Identifier: MIT
/// Models from files, whatever their format.
#ifndef ZT_LOAD_LOAD_H
#define ZT_LOAD_LOAD_H

#include "model/model.h"
#include "model/model_source.h"

/// Recognises the format by the content and reads the model. The message about a file of another
/// format names that format.
zt_result model_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);

/// The input of a reader from the caller's zt_load_def; `bytes` is for the caller to fill.
model_source model_source_of(const zt_load_def *def, const char *path);

#endif
