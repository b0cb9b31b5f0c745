// SPDX-License-Identifier: MIT
/// Fuzz target: the JPEG encoder. The first bytes say the picture (fuzz_pixels.h), the next one the
/// quality and whether the file has a key. TurboJPEG's decoder must give back the picture over
/// black, within what the tables of quantisation in the file allow.
#include "fuzz_pixels.h"

#include <math.h>
#include <turbojpeg.h>

enum {
    HEADER = FUZZ_PIXELS_HEADER + 1,
    QUALITY_BITS = 127,
    WITH_KEY = 128,
    FEW_PIXELS = 1 << 10,
    MANY_PIXELS = 1 << 15,
    BLOCK = 8,
    PLANES = 3,
};

/// Sums of squared steps of quantisation of each component (ITU-T T.81, B.2.2, B.2.4.1).
static void read_steps(file_bytes file, double squares[PLANES])
{
    double tables[4] = {0};
    for (size_t at = 2;;) {
        require(file.size - at > 4 && file.data[at] == 0xFF);
        const uint8_t marker = file.data[at + 1], *segment = file.data + at + 4;
        const size_t length = (size_t)(file.data[at + 2] << 8 | file.data[at + 3]);
        require(length >= 2 && length <= file.size - at - 2);
        for (size_t i = 0; marker == 0xDB && i + 65 <= length - 2; i += 65) {
            require(segment[i] < 4); // 8 bits a step
            tables[segment[i]] = 0;
            for (size_t k = 1; k <= 64; k++)
                tables[segment[i]] += (double)segment[i + k] * segment[i + k];
        }
        if (marker == 0xC0) { // baseline: three components, 4:4:4
            require(segment[5] == PLANES);
            for (int c = 0; c < PLANES; c++) {
                require(segment[7 + 3 * c] == 0x11 && segment[8 + 3 * c] < 4);
                squares[c] = tables[segment[8 + 3 * c]];
            }
            return;
        }
        at += 2 + length;
    }
}

/// A component of a pixel over black (ITU-T T.871, 7).
static double component(const uint8_t *pixel, int plane)
{
    static const double weights[PLANES][4] = {{0.299, 0.587, 0.114, 0},
                                              {-0.168736, -0.331264, 0.5, 128},
                                              {0.5, -0.418688, -0.081312, 128}};
    double sum = weights[plane][3];
    for (int c = 0; c < 3; c++)
        sum += weights[plane][c] * ((pixel[c] * pixel[3] + 127) / 255);
    return sum;
}

/// Each coefficient of a block is moved by at most half a step, and the transform keeps the sum of
/// squares. What is rounded besides: the component, the transform and the pixel.
static void check_block(const zt_image *image, const uint8_t *decoded, int plane, double squares,
                        size_t left, size_t top)
{
    const double rounding = 1.5;
    double sum = 0;
    for (size_t y = top; y < top + BLOCK && y < (size_t)image->height; y++)
        for (size_t x = left; x < left + BLOCK && x < (size_t)image->width; x++) {
            const double d = decoded[y * (size_t)image->width + x] -
                             component(image->rgba8 + y * image->stride + 4 * x, plane);
            sum += d * d;
        }
    require(sqrt(sum) <= sqrt(squares / 4) + BLOCK * rounding);
}

static void check_planes(const zt_image *image, file_bytes file, uint8_t *const planes[PLANES])
{
    double squares[PLANES];
    read_steps(file, squares);
    for (int plane = 0; plane < PLANES; plane++)
        for (size_t y = 0; y < (size_t)image->height; y += BLOCK)
            for (size_t x = 0; x < (size_t)image->width; x += BLOCK)
                check_block(image, planes[plane], plane, squares[plane], x, y);
}

static void check_file(const zt_image *image, file_bytes file)
{
    const size_t pixels = (size_t)image->width * (size_t)image->height;
    int width = 0, height = 0, layout = 0, colors = 0;
    uint8_t *memory = malloc(PLANES * pixels);
    tjhandle decoder = tjInitDecompress();
    require(memory && decoder);
    uint8_t *planes[PLANES] = {memory, memory + pixels, memory + 2 * pixels};
    require(tjDecompressHeader3(decoder, file.data, file.size, &width, &height, &layout, &colors) ==
                0 &&
            width == image->width && height == image->height);
    require(tjDecompressToYUVPlanes(decoder, file.data, file.size, planes, width, NULL, height,
                                    TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) == 0);
    check_planes(image, file, planes);
    tjDestroy(decoder);
    free(memory);
}

void fuzz_input(const uint8_t *data, size_t size)
{
    if (size < HEADER)
        return;
    zt_image image = fuzz_pixels(data, size, FEW_PIXELS, MANY_PIXELS);
    const uint8_t choice = data[FUZZ_PIXELS_HEADER];
    const int quality = choice & QUALITY_BITS;
    fuzz_encode(&image, &(fuzz_encoding){.format = "jpeg",
                                         .def = {.jpeg_quality = quality,
                                                 .has_key = (choice & WITH_KEY) != 0,
                                                 .key = size},
                                         .memory_mib = 64,
                                         .result = quality > 100 ? ZT_ERR_ARGUMENT : ZT_OK,
                                         .check = check_file});
}
