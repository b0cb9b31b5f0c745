// SPDX-License-Identifier: MIT
/// Fuzz target: WebP files from memory, under a small memory budget.
#include "fuzz_picture.h"
#include "image/picture_codecs.h"

void fuzz_input(const uint8_t *data, size_t size) { fuzz_picture(webp_decode, data, size); }
