// SPDX-License-Identifier: MIT
/// Targets that feed bytes to one reader of models.
#pragma once

#include "model/model_format.h"

#include <stddef.h>
#include <stdint.h>

typedef struct fuzz_reading {
    const model_format *format;
    const char *path;
    bool same_files; ///< files that the model names are the same bytes; otherwise none is there
    /// Aborts when something is wrong with a model, or, where that is NULL, with the error; or
    /// NULL.
    void (*check)(const zt_model *model, const zt_error *err);
} fuzz_reading;

/// Reads the bytes as a file: a model, or a message.
void fuzz_reader(const fuzz_reading *how, const uint8_t *data, size_t size);
