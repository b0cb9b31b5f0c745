// SPDX-License-Identifier: MIT
/// Caller-owned 8-bit pictures: making, giving back, and the hash of their pixels that goldens and
/// --verify compare.
#include "base/hash.h"
#include "image/image_check.h"

#include <stdlib.h>

zt_result image_check_size(int64_t width, int64_t height, zt_error *err)
{
    if (width < 1 || height < 1)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "picture of %lld x %lld pixels (expected 1 to %d a side)", (long long)width,
                       (long long)height, PICTURE_SIDE_LIMIT);
    if (width > PICTURE_SIDE_LIMIT || height > PICTURE_SIDE_LIMIT)
        return zt_fail(err, ZT_ERR_LIMIT, "picture of %lld x %lld pixels (at most %d a side)",
                       (long long)width, (long long)height, PICTURE_SIDE_LIMIT);
    return ZT_OK;
}

zt_result image_check(const zt_image *image, zt_error *err)
{
    if (!image || !image->rgba8)
        return zt_fail(err, ZT_ERR_ARGUMENT, "picture without pixels");
    ZT_TRY(image_check_size(image->width, image->height, err));
    if (image->stride < (size_t)image->width * 4)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "picture %d pixels wide with a stride of %zu bytes (expected %zu or more)",
                       image->width, image->stride, (size_t)image->width * 4);
    return ZT_OK;
}

zt_result zt_image_init(zt_image *out_image, int32_t width, int32_t height, zt_error *err)
{
    if (!out_image)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_image_init: no picture to fill");
    *out_image = (zt_image){0};
    ZT_TRY(image_check_size(width, height, err));
    // At most 2^30 bytes after the check, so the product fits any size_t that we build for.
    const size_t stride = (size_t)width * 4;
    uint8_t *pixels = calloc((size_t)height, stride);
    if (!pixels)
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a picture of %d x %d pixels", width,
                       height);
    *out_image = (zt_image){.rgba8 = pixels, .width = width, .height = height, .stride = stride};
    return ZT_OK;
}

void zt_image_finish(zt_image *image)
{
    if (!image)
        return;
    free(image->rgba8);
    *image = (zt_image){0};
}

uint64_t zt_image_hash(const zt_image *image)
{
    uint64_t hash = HASH_START;
    if (!image || !image->rgba8 || image->width < 0 || image->height < 0)
        return hash;
    uint8_t size[8];
    for (int i = 0; i < 4; i++) {
        size[i] = (uint8_t)((uint32_t)image->width >> (8 * i));
        size[4 + i] = (uint8_t)((uint32_t)image->height >> (8 * i));
    }
    hash = hash_bytes(hash, size, sizeof size);
    for (size_t y = 0; y < (size_t)image->height; y++)
        hash = hash_bytes(hash, image->rgba8 + y * image->stride, (size_t)image->width * 4);
    return hash;
}
