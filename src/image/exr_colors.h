// SPDX-License-Identifier: MIT
/// The numbers of an OpenEXR file as colours: luminance and chroma, primaries.
#pragma once

#include "base/affine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A binary16 number (IEEE 754) as a float: every value is exact.
float exr_float_of_half(uint32_t half);

/// CIE x, y of red, green, blue and white.
typedef struct exr_primaries {
    double xy[4][2];
} exr_primaries;

/// Those of sRGB (ITU-R BT.709), which a file without primaries has.
extern const exr_primaries exr_primaries_srgb;

/// The weights of R, G and B in luminance; false when the primaries span no colours.
bool exr_luminance_weights(const exr_primaries *p, double out[3]);

/// Linear sRGB from linear RGB of `p`, white to white by the Bradford transform; false as above.
bool exr_srgb_from(const exr_primaries *p, dmat3 *out);

/// True when `p` differs from sRGB by more than the rounding of files.
bool exr_primaries_differ(const exr_primaries *p);

/// A plane of the data window with every pixel, or with every second one of an axis.
typedef struct exr_plane {
    float *values; ///< [height][width]
    size_t width, height;
    size_t x_step, y_step; ///< 1 or 2
} exr_plane;

/// In place: the first component of each of `width` pixels of row `y`, Y, becomes R, G, B. `ry` and
/// `by` hold (R - Y) / Y and (B - Y) / Y; missing values are the mean of their neighbours.
/// Technical Introduction to OpenEXR, "Luminance/Chroma Images".
void exr_rgb_from_chroma(const exr_plane *ry, const exr_plane *by, const double weights[3],
                         size_t y, size_t width, float *rgb);

/// In place: `width` pixels of RGB become linear sRGB, >= 0, finite; `to`: exr_srgb_from, or NULL.
void exr_finish_row(const dmat3 *to, size_t width, float *rgb);
