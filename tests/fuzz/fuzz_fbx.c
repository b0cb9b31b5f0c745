// SPDX-License-Identifier: MIT
/// Feeds bytes to the FBX reader.
#include "fbx/fbx.h"
#include "fuzz_memory.h"
#include "fuzz_reader.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&fbx_format, "fuzz.fbx", data, size);
}
