// SPDX-License-Identifier: MIT
/// Fuzz target: the WebP encoder. The first bytes say the picture (fuzz_pixels.h), the next one how
/// it is packed and whether the file has a key. libwebp's decoder must give back every byte.
#include "fuzz_pixels.h"
#include "image/picture_encoders.h"

#include <webp/decode.h>

enum {
    HEADER = FUZZ_PIXELS_HEADER + 1,
    SMALL = 1,
    WITH_KEY = 2,
    FEW_PIXELS = 1 << 10,
    MANY_PIXELS = 1 << 14,
};

static void check_file(const zt_image *image, file_bytes file)
{
    const size_t row = 4 * (size_t)image->width, rows = (size_t)image->height;
    WebPBitstreamFeatures features;
    require(WebPGetFeatures(file.data, file.size, &features) == VP8_STATUS_OK);
    require(features.width == image->width && features.height == image->height &&
            !features.has_animation && features.format == 2); // lossless
    uint8_t *decoded = malloc(row * rows);
    if (!decoded)
        return;
    const bool whole =
        WebPDecodeRGBAInto(file.data, file.size, decoded, row * rows, (int)row) != NULL;
    require(whole);
    for (size_t y = 0; y < rows; y++)
        require(memcmp(decoded + y * row, image->rgba8 + y * image->stride, row) == 0);
    free(decoded);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < HEADER)
        return;
    zt_image image = fuzz_pixels(data, size, FEW_PIXELS, MANY_PIXELS);
    const uint8_t choice = data[FUZZ_PIXELS_HEADER];
    const bool fits = image.width <= WEBP_SIDE_LIMIT && image.height <= WEBP_SIDE_LIMIT;
    fuzz_encode(&image, &(fuzz_encoding){.format = "webp",
                                         .def = {.png = choice & SMALL ? ZT_PNG_SMALL : ZT_PNG_FAST,
                                                 .has_key = (choice & WITH_KEY) != 0,
                                                 .key = size},
                                         .memory_mib = 96,
                                         .result = fits ? ZT_OK : ZT_ERR_LIMIT,
                                         .check = check_file});
}
