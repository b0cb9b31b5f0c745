// SPDX-License-Identifier: MIT
/// Sample positions in a pixel: the standard multisample patterns of Direct3D 11
/// (D3D11_STANDARD_MULTISAMPLE_PATTERN), x right and y down. Its documentation gives multiples of
/// 1/16 pixel from the pixel centre; here they are in 1/256 pixel, exact in fx8.
#ifndef ZT_RASTER_SAMPLE_PATTERN_H
#define ZT_RASTER_SAMPLE_PATTERN_H

#include <stddef.h>
#include <stdint.h>

/// Offsets (x, y) of `sample_count` samples, in -128..127; NULL unless it is 1, 2, 4, 8 or 16.
static inline const int8_t (*sample_pattern(int32_t sample_count))[2]
{
    // clang-format off
    static const int8_t one[1][2] = {{0, 0}};
    static const int8_t two[2][2] = {{64, 64}, {-64, -64}};
    static const int8_t four[4][2] = {{-32, -96}, {96, -32}, {-96, 32}, {32, 96}};
    static const int8_t eight[8][2] = {{16, -48}, {-16, 48}, {80, 16}, {-48, -80},
                                       {-80, 80}, {-112, -16}, {48, 112}, {112, -112}};
    static const int8_t sixteen[16][2] = {{16, 16}, {-16, -48}, {-48, 32}, {64, -16},
                                          {-80, -32}, {32, 80}, {80, 48}, {48, -80},
                                          {-32, 96}, {0, -112}, {-64, -96}, {-96, 64},
                                          {-128, 0}, {112, -64}, {96, 112}, {-112, -128}};
    // clang-format on
    switch (sample_count) {
    case 1:
        return one;
    case 2:
        return two;
    case 4:
        return four;
    case 8:
        return eight;
    case 16:
        return sixteen;
    default:
        return NULL;
    }
}

#endif
