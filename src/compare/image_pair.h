// SPDX-License-Identifier: MIT
/// Two pictures of one size for metrics of neighbourhoods: pixels that do not count are taken from
/// the first picture in both, and pictures with alpha are seen over a background.
#pragma once

#include "base/arena.h"
#include "image/image.h"

/// The fate of a pixel.
enum { PIXEL_COMPARED, PIXEL_LEFT_OUT, PIXEL_ANTIALIASED };

typedef struct image_pair {
    const zt_image *side[2];
    const uint8_t *fate; ///< of each pixel, row by row; NULL: all are compared
    uint8_t background;  ///< grey that pictures with alpha lie on
} image_pair;

/// Row y of a side over the background: 3 codes a pixel, rounded.
static inline void image_pair_row(const image_pair *p, int side, int32_t y, uint8_t *out)
{
    const size_t width = (size_t)p->side[0]->width;
    const uint8_t *rows[2];
    for (int i = 0; i < 2; i++)
        rows[i] = p->side[i]->rgba8 + (size_t)y * p->side[i]->stride;
    const uint8_t *fate = p->fate ? p->fate + (size_t)y * width : NULL;
    for (size_t x = 0; x < width; x++, out += 3) {
        const uint8_t *pixel = rows[fate && fate[x] != PIXEL_COMPARED ? 0 : side] + 4 * x;
        for (int c = 0; c < 3; c++)
            out[c] =
                (uint8_t)((pixel[c] * pixel[3] + p->background * (255 - pixel[3]) + 127) / 255);
    }
}

/// True when pixel (x, y) is in the mean.
static inline bool image_pair_counts(const image_pair *p, int32_t x, int32_t y)
{
    return !p->fate || p->fate[(size_t)y * (size_t)p->side[0]->width + (size_t)x] != PIXEL_LEFT_OUT;
}

/// True when the caller of the measurement wants it to end.
static inline bool image_pair_cancelled(const image_pair *p)
{
    const zt_cancel *cancel = p->side[0]->cancel;
    return cancel && cancel->asked && cancel->asked(cancel->user);
}

/// The mean structural similarity of luma, -1..1, and 1 for equal pictures. Wang, Bovik, Sheikh and
/// Simoncelli, "Image Quality Assessment: From Error Visibility to Structural Similarity", 2004:
/// Gaussian windows of 11 x 11 pixels, sigma 1.5, K1 0.01, K2 0.03. The mean is over pixels whose
/// window is inside the picture; over all of them, with mirrored borders, where there is none.
zt_result image_ssim(const image_pair *pair, arena *memory, double *out_mean, zt_error *err);

/// LDR-FLIP: Andersson, Nilsson, Akenine-Moller, Oskarsson, Astrom and Fairchild, "FLIP: A
/// Difference Evaluator for Alternating Images", 2020. Errors are 0..1. Quartiles are weighted:
/// errors below the median add up to half of the sum of all errors.
typedef struct flip_result {
    double mean, first_quartile, median, third_quartile, max;
} flip_result;

/// `out_map`, or NULL: a picture of the errors, black over violet and orange to pale yellow.
zt_result image_flip(const image_pair *pair, double pixels_per_degree, arena *memory,
                     flip_result *out, zt_image *out_map, zt_error *err);
