// SPDX-License-Identifier: MIT
/// Feeds bytes to the STL reader, which takes any for one of its two forms.
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "stl/stl.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&stl_format, "fuzz.stl", data, size);
}
