// SPDX-License-Identifier: MIT
/// Wrote the seeds in corpus/exr: exr_seed COMPRESSION lines|tiles|levels half|float|chroma|layer
/// FILE. COMPRESSION is the number in the file: 0 none, 1 RLE, 2 ZIPS, 3 ZIP, 4 PIZ, 5 PXR24, 6
/// B44, 7 B44A.
#include "unit/exr_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_channels(exr_recipe *r, const char *kind)
{
    static const exr_recipe_channel chroma[] = {
        {"BY", EXR_PIXEL_HALF, 2}, {"RY", EXR_PIXEL_HALF, 2}, {"Y", EXR_PIXEL_HALF, 1}};
    static const exr_recipe_channel layer[] = {
        {"a.B", EXR_PIXEL_UINT, 1}, {"a.G", EXR_PIXEL_HALF, 1}, {"a.R", EXR_PIXEL_FLOAT, 1}};
    const exr_pixel_type_t type = strcmp(kind, "half") == 0 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT;
    const exr_recipe_channel rgb[] = {{"B", type, 1}, {"G", type, 1}, {"R", type, 1}};
    if (strcmp(kind, "chroma") == 0)
        memcpy(r->channel, chroma, sizeof chroma);
    else if (strcmp(kind, "layer") == 0)
        memcpy(r->channel, layer, sizeof layer);
    else
        memcpy(r->channel, rgb, sizeof rgb);
}

int main(int count, char **arguments)
{
    if (count != 5) {
        fputs("usage: exr_seed 0-7 lines|tiles|levels half|float|chroma|layer FILE\n", stderr);
        return 2;
    }
    const exr_attr_chromaticities_t primaries = {0.713f, 0.293f, 0.165f,   0.830f,
                                                 0.128f, 0.044f, 0.32168f, 0.33767f};
    exr_recipe r = {.compression = (exr_compression_t)atoi(arguments[1]),
                    .data = {-2, 0, 19, 11},
                    .display = {0, 0, 17, 9},
                    .tile = {8, 8}};
    r.storage = strcmp(arguments[2], "lines") == 0 ? EXR_STORAGE_SCANLINE : EXR_STORAGE_TILED;
    r.mipmap = strcmp(arguments[2], "levels") == 0;
    r.chromaticities = strcmp(arguments[3], "half") == 0 ? &primaries : NULL;
    set_channels(&r, arguments[3]);
    size_t size = 0;
    uint8_t *bytes = exr_encode(&r, &size);
    FILE *file = bytes ? fopen(arguments[4], "wb") : NULL;
    const bool written = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        fclose(file);
    free(bytes);
    return written ? 0 : 1;
}
