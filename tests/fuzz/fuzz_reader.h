// SPDX-License-Identifier: MIT
/// Targets that feed bytes to one reader of models.
#pragma once

#include "model/model_format.h"

#include <stddef.h>
#include <stdint.h>

/// Reads the bytes as a file of this name. Files that it names are the same bytes.
void fuzz_reader(const model_format *format, const char *path, const uint8_t *data, size_t size);
