// SPDX-License-Identifier: MIT
/// Fuzz target: the fast PNG encoder. The first bytes say the size of the picture, whether it is
/// opaque and how its pixels follow from the others, the file must decode to the same pixels.
#include "../unit/png_oracle.h"
#include "fuzz_pixels.h"
#include "image/png_write.h"

enum { FEW_PIXELS = 1 << 12, BANDS_OF_PIXELS = 1 << 17 };

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < FUZZ_PIXELS_HEADER)
        return;
    const zt_image image = fuzz_pixels(data, size, FEW_PIXELS, BANDS_OF_PIXELS);
    if (!image.rgba8)
        return;
    budget memory;
    arena a;
    budget_init(&memory, (uint64_t)64 << 20, NULL);
    arena_init(&a, &memory);
    file_bytes file;
    png_facts facts;
    const zt_result r = png_encode(&image, ZT_PNG_FAST, &a, &file, NULL);
    fuzz_result(r);
    require(r == ZT_OK || r == ZT_ERR_MEMORY);
    fuzz_pause(true);
    if (r == ZT_OK) {
        require(png_oracle(file, &image, &facts) == NULL);
        require(facts.compressed <=
                facts.raw + (facts.raw / 65535 + 1) * 5 + (size_t)facts.idat_chunks * 10 + 6);
    }
    fuzz_pause(false);
    arena_finish(&a);
    require(memory.used == 0);
    free(image.rgba8);
}
