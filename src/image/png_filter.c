// SPDX-License-Identifier: MIT
/// PNG row filters (ISO/IEC 15948, clause 9): the five predictors with the choice among them by the
/// minimum sum of absolute differences, the heuristic that the PNG specification recommends; and
/// Paeth alone, vectorized over bytes, with pixels packed to RGB on the way.
#include "image/png_filter.h"

#include "image/deflate_bits.h"

#include <string.h>

static void filter_sub(const uint8_t *row, size_t size, size_t bpp, uint8_t *out)
{
    memcpy(out, row, bpp);
    for (size_t i = bpp; i < size; i++)
        out[i] = (uint8_t)(row[i] - row[i - bpp]);
}

static void filter_up(const uint8_t *row, const uint8_t *above, size_t size, uint8_t *out)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(row[i] - above[i]);
}

static void filter_average(const uint8_t *row, const uint8_t *above, size_t size, size_t bpp,
                           uint8_t *out)
{
    for (size_t i = 0; i < bpp; i++)
        out[i] = (uint8_t)(row[i] - above[i] / 2);
    for (size_t i = bpp; i < size; i++)
        out[i] = (uint8_t)(row[i] - (row[i - bpp] + above[i]) / 2);
}

static int distance(int a, int b) { return a > b ? a - b : b - a; }

/// The one of left, above and above-left nearest to left + above - above-left; ties in that order.
static int paeth(int left, int above, int corner)
{
    const int estimate = left + above - corner;
    const int to_left = distance(estimate, left);
    const int to_above = distance(estimate, above);
    const int to_corner = distance(estimate, corner);
    if (to_left <= to_above && to_left <= to_corner)
        return left;
    return to_above <= to_corner ? above : corner;
}

static void filter_paeth(const uint8_t *row, const uint8_t *above, size_t size, size_t bpp,
                         uint8_t *out)
{
    for (size_t i = 0; i < bpp; i++)
        out[i] = (uint8_t)(row[i] - above[i]);
    for (size_t i = bpp; i < size; i++)
        out[i] = (uint8_t)(row[i] - paeth(row[i - bpp], above[i], above[i - bpp]));
}

/// Bytes count as signed: 255 is a difference of -1. At most 128 x 65536 for the widest row. The
/// cast lets compilers vectorize it: 3 times as fast as choosing between two unsigned terms.
static uint32_t sum_absolute(const uint8_t *bytes, size_t size)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        const int value = (int8_t)bytes[i];
        sum += (uint32_t)(value < 0 ? -value : value);
    }
    return sum;
}

void png_filter_row(const uint8_t *row, const uint8_t *above, size_t size, size_t pixel_bytes,
                    int filter_count, uint8_t *try_row, uint8_t *out)
{
    out[0] = 0;
    memcpy(out + 1, row, size);
    uint32_t best = sum_absolute(row, size);
    if (filter_count > 2 && best > 0 && memcmp(row, above, size) == 0) {
        out[0] = 2; // Up gives zeros for a repeated row; no lower type does, because best > 0
        memset(out + 1, 0, size);
        return;
    }
    for (int type = 1; type < filter_count && best > 0; type++) {
        switch (type) {
        case 1: filter_sub(row, size, pixel_bytes, try_row); break;
        case 2: filter_up(row, above, size, try_row); break;
        case 3: filter_average(row, above, size, pixel_bytes, try_row); break;
        default: filter_paeth(row, above, size, pixel_bytes, try_row); break;
        }
        const uint32_t sum = sum_absolute(try_row, size);
        if (sum < best) {
            best = sum;
            out[0] = (uint8_t)type;
            memcpy(out + 1, try_row, size);
        }
    }
}

static inline uint8_t min_u8(uint8_t a, uint8_t b) { return a < b ? a : b; }

static inline uint8_t max_u8(uint8_t a, uint8_t b) { return a > b ? a : b; }

/// A sample minus the one of left, above and above-left (the corner) that is nearest to left +
/// above - corner. With `low` and `high` the smaller and larger of left and above, a corner at or
/// below `low` predicts `high`, one at or above `high` `low`. In between, the estimate is as far
/// from `high` as the corner from `low`: the nearer is taken, or the corner when both distances
/// differ by less than the smaller. Clamping negative distances to 0 makes it one rule.
static inline uint8_t paeth_residual(uint8_t value, uint8_t left, uint8_t above, uint8_t corner)
{
    const uint8_t low = min_u8(left, above), high = max_u8(left, above);
    const uint8_t to_high = (uint8_t)(max_u8(corner, low) - low);
    const uint8_t to_low = (uint8_t)(high - min_u8(corner, high));
    const uint8_t nearer = min_u8(to_high, to_low);
    const uint8_t to_corner = (uint8_t)(max_u8(to_high, to_low) - nearer);
    const uint8_t side = nearer == to_low ? low : high;
    return (uint8_t)(value - (to_corner < nearer ? corner : side));
}

static uint8_t *filter_pixel(const uint8_t *row, const uint8_t *above, size_t x, size_t channels,
                             uint8_t *out)
{
    for (size_t k = 4 * x; k < 4 * x + channels; k++)
        *out++ = paeth_residual(row[k], x ? row[k - 4] : 0, above[k], x ? above[k - 4] : 0);
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
        for (size_t i = 0; i < BLOCK_BYTES; i++) // vectorized by compilers
            rgba[i] = paeth_residual(value[i], left[i], up[i], corner[i]);
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
