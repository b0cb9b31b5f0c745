// SPDX-License-Identifier: MIT
/// Fuzz target: the fast PNG encoder. The first bytes say the size of the picture, whether it is
/// opaque and how its pixels follow from the others, the file must decode to the same pixels.
#include "../unit/png_oracle.h"
#include "fuzz_memory.h"
#include "image/png_write.h"

#include <stdlib.h>
#include <string.h>

enum {
    HEADER = 6,
    FEW_PIXELS = 1 << 12,
    BANDS_OF_PIXELS = 1 << 17,
    ROW_GAP = 8,
    SIDE_LIMIT = 16384
};

static void require(bool condition)
{
    if (!condition)
        abort();
}

/// Pixels from `data`, which is repeated: as they are, each `step` times in a row, or rows again.
static void fill(zt_image *image, const uint8_t *data, size_t size, int kind, size_t step)
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

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < HEADER)
        return;
    zt_image image = {.width = data[0] | (data[1] & 63) << 8, .height = data[2] | data[3] << 8};
    image.width += image.width == 0;
    const int32_t pixels = data[4] & 32 ? BANDS_OF_PIXELS : FEW_PIXELS;
    const int32_t largest = image.width < pixels ? pixels / image.width : 1;
    image.height = image.height % (largest < SIDE_LIMIT ? largest : SIDE_LIMIT) + 1;
    image.stride = 4 * (size_t)image.width + (data[4] & 16 ? ROW_GAP : 0);
    image.keep_alpha = (data[4] & 8) != 0;
    image.rgba8 = malloc(image.stride * (size_t)image.height);
    if (!image.rgba8)
        return;
    fill(&image, data + HEADER, size - HEADER, data[4], (size_t)data[5] + 1);
    budget memory;
    arena a;
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&a, &memory);
    file_bytes file;
    png_facts facts;
    const zt_result r = png_encode(&image, ZT_PNG_FAST, &a, &file, NULL);
    fuzz_result(r);
    require(r == ZT_OK || r == ZT_ERR_MEMORY);
    const char *fault = r == ZT_OK ? png_oracle(file, &image, &facts) : NULL;
    if (r == ZT_OK && !fuzz_refused()) { // the oracle needs memory as well
        require(fault == NULL);
        require(facts.compressed <=
                facts.raw + (facts.raw / 65535 + 1) * 5 + (size_t)facts.idat_chunks * 10 + 6);
    }
    arena_finish(&a);
    require(memory.used == 0);
    free(image.rgba8);
}
