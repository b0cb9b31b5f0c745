// SPDX-License-Identifier: MIT
/// Models from files, whatever their format.
#pragma once

#include "model/model.h"
#include "model/model_source.h"

/// Recognises the format by content and reads the model. Messages name the format of other files.
zt_result model_read(const model_source *source, zt_model *model, arena *scratch, zt_error *err);

/// ZT_ERR_ARGUMENT when a word, the allocator or a number is wrong.
zt_result load_def_check(const zt_load_def *def, zt_error *err);

/// The input of a reader from the caller's zt_load_def; `bytes` is for the caller to fill.
model_source model_source_of(const zt_load_def *def, const char *path);
/// Fills the bytes of a source: from its file, or from memory, then its files come from `supply`.
zt_result model_source_read(model_source *source, const zt_load_def *def, file_supply *supply,
                            arena *a, zt_error *err);
