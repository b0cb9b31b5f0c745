// SPDX-License-Identifier: MIT
/// Feeds bytes to the .m3d reader; files that look like nothing get the header's title first.
#include "fuzz_memory.h"
#include "fuzz_reader.h"
#include "m3d/m3d.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    static const char title[] = "***m3d-File-Header***\n";
    const size_t before = size > 0 && data[0] == '*' ? 0 : sizeof title - 1;
    uint8_t *bytes = malloc(before + size);
    if (!bytes)
        return;
    memcpy(bytes, title, before);
    if (size > 0)
        memcpy(bytes + before, data, size);
    fuzz_reader(&(fuzz_reading){&m3d_format, "fuzz.m3d", false, NULL}, bytes, before + size);
    free(bytes);
}
