// SPDX-License-Identifier: MIT
/// Feeds bytes to the OBJ reader. A file that it names is the same bytes, as an MTL.
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "obj/obj.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    fuzz_reader(&obj_format, "fuzz.obj", data, size);
}
