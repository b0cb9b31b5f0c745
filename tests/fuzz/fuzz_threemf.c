// SPDX-License-Identifier: MIT
/// Feeds bytes to the 3MF reader.
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "threemf/threemf.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&threemf_format, "fuzz.3mf", data, size);
}
