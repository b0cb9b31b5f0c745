// SPDX-License-Identifier: MIT
/// Fuzz target: OpenEXR pictures from memory, under a small memory budget.
#include "fuzz_picture.h"

void fuzz_input(const uint8_t *data, size_t size) { fuzz_light(exr_decode, data, size); }
