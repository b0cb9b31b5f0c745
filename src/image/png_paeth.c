// SPDX-License-Identifier: MIT
/// Paeth filter (ISO/IEC 15948, 9.4): what is left of a sample when the one of left, above and
/// above-left (the corner) that is nearest to left + above - corner is taken away. In bytes: let
/// `low` and `high` be the lesser and the greater of left and above. A corner at or below `low`
/// foretells `high`, one at or above `high` foretells `low`. Between them the estimate lies as far
/// from `high` as the corner from `low`, and the other way round: the nearer one is taken, or the
/// corner when the two distances differ by less than the smaller one. Distances that would be
/// negative are 0, which makes one rule of all cases.
#include "image/png_paeth.h"

#include "image/deflate_bits.h"

#include <string.h>

static inline uint8_t least(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

static inline uint8_t most(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

static inline uint8_t paeth(uint8_t value, uint8_t left, uint8_t above, uint8_t corner)
{
    const uint8_t low = least(left, above), high = most(left, above);
    const uint8_t to_high = (uint8_t)(most(corner, low) - low);
    const uint8_t to_low = (uint8_t)(high - least(corner, high));
    const uint8_t nearer = least(to_high, to_low);
    const uint8_t to_corner = (uint8_t)(most(to_high, to_low) - nearer);
    const uint8_t side = nearer == to_low ? low : high;
    return (uint8_t)(value - (to_corner < nearer ? corner : side));
}

static uint8_t *filter_pixel(const uint8_t *row, const uint8_t *above, size_t x, size_t channels,
                             uint8_t *out)
{
    for (size_t k = 4 * x; k < 4 * x + channels; k++)
        *out++ = paeth(row[k], x ? row[k - 4] : 0, above[k], x ? above[k - 4] : 0);
    return out;
}

enum { BLOCK_PIXELS = 8, BLOCK_BYTES = 4 * BLOCK_PIXELS };

/// RGBA -> RGB, two pixels in a word of which 6 bytes count.
static inline void store_rgb(uint8_t *out, const uint8_t *rgba)
{
    for (size_t i = 0; i < BLOCK_PIXELS / 2; i++) {
        const uint64_t two = bits_load(rgba + 8 * i);
        bits_store(out + 6 * i, (two & 0xffffff) | (two >> 8 & 0xffffff000000));
    }
}

uint8_t *png_paeth_span(const uint8_t *row, const uint8_t *above, size_t from, size_t to,
                        bool opaque, uint8_t *out)
{
    const size_t channels = opaque ? 3 : 4;
    size_t x = from;
    if (x == 0 && x < to)
        out = filter_pixel(row, above, x++, channels, out);
    for (; x + BLOCK_PIXELS <= to; x += BLOCK_PIXELS) {
        const uint8_t *value = row + 4 * x, *up = above + 4 * x;
        const uint8_t *left = value - 4, *corner = up - 4;
        uint8_t rgba[BLOCK_BYTES];
        for (size_t i = 0; i < BLOCK_BYTES; i++) // compilers make a few vectors of it
            rgba[i] = paeth(value[i], left[i], up[i], corner[i]);
        if (opaque)
            store_rgb(out, rgba);
        else
            memcpy(out, rgba, sizeof rgba);
        out += BLOCK_PIXELS * channels;
    }
    for (; x < to; x++)
        out = filter_pixel(row, above, x, channels, out);
    return out;
}
