// SPDX-License-Identifier: MIT
#include "writers.h"

#include <zoetrope/zoetrope.h>

#include <stdio.h>
#include <stdlib.h>

void png_append(byte_buffer *buffer, const built_image *image)
{
    const zt_image picture = {.rgba8 = image->rgba8,
                              .width = image->width,
                              .height = image->height,
                              .stride = (size_t)image->width * 4};
    zt_encode_def small = zt_default_encode_def();
    small.png = ZT_PNG_SMALL;
    uint8_t *bytes;
    size_t size;
    zt_error err;
    if (zt_image_encode(&picture, &small, &bytes, &size, &err) != ZT_OK) {
        fprintf(stderr, "generate_models: %s\n", err.message);
        exit(1);
    }
    buffer_append(buffer, bytes, size);
    zt_free(bytes);
}

bool png_save(const built_image *image, const char *folder, const char *name)
{
    byte_buffer buffer = {0};
    png_append(&buffer, image);
    const bool ok = buffer_save(&buffer, folder, name);
    free(buffer.data);
    return ok;
}
