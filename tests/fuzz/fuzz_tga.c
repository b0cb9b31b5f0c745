// SPDX-License-Identifier: MIT
/// Fuzz target: TGA files from memory, under a small memory budget.
#include "fuzz_picture.h"
#include "texture/texture_codecs.h"

void fuzz_input(const uint8_t *data, size_t size) { fuzz_picture(tga_decode, data, size); }
