// SPDX-License-Identifier: MIT
/// Shared by the targets of the picture decoders: decode under a budget of 64 MiB, then read every
/// byte that a success promises, and of textures build mip levels.
#pragma once

#include "fuzz_memory.h"
#include "image/hdr_picture.h"
#include "model/model.h"
#include "texture/mipmap.h"
#include "texture/texture_file.h"

#include <float.h>

typedef zt_result (*fuzz_light_decoder)(arena *a, const char *name, file_bytes bytes,
                                        hdr_picture *out, zt_error *err);
typedef zt_result (*fuzz_decoder)(arena *a, const char *name, file_bytes bytes, picture *out,
                                  zt_error *err);

static inline void fuzz_check_picture(arena *a, const picture *p)
{
    require(p->width >= 1 && p->width <= PICTURE_SIDE_LIMIT && p->height >= 1 &&
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
    require(r == ZT_OK || r == ZT_ERR_LIMIT || r == ZT_ERR_MEMORY);
}

/// True when the picture has this size, or is reduced from it.
static inline bool is_halved(int32_t width, int32_t height, const picture *p)
{
    while (width > p->width || height > p->height) {
        width = width > 1 ? width / 2 : 1;
        height = height > 1 ? height / 2 : 1;
    }
    return width == p->width && height == p->height;
}

/// Calls `check` with bytes that end with a 0 outside the file, and an empty arena of 64 MiB.
static inline void fuzz_file(const void *decoder, void (*check)(const void *, arena *, file_bytes),
                             const uint8_t *data, size_t size)
{
    uint8_t *exact = fuzz_copy(data, size);
    if (!exact) {
        fuzz_result(ZT_ERR_MEMORY);
        return;
    }
    budget memory;
    arena a;
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&a, &memory);
    check(decoder, &a, (file_bytes){exact, size});
    arena_finish(&a);
    require(memory.used == 0);
    free(exact);
}

static inline void fuzz_check_result(zt_result r, zt_result or_this, const zt_error *err)
{
    fuzz_result(r);
    require(r == ZT_OK || r == ZT_ERR_FORMAT || r == ZT_ERR_LIMIT || r == ZT_ERR_MEMORY ||
            r == or_this);
    require(r == ZT_OK || (err->code == r && err->message[0]));
}

static inline void fuzz_decode(const void *decoder, arena *a, file_bytes bytes)
{
    picture out, measured;
    zt_error err = {ZT_OK, ""};
    const bool has_size = picture_measure(bytes, &measured);
    const zt_result r = (*(const fuzz_decoder *)decoder)(a, "fuzz", bytes, &out, &err);
    if (r == ZT_OK && has_size)
        require(is_halved(measured.width, measured.height, &out));
    fuzz_check_result(r, ZT_ERR_FORMAT, &err);
    if (r == ZT_OK)
        fuzz_check_picture(a, &out);
}

static inline void fuzz_picture(fuzz_decoder decode, const uint8_t *data, size_t size)
{
    fuzz_file(&decode, fuzz_decode, data, size);
}

static inline void fuzz_decode_light(const void *decoder, arena *a, file_bytes bytes)
{
    hdr_picture out;
    zt_error err = {ZT_OK, ""};
    const zt_result r = (*(const fuzz_light_decoder *)decoder)(a, "fuzz", bytes, &out, &err);
    fuzz_check_result(r, ZT_ERR_UNSUPPORTED, &err);
    require((r == ZT_OK) == (out.rgb != NULL));
    if (r != ZT_OK)
        return;
    require(out.width >= 1 && out.width <= PICTURE_SIDE_LIMIT && out.height >= 1 &&
            out.height <= PICTURE_SIDE_LIMIT);
    for (size_t i = 0; i < (size_t)out.width * (size_t)out.height * 3; i++)
        require(out.rgb[i] >= 0.0f && out.rgb[i] <= FLT_MAX);
}

/// A picture of light.
static inline void fuzz_light(fuzz_light_decoder decode, const uint8_t *data, size_t size)
{
    fuzz_file(&decode, fuzz_decode_light, data, size);
}
