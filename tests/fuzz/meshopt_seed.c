// SPDX-License-Identifier: MIT
/// Writes the seeds of corpus/meshopt into a folder; fuzz_meshopt.c explains their first bytes.
#include "unit/meshopt_encode.h"

#include <meshoptimizer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 24, STRIDE = 8 };

static bool write_seed(const char *folder, const char *name, const uint8_t head[4],
                       const uint8_t *stream, size_t size)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    const bool written =
        fwrite(head, 1, 4, file) == 4 && (size == 0 || fwrite(stream, 1, size, file) == size);
    return fclose(file) == 0 && written;
}

int main(int count, char **arguments)
{
    if (count != 2) {
        fputs("usage: meshopt_seed FOLDER\n", stderr);
        return 2;
    }
    uint8_t elements[COUNT * STRIDE], buffer[1024], head[4] = {0, 0, COUNT / 3, STRIDE};
    unsigned index[COUNT];
    bool written = true;
    for (unsigned i = 0; i < sizeof elements; i++)
        elements[i] = (uint8_t)(i / STRIDE * (i % STRIDE));
    for (unsigned i = 0; i < COUNT; i++)
        index[i] = i / 3 + i % 3;
    for (uint8_t channel = 0; channel < 3; channel++) {
        char name[16];
        size_t size;
        const meshopt_choice choice = {channel, -1};
        uint8_t *stream = meshopt_encode_1(elements, COUNT, STRIDE, choice, &size);
        snprintf(name, sizeof name, "channel_%u", channel);
        head[1] = channel; // a filter for each
        written = written && write_seed(arguments[1], name, head, stream, size);
        free(stream);
    }
    head[1] = 4;
    size_t size = meshopt_encodeVertexBuffer(buffer, sizeof buffer, elements, COUNT, STRIDE);
    written = written && write_seed(arguments[1], "version_0", head, buffer, size);
    head[0] = 1;
    head[1] = 0;
    head[3] = 4;
    size = meshopt_encodeIndexBuffer(buffer, sizeof buffer, index, COUNT);
    written = written && write_seed(arguments[1], "triangles", head, buffer, size);
    head[0] = 2;
    meshopt_encodeIndexVersion(1);
    size = meshopt_encodeIndexSequence(buffer, sizeof buffer, index, COUNT);
    written = written && write_seed(arguments[1], "indices", head, buffer, size);
    return written ? 0 : 1;
}
