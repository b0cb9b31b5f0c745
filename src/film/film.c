// SPDX-License-Identifier: MIT
// The sRGB encoding table, and the jobs that write the planes of a picture. The threshold of code c
// is the smallest float whose encoded value is at least c - 0.5 in 255ths. Above 2^-13 thresholds
// are farther apart than a bucket of 2^-7 octave is wide, so the code at the start of a bucket and
// one comparison are enough; the comparison is the carry of an addition.
#include "film/film.h"

#include "texture/mipmap.h"

#include <string.h>

/// The smallest float whose code is `code` or more.
static uint32_t threshold_bits(int code)
{
    const double exact = srgb_decode((code - 0.5) / 255.0);
    const float value = (float)exact;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (double)value < exact ? bits + 1 : bits;
}

/// x^(5/12) of x > 0: Newton's method for the twelfth root of x^5.
static double power_of_curve(double x)
{
    const double x2 = x * x, x5 = x2 * x2 * x;
    double y = x;
    for (int i = 0; i < 100; i++) {
        const double y3 = y * y * y, y11 = y3 * y3 * y3 * y * y;
        y -= (y11 * y - x5) / (12.0 * y11);
    }
    return y;
}

/// The parabola through three points of each segment: the nodes of Chebyshev's polynomial, which
/// spread the error evenly.
static void curve_init(film_srgb *table)
{
    const double spread = 0.86602540378443865 / 32.0; // sin(60 degrees) of half a segment
    for (int i = 0; i < 16; i++) {
        const double x = 1.0 + (i + 0.5) / 16.0;
        const double y = power_of_curve(x), below = power_of_curve(x - spread);
        const double above = power_of_curve(x + spread), scale = 255.0 * 1.055;
        const double slope = (above - below) / (2.0 * spread);
        const double bend = (above - 2.0 * y + below) / (2.0 * spread * spread);
        table->curve[2][i] = (float)(scale * bend);
        table->curve[1][i] = (float)(scale * (slope - 2.0 * bend * x));
        table->curve[0][i] = (float)(scale * (y - slope * x + bend * x * x));
    }
    double power = 1.0;
    for (int exponent = 126; exponent >= 127 - 13; exponent--) {
        power *= power_of_curve(0.5);
        table->octave[exponent % 16] = (float)power;
    }
    table->octave[0] = table->octave[1] = table->octave[15] = 0.0f; // of no exponent
}

void film_srgb_init(film_srgb *table)
{
    curve_init(table);
    const uint32_t first = (127u - 13u) << 7;
    uint32_t code = 0, next = threshold_bits(1);
    for (uint32_t b = 0; b <= 13 * 128; b++) {
        const uint32_t start = (first + b) << 16;
        while (code < 255 && start >= next) {
            code++;
            next = threshold_bits((int)code + 1);
        }
        uint32_t entry = code << 16;
        if (code < 255 && next < start + 0x10000)
            entry += 0x10000 - (next - start);
        table->bucket[b] = (int32_t)entry;
    }
}

bool film_tile(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
               const film_stage *stage, tile_rect rect, const film_srgb *srgb, arena *a,
               const zt_image *target)
{
    const film_settings *film = stage->settings;
    film_job job = {
        .visible = &t->visible,
        .color = s->color,
        .blocks = t->touched ? t->blocks : NULL,
        .blended = (const float(*)[4])blend->color,
        .blended_unlit = (const float(*)[4])blend->unlit,
        .blended_pixels = blend->pixels,
        .through = (const float(*)[4])blend->through,
        .width = rect.width,
        .height = rect.height,
        .sample_count = t->sample_count,
        .exposure = film->exposure,
        .tone_map = film->tone_map,
        .transparent = film->transparent,
        .srgb = srgb,
        .out = target->rgba8 + (size_t)rect.y * target->stride + (size_t)rect.x * 4,
        .out_stride = target->stride,
    };
    memcpy(job.background, film->background, sizeof job.background);
    if (film->backdrop) {
        float *pixels = ARENA_ARRAY_RAW(a, float, 3 * FILM_BACKDROP_PLANE);
        if (!pixels)
            return false;
        job.backdrop = film->backdrop;
        stage->loops->backdrop(&(backdrop_job){.frame = stage->frame,
                                               .film = &job,
                                               .tile_x = rect.x,
                                               .tile_y = rect.y,
                                               .out = pixels});
        job.backdrop_pixels = pixels;
    }
    stage->loops->film(&job);
    return true;
}

void film_depth(const tile_buffers *t, tile_rect rect, const picture_planes *target)
{
    const int32_t samples = t->sample_count;
    for (int32_t y = 0; y < rect.height; y++) {
        float *out = target->depth + (size_t)(rect.y + y) * (size_t)target->width + (size_t)rect.x;
        for (int32_t x = 0; x < rect.width; x++) {
            const int32_t block = y / 4 * TILE_BLOCKS + x / 4, pixel = y % 4 * 4 + x % 4;
            const float *depth = t->visibility.depth + (block * 16 + pixel) * samples;
            float nearest = -1.0f;
            for (int32_t s = 0; s < samples && t->touched; s++)
                nearest = depth[s] > nearest ? depth[s] : nearest;
            out[x] = nearest;
        }
    }
}
