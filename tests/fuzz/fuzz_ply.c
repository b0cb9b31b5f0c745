// SPDX-License-Identifier: MIT
/// Feeds bytes to the PLY reader.
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "ply/ply.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&ply_format, "fuzz.ply", data, size);
}
