// SPDX-License-Identifier: MIT
/// Shared by the targets of the encoders: a picture whose size and pixels follow from the input.
#pragma once

#include "fuzz_memory.h"
#include "image/picture_writer.h"

enum { FUZZ_PIXELS_HEADER = 6, FUZZ_PIXELS_SIDE = 16384, FUZZ_ROW_GAP = 8 };

/// Pixels from `data`, which is repeated: as they are, each `step` times in a row, or rows again.
static inline void fuzz_fill(zt_image *image, const uint8_t *data, size_t size, int kind,
                             size_t step)
{
    size_t at = 0;
    for (size_t y = 0; y < (size_t)image->height; y++) {
        uint8_t *row = image->rgba8 + y * image->stride;
        memset(row, 0x5a, image->stride);
        for (size_t x = 0; x < (size_t)image->width; x++) {
            const size_t from = (kind & 1) ? at / step : at;
            for (size_t k = 0; k < 4; k++)
                row[4 * x + k] = size ? data[(from * 4 + k) % size] : 0;
            if (kind & 2)
                row[4 * x + 3] = 255;
            if ((kind & 4) && y % step != 0)
                memcpy(row + 4 * x, row + 4 * x - image->stride, 4);
            at++;
        }
    }
}

/// The first FUZZ_PIXELS_HEADER bytes say width, height, kind and step. Kind: 1, 2 and 4 as in
/// fuzz_fill(), 8: alpha is kept, 16: bytes between the rows, 32: up to `many` pixels, not `few`.
/// The caller frees rgba8, which is NULL when there is no memory.
static inline zt_image fuzz_pixels(const uint8_t *data, size_t size, int32_t few, int32_t many)
{
    zt_image image = {.width = data[0] | (data[1] & 63) << 8, .height = data[2] | data[3] << 8};
    image.width += image.width == 0;
    const int32_t pixels = data[4] & 32 ? many : few;
    const int32_t tallest = image.width < pixels ? pixels / image.width : 1;
    image.height = image.height % (tallest < FUZZ_PIXELS_SIDE ? tallest : FUZZ_PIXELS_SIDE) + 1;
    image.stride = 4 * (size_t)image.width + (data[4] & 16 ? FUZZ_ROW_GAP : 0);
    image.keep_alpha = (data[4] & 8) != 0;
    image.rgba8 = calloc(image.stride, (size_t)image.height + 3); // fuzz_planes()
    if (image.rgba8)
        fuzz_fill(&image, data + FUZZ_PIXELS_HEADER, size - FUZZ_PIXELS_HEADER, data[4],
                  (size_t)data[5] + 1);
    return image;
}

/// The picture, and its bytes as numbers: a line of colours overlaps with the three below it.
static inline picture_planes fuzz_planes(const zt_image *image)
{
    const plane_memory memory = {image->rgba8, image->stride};
    return (picture_planes){
        .width = image->width,
        .height = image->height,
        .color8 = *image,
        .plane = {[PLANE_COLOR] = memory, [PLANE_DEPTH] = memory, [PLANE_OBJECT] = memory}};
}

/// The writer of an encoder's target.
typedef struct fuzz_encoding {
    const char *format;
    zt_encode_def def;
    uint64_t memory_mib;
    zt_result result; ///< of all but the runs without memory
    /// Aborts when the file does not show the picture.
    void (*check)(const zt_image *image, file_bytes file);
} fuzz_encoding;

/// Writes the picture, which it frees. The file has the key that is asked for, and no other.
static inline void fuzz_encode(zt_image *image, const fuzz_encoding *how)
{
    const picture_planes all = fuzz_planes(image);
    const bool numbers = strcmp(how->format, "exr") == 0;
    const picture_planes planes = numbers ? all : picture_planes_only(&all, PICTURE_PLANE_COLOR8);
    const uint64_t key = how->def.key;
    const picture_writer *writer = NULL;
    budget memory;
    arena a;
    file_bytes file;
    if (!image->rgba8)
        return;
    budget_init(&memory, how->memory_mib << 20, NULL);
    arena_init(&a, &memory);
    require(picture_writer_find(how->format, &writer, NULL) == ZT_OK);
    const zt_result r = writer->encode(&planes, &how->def, &a, &file, NULL);
    fuzz_result(r);
    require(r == how->result || r == ZT_ERR_MEMORY);
    if (r == ZT_OK) {
        require(writer->known(file, key, image->width, image->height) == how->def.has_key);
        require(!writer->known(file, key + 1, image->width, image->height));
        fuzz_pause(true);
        how->check(image, file);
        fuzz_pause(false);
    }
    arena_finish(&a);
    require(memory.used == 0);
    free(image->rgba8);
}
