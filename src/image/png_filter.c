// SPDX-License-Identifier: MIT
/// PNG row filters (ISO/IEC 15948, clause 9): the five predictors and the choice among them by the
/// minimum sum of absolute differences, the heuristic that the PNG specification recommends.
#include "image/png_filter.h"

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

static int distance(int a, int b)
{
    return a > b ? a - b : b - a;
}

/// Of left, above and above-left, the one nearest to left + above - above-left; ties in that order.
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
/// cast lets compilers make vectors of it: 3 times as fast as choosing between two unsigned terms.
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
        out[0] = 2; // Up leaves nothing of a row that repeats; no lower type does, for best > 0
        memset(out + 1, 0, size);
        return;
    }
    for (int type = 1; type < filter_count && best > 0; type++) {
        switch (type) {
        case 1:
            filter_sub(row, size, pixel_bytes, try_row);
            break;
        case 2:
            filter_up(row, above, size, try_row);
            break;
        case 3:
            filter_average(row, above, size, pixel_bytes, try_row);
            break;
        default:
            filter_paeth(row, above, size, pixel_bytes, try_row);
            break;
        }
        const uint32_t sum = sum_absolute(try_row, size);
        if (sum < best) {
            best = sum;
            out[0] = (uint8_t)type;
            memcpy(out + 1, try_row, size);
        }
    }
}
