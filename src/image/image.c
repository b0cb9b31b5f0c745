// SPDX-License-Identifier: MIT
/// zt_image, a picture of 8-bit RGBA that the caller owns: allocation, and the hash that goldens
/// and
/// --verify compare.
#define _DEFAULT_SOURCE // madvise
#include "image/image.h"

#include "base/budget.h"
#include "base/hash.h"

#include <stdlib.h>
#include <sys/mman.h>

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
    if (image->stride > INT32_MAX) // codecs count in int
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "picture with a stride of %zu bytes (expected at most %d)", image->stride,
                       (int)INT32_MAX);
    return ZT_OK;
}

/// Asks for huge pages in `size` bytes. The rows of a tile are pages apart, and a new page of 4 KiB
/// takes half a microsecond. A picture is written as a whole, so it takes no more memory.
static void use_huge_pages(uint8_t *pixels, size_t size)
{
#if defined(MADV_HUGEPAGE)
    const size_t huge_page = (size_t)2 << 20; // of x86-64, and of AArch64 with small pages of 4 KiB
    const size_t before = (huge_page - (uintptr_t)pixels % huge_page) % huge_page;
    if (size >= before + huge_page)
        (void)madvise(pixels + before, (size - before) / huge_page * huge_page, MADV_HUGEPAGE);
#else
    (void)pixels;
    (void)size;
#endif
}

zt_result zt_image_init(zt_image *out_image, int32_t width, int32_t height, zt_budget *whole,
                        zt_error *err)
{
    if (!out_image)
        return zt_fail(err, ZT_ERR_ARGUMENT, "zt_image_init: no picture to fill");
    *out_image = (zt_image){0};
    ZT_TRY(image_check_size(width, height, err));
    // At most 2^30 bytes after the check, so the product cannot overflow.
    const size_t stride = (size_t)width * 4;
    const uint64_t charge = budget_charge_of((size_t)height * stride);
    if (!zt_budget_take(whole, charge))
        return zt_fail(err, ZT_ERR_LIMIT,
                       "a picture of %d x %d pixels does not fit into the memory limit of %llu "
                       "bytes",
                       width, height, (unsigned long long)zt_budget_limit(whole));
    // Rows begin with a cache line. A row of a tile is then four lines in most pictures, not five,
    // and none of them belongs to the next tile, which another thread may write.
    const size_t line = 64, size = (size_t)height * stride;
    uint8_t *memory = calloc(1, size + line);
    if (!memory) {
        zt_budget_give(whole, charge);
        return zt_fail(err, ZT_ERR_MEMORY, "no memory for a picture of %d x %d pixels", width,
                       height);
    }
    uint8_t *pixels = memory + (line - (uintptr_t)memory % line) % line;
    use_huge_pages(pixels, size);
    *out_image = (zt_image){.rgba8 = pixels,
                            .width = width,
                            .height = height,
                            .stride = stride,
                            .budget = whole,
                            .memory = memory};
    return ZT_OK;
}

void zt_image_finish(zt_image *image)
{
    if (!image)
        return;
    if (image->rgba8) { // otherwise the caller has passed the pixels on
        if (image->height > 0)
            zt_budget_give(image->budget, budget_charge_of((size_t)image->height * image->stride));
        free(image->memory ? image->memory : image->rgba8);
    }
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
