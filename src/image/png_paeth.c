// SPDX-License-Identifier: MIT
/// Paeth filter (ISO/IEC 15948, 9.4): what is left of a sample when the one of left, above and
/// above-left nearest to left + above - corner is taken away. All in bytes: with p = above - corner
/// and q = left - corner, the distances are |p| to left, |q| to above and |p + q| to the corner,
/// and the last one matters only when the signs of p and q differ, where it is ||p| - |q||.
#include "image/png_paeth.h"

#include <string.h>

/// GCC and clang make of it what the processor has; the values are the same for all.
typedef uint8_t bytes16 __attribute__((vector_size(16)));
enum { VECTOR_PIXELS = 4 };

static inline bytes16 load16(const uint8_t *p)
{
    bytes16 v;
    memcpy(&v, p, sizeof v);
    return v;
}

static inline bytes16 select16(bytes16 mask, bytes16 yes, bytes16 no)
{
    return (mask & yes) | (~mask & no);
}

static inline bytes16 paeth16(bytes16 value, bytes16 left, bytes16 above, bytes16 corner)
{
    const bytes16 p_up = (bytes16)(above >= corner), q_up = (bytes16)(left >= corner);
    const bytes16 p = select16(p_up, above - corner, corner - above);
    const bytes16 q = select16(q_up, left - corner, corner - left);
    const bytes16 left_nearer = (bytes16)(p <= q);
    const bytes16 least = select16(left_nearer, p, q);
    const bytes16 most = select16(left_nearer, q, p);
    const bytes16 to_corner = most - least;
    const bytes16 corner_nearest = (p_up ^ q_up) & (bytes16)(to_corner < least);
    return value - select16(corner_nearest, corner, select16(left_nearer, left, above));
}

static inline int distance_of(int a, int b)
{
    return a > b ? a - b : b - a;
}

static inline uint8_t paeth1(int value, int left, int above, int corner)
{
    const int estimate = left + above - corner;
    const int a = distance_of(estimate, left), b = distance_of(estimate, above),
              c = distance_of(estimate, corner);
    return (uint8_t)(value - (a <= b && a <= c ? left : b <= c ? above : corner));
}

static uint8_t *filter_pixel(const uint8_t *row, const uint8_t *above, size_t x, size_t channels,
                             uint8_t *out)
{
    for (size_t k = 4 * x; k < 4 * x + channels; k++)
        *out++ = paeth1(row[k], x ? row[k - 4] : 0, above[k], x ? above[k - 4] : 0);
    return out;
}

/// RGBA -> RGB, two pixels in a word of which 6 bytes count.
static inline void store_rgb(uint8_t *out, bytes16 v)
{
    for (size_t i = 0; i < VECTOR_PIXELS; i++) {
        uint8_t pixel[16];
        memcpy(pixel, &v, sizeof v);
        memcpy(out + 3 * i, pixel + 4 * i, 4);
    }
}

uint8_t *png_paeth_span(const uint8_t *row, const uint8_t *above, size_t from, size_t to,
                        bool opaque, uint8_t *out)
{
    const size_t channels = opaque ? 3 : 4;
    size_t x = from;
    if (x == 0 && x < to)
        out = filter_pixel(row, above, x++, channels, out);
    for (; x + VECTOR_PIXELS <= to; x += VECTOR_PIXELS) {
        const bytes16 v = paeth16(load16(row + 4 * x), load16(row + 4 * x - 4),
                                  load16(above + 4 * x), load16(above + 4 * x - 4));
        if (opaque)
            store_rgb(out, v);
        else
            memcpy(out, &v, sizeof v);
        out += VECTOR_PIXELS * channels;
    }
    for (; x < to; x++)
        out = filter_pixel(row, above, x, channels, out);
    return out;
}
