// SPDX-License-Identifier: MIT
/// Shared by the programs that check examples of docs/library.md, behind the example's own headers.
#pragma once

#include <stdio.h>
#include <stdlib.h>

static int faults;

static void require(bool holds, const char *what, const zt_error *err)
{
    if (holds)
        return;
    faults++;
    fprintf(stderr, "%s (%s)\n", what, err->message);
}

static void write_file(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        exit(6);
}

/// Pixel hash of a frame of 64 x 64 pixels.
static uint64_t hash_of(const zt_scene *scene, int64_t frame, zt_error *err)
{
    const zt_renderer_def def = zt_default_renderer_def();
    zt_renderer *renderer = NULL;
    zt_image image = {0};
    uint64_t hash = 0;
    if (zt_renderer_create(&def, &renderer, err) == ZT_OK &&
        zt_image_init(&image, 64, 64, NULL, err) == ZT_OK &&
        zt_render(renderer, scene, frame, &image, err) == ZT_OK)
        hash = zt_image_hash(&image);
    zt_image_finish(&image);
    zt_renderer_destroy(renderer);
    return hash;
}
