// SPDX-License-Identifier: MIT
/// Wrote the seeds in corpus/draco: draco_seed SIDE sequential|edgebreaker BITS FILE.
#include "unit/draco_encode.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **arguments)
{
    if (count != 5) {
        fputs("usage: draco_seed SIDE sequential|edgebreaker BITS FILE\n", stderr);
        return 2;
    }
    const int bits = atoi(arguments[3]);
    const draco_settings settings = {strcmp(arguments[2], "sequential") == 0, bits,
                                     bits > 3 ? bits - 3 : 0};
    draco_sample sample = draco_sample_make((uint32_t)atoi(arguments[1]));
    size_t size = 0;
    uint8_t *stream = draco_encode(&sample, &settings, &size);
    FILE *file = stream ? fopen(arguments[4], "wb") : NULL;
    const bool written = file && fwrite(stream, 1, size, file) == size;
    if (file)
        fclose(file);
    free(stream);
    draco_sample_free(&sample);
    return written ? 0 : 1;
}
