// SPDX-License-Identifier: MIT
/// What the targets of the picture decoders share: decode under a budget of 64 MiB, then read every
/// byte that a success promises and build mip levels from it.
#pragma once

#include "fuzz_memory.h"
#include "model/model.h"
#include "texture/mipmap.h"
#include "texture/texture_file.h"

#include <stdlib.h>
#include <string.h>

typedef zt_result (*fuzz_decoder)(arena *a, const char *name, file_bytes bytes, picture *out,
                                  zt_error *err);

/// A broken promise aborts, so that it is found without a sanitizer too.
static void fuzz_require(bool condition)
{
    if (!condition)
        abort();
}

static void fuzz_check_picture(arena *a, const picture *p)
{
    fuzz_require(p->width >= 1 && p->width <= PICTURE_SIDE_LIMIT && p->height >= 1 &&
                 p->height <= PICTURE_SIDE_LIMIT && p->level_count >= 1 && p->level_count <= 15);
    unsigned sum = 0;
    for (int32_t level = 0; level < p->level_count; level++) {
        const size_t width = (size_t)(p->width >> level ? p->width >> level : 1);
        const size_t height = (size_t)(p->height >> level ? p->height >> level : 1);
        const uint8_t *bytes = p->level[level];
        const size_t row = width * (p->format == PICTURE_RGBA16 ? 8u
                                    : p->format == PICTURE_RGB8 ? 3u
                                                                : 4u);
        const size_t pitch = level == 0 && p->pitch ? p->pitch : row;
        for (size_t i = 0; i < row * height; i++)
            sum += bytes[i / row * pitch + i % row];
    }
    mipmap m;
    const zt_result r = mipmap_build(a, p, sum % 2 ? MIPMAP_COLOR : MIPMAP_NORMAL, MIPMAP_REPEAT,
                                     MIPMAP_CLAMP, true, &m, NULL);
    fuzz_result(r);
    fuzz_require(r == ZT_OK || r == ZT_ERR_LIMIT || r == ZT_ERR_MEMORY);
}

/// True when the picture has this size, or is reduced from it.
static bool is_halved(int32_t width, int32_t height, const picture *p)
{
    while (width > p->width || height > p->height) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
    }
    return width == p->width && height == p->height;
}

static void fuzz_picture(fuzz_decoder decode, const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size + 1); // file_bytes end with a 0
    if (!exact) {
        fuzz_result(ZT_ERR_MEMORY);
        return;
    }
    if (size)
        memcpy(exact, data, size);
    exact[size] = 0;
    budget memory;
    arena a;
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&a, &memory);
    picture out;
    zt_error err = {ZT_OK, ""};
    picture measured;
    const bool has_size = picture_measure((file_bytes){exact, size}, &measured);
    const zt_result r = decode(&a, "fuzz", (file_bytes){exact, size}, &out, &err);
    if (r == ZT_OK && has_size)
        fuzz_require(is_halved(measured.width, measured.height, &out));
    fuzz_result(r);
    fuzz_require(r == ZT_OK || r == ZT_ERR_FORMAT || r == ZT_ERR_LIMIT || r == ZT_ERR_MEMORY);
    fuzz_require(r == ZT_OK || (err.code == r && err.message[0]));
    if (r == ZT_OK)
        fuzz_check_picture(&a, &out);
    arena_finish(&a);
    fuzz_require(memory.used == 0);
    free(exact);
}
