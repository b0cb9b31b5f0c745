// SPDX-License-Identifier: MIT
/// Fuzz target: the fast PNG encoder. The first bytes say the size of the picture, whether it is
/// opaque and how its pixels follow from the others, the file must decode to the same pixels.
#include "../unit/png_oracle.h"
#include "fuzz_pixels.h"

enum { FEW_PIXELS = 1 << 12, BANDS_OF_PIXELS = 1 << 17 };

static void check_file(const zt_image *image, file_bytes file)
{
    png_facts facts;
    require(png_oracle(file, image, &facts) == NULL);
    require(facts.compressed <=
            facts.raw + (facts.raw / 65535 + 1) * 5 + (size_t)facts.idat_chunks * 10 + 6);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < FUZZ_PIXELS_HEADER)
        return;
    zt_image image = fuzz_pixels(data, size, FEW_PIXELS, BANDS_OF_PIXELS);
    fuzz_encode(&image, &(fuzz_encoding){.format = "png",
                                         .def = {.png = ZT_PNG_FAST},
                                         .memory_mib = 64,
                                         .check = check_file});
}
