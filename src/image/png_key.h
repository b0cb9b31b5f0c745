// SPDX-License-Identifier: MIT
/// A frame's key in its PNG, by which a later run knows it: tEXt "Zoetrope", 16 hex digits.
#pragma once

#include "base/file.h"

enum { PNG_KEY_CHUNK_BYTES = 12 + 9 + 16 };

/// Writes the chunk; returns its end.
uint8_t *png_key_write(uint64_t key, uint8_t *out);

/// True when `bytes` are a whole PNG (all its chunks with right checksums, to the end) of this size
/// with this key. The compressed pixels are covered by the checksums and not read.
bool png_key_matches(file_bytes bytes, uint64_t key, int32_t width, int32_t height);
