// SPDX-License-Identifier: MIT
/// Fuzz target: arbitrary bytes as a meshopt stream of some layout, which the first four bytes
/// choose. Decoding stays inside the elements, whatever the bytes are, and so does the filter.

#include "fuzz_memory.h"
#include "mesh/meshopt.h"

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < 4)
        return;
    const meshopt_layout layout = {(meshopt_mode)(data[0] % 3), (meshopt_filter)(data[1] % 5),
                                   data[2] * 3u, data[3]};
    if (!meshopt_layout_valid(&layout))
        return;
    // A block of the exact size, so that a step outside is seen.
    uint8_t *out = malloc(layout.count * layout.stride);
    if ((out || layout.count == 0) && meshopt_decode(&layout, data + 4, size - 4, out))
        meshopt_unfilter(&layout, out);
    free(out);
}
