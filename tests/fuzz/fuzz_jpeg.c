// SPDX-License-Identifier: MIT
/// Fuzz target: JPEG files from memory, under a small memory budget.
#include "fuzz_picture.h"
#include "image/picture.h"

/// At every scale: the size of the input says which.
static zt_result decode(arena *a, const char *name, file_bytes bytes, picture *out, zt_error *err)
{
    const int32_t least_side = (int32_t)(bytes.size % 4);
    return jpeg_decode(a, name, bytes, least_side * 2, out, err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_picture(decode, data, size);
}
