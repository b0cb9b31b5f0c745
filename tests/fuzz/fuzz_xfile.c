// SPDX-License-Identifier: MIT
/// Feeds bytes to the reader of DirectX .x files.
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "xfile/xfile.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&xfile_format, "fuzz.x", data, size);
}
