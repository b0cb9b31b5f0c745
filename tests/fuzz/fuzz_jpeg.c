// SPDX-License-Identifier: MIT
/// Fuzz target: JPEG files from memory, under a small memory budget.
#include "fuzz_picture.h"
#include "image/picture_codecs.h"

/// At every scale: the size of the input says which.
static zt_result decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    const picture_need need = {.min_side = (int32_t)(bytes.size % 4) * 2};
    return jpeg_decode(a, name, bytes, need, out, err);
}

void fuzz_input(const uint8_t *data, size_t size) { fuzz_picture(decode, data, size); }
