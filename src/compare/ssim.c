// SPDX-License-Identifier: MIT
// SSIM, row by row: the last 11 rows are kept, filtered along x.
#include "base/maths.h"
#include "compare/image_pair.h"

enum {
    RADIUS = 5,
    TAPS = 2 * RADIUS + 1,
    MOMENTS = 5, ///< a, b, a^2, b^2, ab
};

typedef struct ssim_job {
    const image_pair *pair;
    int32_t width, height;
    double weight[TAPS];
    double *ring;      ///< [TAPS][MOMENTS][width]: row y is at y % TAPS
    double *padded[2]; ///< luma of a row with mirrored borders
    double *product;   ///< of two of them
    uint8_t *codes;
} ssim_job;

static void make_weights(double weight[TAPS])
{
    double sum = 0.0;
    for (int i = 0; i < TAPS; i++) {
        const double d = i - RADIUS;
        weight[i] = maths_exp2(-d * d / (2.0 * 1.5 * 1.5) * 1.4426950408889634); // log2 e
        sum += weight[i];
    }
    for (int i = 0; i < TAPS; i++)
        weight[i] /= sum;
}

/// Mirrored about the border, whose pixel is repeated.
static int32_t mirror(int32_t i, int32_t size)
{
    while (i < 0 || i >= size)
        i = i < 0 ? -1 - i : 2 * size - 1 - i;
    return i;
}

static double *ring_row(const ssim_job *j, int32_t y, int moment)
{
    return j->ring + ((size_t)(y % TAPS) * MOMENTS + (size_t)moment) * (size_t)j->width;
}

static void filter_x(const double weight[TAPS], const double *restrict in, int32_t width,
                     double *restrict out)
{
    for (int32_t x = 0; x < width; x++)
        out[x] = weight[0] * in[x];
    for (int k = 1; k < TAPS; k++)
        for (int32_t x = 0; x < width; x++)
            out[x] += weight[k] * in[x + k];
}

/// Filters row y of both pictures into the ring.
static void take_row(ssim_job *j, int32_t y)
{
    const int32_t padded = j->width + 2 * RADIUS;
    for (int side = 0; side < 2; side++) {
        image_pair_row(j->pair, side, y, j->codes);
        for (int32_t x = 0; x < padded; x++) {
            const uint8_t *c = j->codes + 3 * (size_t)mirror(x - RADIUS, j->width);
            j->padded[side][x] = 0.299 * c[0] + 0.587 * c[1] + 0.114 * c[2];
        }
    }
    const double *a = j->padded[0], *b = j->padded[1];
    const double *const factors[MOMENTS][2] = {{a, NULL}, {b, NULL}, {a, a}, {b, b}, {a, b}};
    for (int m = 0; m < MOMENTS; m++) {
        const double *in = factors[m][0];
        if (factors[m][1]) {
            for (int32_t x = 0; x < padded; x++)
                j->product[x] = factors[m][0][x] * factors[m][1][x];
            in = j->product;
        }
        filter_x(j->weight, in, j->width, ring_row(j, y, m));
    }
}

static double similarity(const double m[MOMENTS])
{
    const double c1 = (0.01 * 255) * (0.01 * 255), c2 = (0.03 * 255) * (0.03 * 255);
    const double aa = m[0] * m[0], bb = m[1] * m[1], ab = m[0] * m[1];
    return ((2.0 * ab + c1) * (2.0 * (m[4] - ab) + c2)) /
           ((aa + bb + c1) * ((m[2] - aa) + (m[3] - bb) + c2));
}

/// Adds the pixels from x0 to x1 of row y.
static void add_row(const ssim_job *j, int32_t y, int32_t x0, int32_t x1, double *sum,
                    int64_t *count)
{
    for (int32_t x = x0; x < x1; x++) {
        if (!image_pair_counts(j->pair, x, y))
            continue;
        double m[MOMENTS] = {0};
        for (int k = 0; k < TAPS; k++) {
            const int32_t v = mirror(y + k - RADIUS, j->height);
            for (int i = 0; i < MOMENTS; i++)
                m[i] += j->weight[k] * ring_row(j, v, i)[x];
        }
        *sum += similarity(m);
        ++*count;
    }
}

static bool allocate(ssim_job *j, arena *memory)
{
    const size_t width = (size_t)j->width, padded = width + 2 * RADIUS;
    j->ring = ARENA_ARRAY_RAW(memory, double, TAPS *MOMENTS *width);
    j->padded[0] = ARENA_ARRAY_RAW(memory, double, padded);
    j->padded[1] = ARENA_ARRAY_RAW(memory, double, padded);
    j->product = ARENA_ARRAY_RAW(memory, double, padded);
    j->codes = ARENA_ARRAY_RAW(memory, uint8_t, 3 * width);
    return j->ring && j->padded[0] && j->padded[1] && j->product && j->codes;
}

/// True when a pixel whose window is inside the picture counts.
static bool any_inside(const image_pair *pair, int32_t width, int32_t height)
{
    for (int32_t y = RADIUS; y < height - RADIUS; y++)
        for (int32_t x = RADIUS; x < width - RADIUS; x++)
            if (image_pair_counts(pair, x, y))
                return true;
    return false;
}

zt_result image_ssim(const image_pair *pair, arena *memory, double *out_mean, zt_error *err)
{
    ssim_job j = {.pair = pair, .width = pair->side[0]->width, .height = pair->side[0]->height};
    if (!allocate(&j, memory))
        return arena_fail(memory, err, "SSIM");
    make_weights(j.weight);
    const int32_t margin = any_inside(pair, j.width, j.height) ? RADIUS : 0;
    double sum = 0.0;
    int64_t count = 0;
    int32_t taken = 0;
    for (int32_t y = margin; y < j.height - margin; y++) {
        if (image_pair_cancelled(pair))
            return cancel_fail(err);
        for (; taken < j.height && taken <= y + RADIUS; taken++)
            take_row(&j, taken);
        add_row(&j, y, margin, j.width - margin, &sum, &count);
    }
    *out_mean = count > 0 ? sum / (double)count : 1.0;
    return ZT_OK;
}
