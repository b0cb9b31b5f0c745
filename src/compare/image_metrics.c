// SPDX-License-Identifier: MIT
/// Metrics of the difference of two pictures. Sums are integers: no order of additions shows.
#include "base/difference_color.h"
#include "base/handle.h"
#include "base/maths.h"
#include "compare/image_pair.h"

#include <math.h>
#include <string.h>

/// Sums over the pixels that were compared. Differences are in 255ths of a code, 65025 at most.
typedef struct sums {
    uint64_t absolute; ///< at most 4 x 65025 x 2^28
    uint64_t squares;  ///< at most 4 x 65025^2 x 2^28 < 2^63
    int32_t max;
    int32_t left, top, right, bottom; ///< of the pixels that differ; inclusive
} sums;

zt_metrics_def zt_default_metrics_def(void)
{
    // The paper's: a screen of 3840 pixels, 0.7 m wide, from 0.7 m: 3840 pi / 180.
    return (zt_metrics_def){.pixels_per_degree = 67.020643276582259, .cookie_ = HANDLE_COOKIE};
}

static zt_result check(const zt_image *a, const zt_image *b, const zt_metrics_def *def,
                       zt_error *err)
{
    ZT_TRY(image_check(a, err));
    ZT_TRY(image_check(b, err));
    if (!def || def->cookie_ != HANDLE_COOKIE)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "zt_image_measure: the def is not from zt_default_metrics_def");
    if (def->threshold < 0 || def->threshold > 255)
        return zt_fail(err, ZT_ERR_ARGUMENT, "a threshold of %d (expected 0 to 255)",
                       def->threshold);
    if (def->ignored_count < 0 || (def->ignored_count > 0 && !def->ignored))
        return zt_fail(err, ZT_ERR_ARGUMENT, "%d rectangles without a list", def->ignored_count);
    if (!(def->pixels_per_degree >= 1.0 && def->pixels_per_degree <= 1000.0))
        return zt_fail(err, ZT_ERR_ARGUMENT, "%g pixels per degree (expected 1 to 1000)",
                       def->pixels_per_degree);
    if (a->width != b->width || a->height != b->height)
        return zt_fail(err, ZT_ERR_DIFFERENT, "pictures of different size: %d x %d and %d x %d",
                       a->width, a->height, b->width, b->height);
    if (!def->mask)
        return ZT_OK;
    ZT_TRY(image_check(def->mask, err));
    if (def->mask->width != a->width || def->mask->height != a->height)
        return zt_fail(err, ZT_ERR_ARGUMENT,
                       "a mask of %d x %d pixels for pictures of %d x %d (expected the same size)",
                       def->mask->width, def->mask->height, a->width, a->height);
    return ZT_OK;
}

/// Paints a pixel of a picture of differences. Equal pixels become grey, for orientation: Rec. 601
/// luma of A over black at 3/8 brightness.
static void paint(const uint8_t a[4], int32_t max, uint8_t fate, uint8_t out[4])
{
    const int32_t luma = (77 * a[0] + 150 * a[1] + 29 * a[2] + 128) / 256;
    int step = fate == PIXEL_ANTIALIASED ? DIFFERENCE_ANTIALIASED : 0;
    memset(out, luma * a[3] * 3 / (255 * 8), 3);
    out[3] = 255;
    while (max >> step > 1 && step < DIFFERENCE_STEPS - 1)
        step++;
    if (fate == PIXEL_LEFT_OUT)
        out[2] = (uint8_t)(out[2] + difference_colors[DIFFERENCE_LEFT_OUT][2]);
    else if (max > 0)
        memcpy(out, difference_colors[step], 3);
}

/// Marks the pixels of row y that the mask or a rectangle leaves out.
static void mark_row(const zt_metrics_def *def, int32_t y, int32_t width, uint8_t *out)
{
    memset(out, PIXEL_COMPARED, (size_t)width);
    for (int32_t i = 0; i < def->ignored_count; i++) {
        const zt_rectangle *r = &def->ignored[i];
        if (y < r->y || (int64_t)y >= (int64_t)r->y + r->height)
            continue;
        const int64_t from = r->x > 0 ? r->x : 0;
        const int64_t end = (int64_t)r->x + r->width;
        const int64_t to = end < width ? end : width;
        if (from < to)
            memset(out + from, PIXEL_LEFT_OUT, (size_t)(to - from));
    }
    if (!def->mask)
        return;
    const uint8_t *row = def->mask->rgba8 + (size_t)y * def->mask->stride;
    for (int32_t x = 0; x < width; x++, row += 4)
        if ((77 * row[0] + 150 * row[1] + 29 * row[2]) * row[3] < 256 * 255 * 128)
            out[x] = PIXEL_LEFT_OUT;
}

/// Differences of the channels in 255ths of a code.
static void channel_differences(const uint8_t a[4], const uint8_t b[4], bool straight,
                                int32_t out[4])
{
    const int32_t weight_a = straight ? 255 : a[3], weight_b = straight ? 255 : b[3];
    for (int c = 0; c < 3; c++) {
        const int32_t d = a[c] * weight_a - b[c] * weight_b;
        out[c] = d < 0 ? -d : d;
    }
    out[3] = 255 * (a[3] > b[3] ? a[3] - b[3] : b[3] - a[3]);
}

static void count_pixel(const int32_t d[4], int32_t max, int32_t x, int32_t y, int32_t threshold,
                        sums *s, zt_metrics *m)
{
    if (m->pixels == 0) {
        m->first_x = x;
        m->first_y = y;
        s->top = y;
        s->left = s->right = x;
    }
    m->pixels++;
    m->over += max > 255 * threshold;
    for (int c = 0; c < 4; c++) {
        s->absolute += (uint64_t)d[c];
        s->squares += (uint64_t)d[c] * (uint64_t)d[c];
    }
    s->max = max > s->max ? max : s->max;
    s->left = x < s->left ? x : s->left;
    s->right = x > s->right ? x : s->right;
    s->bottom = y;
}

/// Measures pixel (x, y) and returns its class; the largest difference goes to `out_max`.
static uint8_t measure_pixel(const zt_image *a, const zt_image *b, const zt_metrics_def *def,
                             int32_t x, int32_t y, sums *s, zt_metrics *m, int32_t *out_max)
{
    const size_t at = (size_t)x * 4;
    int32_t d[4], max = 0;
    channel_differences(a->rgba8 + (size_t)y * a->stride + at,
                        b->rgba8 + (size_t)y * b->stride + at, def->straight, d);
    for (int c = 0; c < 4; c++)
        max = d[c] > max ? d[c] : max;
    *out_max = (max + 254) / 255;
    if (max == 0)
        return PIXEL_COMPARED;
    if (def->ignore_antialiasing && image_antialiased(a, b, x, y)) {
        m->antialiased++;
        return PIXEL_ANTIALIASED;
    }
    count_pixel(d, max, x, y, def->threshold, s, m);
    return PIXEL_COMPARED;
}

static void measure_row(const zt_image *a, const zt_image *b, const zt_metrics_def *def, int32_t y,
                        uint8_t *fate, sums *s, zt_metrics *m, zt_image *diff)
{
    const uint8_t *row_a = a->rgba8 + (size_t)y * a->stride;
    const uint8_t *row_b = b->rgba8 + (size_t)y * b->stride;
    mark_row(def, y, a->width, fate);
    for (int32_t x = 0; x < a->width; x++)
        m->compared += fate[x] == PIXEL_COMPARED;
    if (!diff && memcmp(row_a, row_b, (size_t)a->width * 4) == 0)
        return;
    for (int32_t x = 0; x < a->width; x++) {
        int32_t max = 0;
        if (fate[x] == PIXEL_COMPARED && memcmp(row_a + 4 * x, row_b + 4 * x, 4) != 0)
            fate[x] = measure_pixel(a, b, def, x, y, s, m, &max);
        if (diff)
            paint(row_a + 4 * x, max, fate[x],
                  diff->rgba8 + (size_t)y * diff->stride + (size_t)x * 4);
    }
}

static void conclude(const sums *s, zt_metrics *m)
{
    const double channels = 4.0 * (double)m->compared;
    m->max = (s->max + 254) / 255;
    m->psnr = HUGE_VAL;
    if (m->pixels == 0)
        return;
    const double square = (double)s->squares / (255.0 * 255.0) / channels;
    m->mean = (double)s->absolute / 255.0 / channels;
    m->rms = sqrt(square);
    // 10 log10(x) = 10 log10(2) log2(x)
    m->psnr = 3.0102999566398119521 * maths_log2(255.0 * 255.0 / square);
    m->share = 100.0 * (double)m->over / (double)m->compared;
    m->differing = (zt_rectangle){s->left, s->top, s->right - s->left + 1, s->bottom - s->top + 1};
}

static bool is_opaque(const zt_image *image)
{
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->rgba8 + (size_t)y * image->stride;
        for (int32_t x = 0; x < image->width; x++)
            if (row[4 * (size_t)x + 3] != 255)
                return false;
    }
    return true;
}

static zt_result measure_flip(const image_pair *pair, const zt_metrics_def *def, arena *memory,
                              zt_metrics *m, zt_image *map, zt_error *err)
{
    flip_result flip;
    ZT_TRY(image_flip(pair, def->pixels_per_degree, memory, &flip, map, err));
    m->flip = flip.mean;
    m->flip_first_quartile = flip.first_quartile;
    m->flip_median = flip.median;
    m->flip_third_quartile = flip.third_quartile;
    m->flip_max = flip.max;
    return ZT_OK;
}

/// SSIM and FLIP over one background or, of pictures with alpha, over the one that shows more.
static zt_result measure_neighbourhoods(image_pair *pair, const zt_metrics_def *def, arena *memory,
                                        zt_metrics *m, zt_image *map, zt_error *err)
{
    const bool opaque = is_opaque(pair->side[0]) && is_opaque(pair->side[1]);
    zt_metrics black = *m;
    pair->background = 255;
    if (def->ssim)
        ZT_TRY(image_ssim(pair, memory, &m->ssim, err));
    if (def->flip)
        ZT_TRY(measure_flip(pair, def, memory, m, map, err));
    if (opaque)
        return ZT_OK;
    pair->background = 0;
    if (def->ssim)
        ZT_TRY(image_ssim(pair, memory, &black.ssim, err));
    m->ssim = black.ssim < m->ssim ? black.ssim : m->ssim;
    if (!def->flip)
        return ZT_OK;
    const double over_white = m->flip;
    ZT_TRY(measure_flip(pair, def, memory, &black, NULL, err));
    if (black.flip > over_white)
        ZT_TRY(measure_flip(pair, def, memory, m, map, err));
    return ZT_OK;
}

static zt_result measure(const zt_image *a, const zt_image *b, const zt_metrics_def *def,
                         arena *memory, zt_metrics *m, zt_image *diff, zt_error *err)
{
    const bool wide = def->ssim || def->flip;
    const size_t width = (size_t)a->width;
    uint8_t *fate = ARENA_ARRAY_RAW(memory, uint8_t, wide ? width * (size_t)a->height : width);
    image_pair pair = {.fate = fate};
    pair.side[0] = a;
    pair.side[1] = b;
    sums s = {0};
    if (!fate)
        return arena_fail(memory, err, "a comparison");
    for (int32_t y = 0; y < a->height; y++) {
        if (image_pair_cancelled(&pair))
            return cancel_fail(err);
        measure_row(a, b, def, y, wide ? fate + (size_t)y * width : fate, &s, m, diff);
    }
    conclude(&s, m);
    m->ssim = def->ssim ? 1.0 : (double)NAN;
    m->flip = m->flip_first_quartile = m->flip_median = m->flip_third_quartile = m->flip_max =
        def->flip ? 0.0 : (double)NAN;
    const bool map = diff && def->flip && def->flip_diff;
    if (!wide || (m->pixels == 0 && !map))
        return ZT_OK;
    return measure_neighbourhoods(&pair, def, memory, m, map ? diff : NULL, err);
}

zt_result zt_image_measure(const zt_image *a, const zt_image *b, const zt_metrics_def *def,
                           zt_metrics *out_metrics, zt_image *out_diff, zt_error *err)
{
    if (out_diff)
        *out_diff = (zt_image){0};
    ZT_TRY(check(a, b, def, err));
    if (out_diff)
        ZT_TRY(zt_image_init(out_diff, a->width, a->height, a->budget, err));
    zt_metrics m = {.first_x = -1, .first_y = -1};
    budget part;
    arena memory;
    budget_init_within(&part, a->budget, 0, NULL);
    arena_init(&memory, &part);
    const zt_result result = measure(a, b, def, &memory, &m, out_diff, err);
    arena_finish(&memory);
    if (out_metrics && result == ZT_OK)
        *out_metrics = m;
    if (out_diff && result != ZT_OK)
        zt_image_finish(out_diff);
    return result;
}

bool zt_image_blank(const zt_image *image)
{
    if (image_check(image, NULL) != ZT_OK)
        return false;
    for (int32_t y = 0; y < image->height; y++) {
        const uint8_t *row = image->rgba8 + (size_t)y * image->stride;
        for (int32_t x = 0; x < image->width; x++)
            if (memcmp(row + 4 * (size_t)x, image->rgba8, 4) != 0)
                return false;
    }
    return true;
}
