// SPDX-License-Identifier: MIT
/// Fuzz target: the OpenEXR encoder. The first bytes say the picture (fuzz_pixels.h), whose bytes
/// are numbers, the next one how it is packed and whether the file has a key. OpenEXRCore must give
/// back every number.
#include "../unit/exr_fixture.h"
#include "fuzz_pixels.h"

enum { HEADER = FUZZ_PIXELS_HEADER + 1, PACKINGS = 3, WITH_KEY = 4 };

static void check_file(const zt_image *image, file_bytes file)
{
    const picture_planes planes = fuzz_planes(image);
    require(exr_shows(file, &planes));
}

void fuzz_input(const uint8_t *data, size_t size)
{
    static const zt_picture_text text = {"a name of more than 31 letters of a text", "text"};
    if (size < HEADER)
        return;
    zt_image image = fuzz_pixels(data, size, 1 << 10, 1 << 14);
    const uint8_t choice = data[FUZZ_PIXELS_HEADER];
    fuzz_encode(&image, &(fuzz_encoding){.format = "exr",
                                         .def = {.exr = (zt_exr_packing)(choice % PACKINGS),
                                                 .has_key = (choice & WITH_KEY) != 0,
                                                 .key = size,
                                                 .texts = &text,
                                                 .text_count = 1},
                                         .memory_mib = 64,
                                         .check = check_file});
}
