// SPDX-License-Identifier: MIT
/// Which pixels that differ are antialiased edges (Vysniauskas, "Anti-aliased Pixel and Intensity
/// Slope Detector", 2009, with the numbers of pixelmatch and odiff): with a darker and a brighter
/// neighbour, at most two of equal brightness, and an extreme one that is flat in both pictures.
#include "image/image.h"

#include <string.h>

enum {
    EQUAL_MAX = 2, ///< neighbours of the same brightness; more: not an edge
    FLAT_MIN = 3,  ///< neighbours of the same colour that make a part flat
};

/// Luma of YIQ over white, in 65536 x 255 x 255ths.
static int64_t brightness(const uint8_t p[4])
{
    const int64_t luma = 19588 * (int64_t)p[0] + 38445 * (int64_t)p[1] + 7503 * (int64_t)p[2];
    return luma * p[3] + (int64_t)65536 * 255 * (255 - p[3]);
}

/// The neighbours of a pixel that are in the picture. The border counts as one equal neighbour.
typedef struct neighbours {
    int32_t x0, y0, x1, y1;
    bool at_border;
} neighbours;

static neighbours neighbours_of(const zt_image *image, int32_t x, int32_t y)
{
    const bool at_border = x == 0 || y == 0 || x + 1 == image->width || y + 1 == image->height;
    return (neighbours){x > 0 ? x - 1 : 0, y > 0 ? y - 1 : 0, x + 1 < image->width ? x + 1 : x,
                        y + 1 < image->height ? y + 1 : y, at_border};
}

static const uint8_t *pixel_at(const zt_image *image, int32_t x, int32_t y)
{
    return image->rgba8 + (size_t)y * image->stride + (size_t)x * 4;
}

static bool is_flat(const zt_image *image, int32_t x, int32_t y)
{
    const neighbours n = neighbours_of(image, x, y);
    const uint8_t *centre = pixel_at(image, x, y);
    int equal = n.at_border;
    for (int32_t v = n.y0; v <= n.y1; v++)
        for (int32_t u = n.x0; u <= n.x1; u++)
            equal += (u != x || v != y) && memcmp(pixel_at(image, u, v), centre, 4) == 0;
    return equal >= FLAT_MIN;
}

/// True when (x, y) of `image` is between a darker and a brighter part.
static bool is_edge(const zt_image *image, const zt_image *other, int32_t x, int32_t y)
{
    const neighbours n = neighbours_of(image, x, y);
    const int64_t centre = brightness(pixel_at(image, x, y));
    int64_t darkest = 0, brightest = 0;
    int32_t dark_x = 0, dark_y = 0, bright_x = 0, bright_y = 0;
    int equal = n.at_border;
    for (int32_t v = n.y0; v <= n.y1; v++)
        for (int32_t u = n.x0; u <= n.x1; u++) {
            if (u == x && v == y)
                continue;
            const int64_t delta = brightness(pixel_at(image, u, v)) - centre;
            equal += delta == 0;
            if (delta < darkest) {
                darkest = delta;
                dark_x = u;
                dark_y = v;
            } else if (delta > brightest) {
                brightest = delta;
                bright_x = u;
                bright_y = v;
            }
        }
    if (equal > EQUAL_MAX || darkest == 0 || brightest == 0)
        return false;
    return (is_flat(image, dark_x, dark_y) && is_flat(other, dark_x, dark_y)) ||
           (is_flat(image, bright_x, bright_y) && is_flat(other, bright_x, bright_y));
}

bool image_antialiased(const zt_image *a, const zt_image *b, int32_t x, int32_t y)
{
    return is_edge(a, b, x, y) || is_edge(b, a, x, y);
}
