// SPDX-License-Identifier: MIT
// The sRGB encoding table, and the jobs that write the planes of a picture. The threshold of code c
// is the smallest float whose encoded value is at least c - 0.5 in 255ths. Above 2^-13 thresholds
// are farther apart than a bucket of 2^-7 octave is wide, so the code at the start of a bucket and
// one comparison are enough; the comparison is the carry of an addition.
#include "film/film.h"

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

/// The parabola through three points of each segment, Chebyshev's nodes: an even error.
static void curve_init(film_srgb *table)
{
    const double spread = 0.86602540378443865 / 32.0; // sin(60 degrees) of half a segment
    for (int i = 0; i < 16; i++) {
        const double x = 1.0 + (i + 0.5) / 16.0;
        const double y = srgb_power(x), below = srgb_power(x - spread);
        const double above = srgb_power(x + spread), scale = 255.0 * 1.055;
        const double slope = (above - below) / (2.0 * spread);
        const double bend = (above - 2.0 * y + below) / (2.0 * spread * spread);
        table->curve[2][i] = (float)(scale * bend);
        table->curve[1][i] = (float)(scale * (slope - 2.0 * bend * x));
        table->curve[0][i] = (float)(scale * (y - slope * x + bend * x * x));
    }
    double power = 1.0;
    for (int exponent = 126; exponent >= 127 - 13; exponent--) {
        power *= srgb_power(0.5);
        table->octave[exponent % 16] = (float)power;
    }
    table->octave[0] = table->octave[1] = table->octave[15] = 0.0f; // of no exponent
}

void film_srgb_init(film_srgb *table)
{
    curve_init(table);
    for (int i = 0; i <= 256; i++)
        table->linear[i] = (float)srgb_decode((i < 255 ? i : 255) / 255.0);
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

static behind_resolve_job resolve_job(const shade_buffers *s, const tile_buffers *t,
                                      const tile_blend *blend, tile_rect rect)
{
    return (behind_resolve_job){
        .tile = t->visibility,
        .visible = &t->visible,
        .color = s->color,
        .blocks = t->touched ? t->blocks : NULL,
        .blended = (const float(*)[4])blend->color,
        .blended_unlit = (const float(*)[4])blend->unlit,
        .through = (const float(*)[4])blend->through,
        .blended_pixels = blend->pixels,
        .width = rect.width,
        .height = rect.height,
        .sample_count = t->sample_count,
    };
}

/// Adds a tile of a sub-frame to the sums.
static void film_sums(const film_job *job, behind_resolve_job light, const film_stage *stage,
                      tile_rect rect, const picture_sums *sums)
{
    float none[4];
    if (stage->frame->any_unlit)
        light.out_unlit = &none; // they are kept apart; nothing is written there
    stage->loops->blur_tile(&(blur_tile_job){job, light, rect.x / 4, rect.y / 4, sums});
}

bool film_tile(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
               const film_stage *stage, tile_rect rect, arena *a, const picture_planes *target)
{
    const film_settings *film = stage->settings;
    film_job job = {
        .visible = &t->visible,
        .color = s->color,
        .blocks = t->touched ? t->blocks : NULL,
        .blended = (const float(*)[4])blend->display,
        .blended_pixels = blend->pixels,
        .black = blend->black,
        .black_place = blend->black_place,
        .through = (const float(*)[4])blend->display_through,
        .width = rect.width,
        .height = rect.height,
        .sample_count = t->sample_count,
        .exposure = film->exposure,
        .tone_map = film->tone_map,
        .transparent = film->transparent,
        .srgb = stage->srgb,
        .out_stride = target->color8.stride,
        .display_stride = target->plane[PLANE_DISPLAY].stride,
    };
    if (target->color8.rgba8)
        job.out = target->color8.rgba8 + (size_t)rect.y * job.out_stride + (size_t)rect.x * 4;
    if (target->plane[PLANE_DISPLAY].data)
        job.display = picture_plane_at(target, PLANE_DISPLAY, rect.x, rect.y);
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
    if (target->sums)
        film_sums(&job, resolve_job(s, t, blend, rect), stage, rect, target->sums);
    if (job.out)
        stage->loops->film(&job);
    if (job.display)
        stage->loops->display(&job);
    return true;
}

void film_linear(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
                 const film_stage *stage, tile_rect rect, const behind_level *out)
{
    behind_resolve_job job = resolve_job(s, t, blend, rect);
    job.out = out->color;
    job.out_unlit = out->unlit;
    job.out_nearness = out->nearness;
    job.stride = (size_t)out->width;
    stage->loops->behind_resolve(&job);
}

/// Pixels of `channels` of four: light times a factor, and what is not exposed (NULL: none).
static inline void scale_pixels(const float *lit, const float *unlit, float factor, int32_t count,
                                int32_t channels, bool adds, float *out)
{
    for (int32_t x = 0; x < count; x++)
        for (int32_t c = 0; c < channels; c++) {
            const float exposed = lit[4 * x + c] * (c < 3 ? factor : 1.0f);
            const float own = exposed + (unlit ? unlit[4 * x + c] : 0.0f);
            out[channels * x + c] = adds ? out[channels * x + c] + own : own;
        }
}

/// The first pixel from `x` on in row `y` of a tile whose block shows something, or does not.
static int32_t run_end(const behind_resolve_job *job, int32_t x, int32_t y, bool shows)
{
    const int32_t row = y / 4 * TILE_BLOCKS;
    while (x < job->width && behind_shows(job->blocks, job->blended_pixels, row + x / 4) == shows)
        x += 4;
    return x < job->width ? x : job->width;
}

bool film_color(const shade_buffers *s, const tile_buffers *t, const tile_blend *blend,
                const film_stage *stage, tile_rect rect, arena *a, picture_plane plane,
                const picture_planes *target)
{
    enum { PIXELS = TILE_SIZE * TILE_SIZE };
    const int32_t channels = picture_plane_table[plane].kind.channels;
    const int32_t first = plane == PLANE_COVERAGE ? 3 : 0;
    const bool alike = plane == PLANE_ALBEDO || plane == PLANE_COVERAGE;
    const bool adds = s->part == SHADE_BEHIND;
    const float exposure = alike ? 1.0f : stage->settings->exposure;
    behind_resolve_job job = resolve_job(s, t, blend, rect);
    job.leaves_empty = true;
    job.stride = TILE_SIZE;
    job.out = arena_alloc_raw(a, PIXELS, sizeof *job.out);
    if (stage->frame->any_unlit)
        job.out_unlit = arena_alloc_raw(a, PIXELS, sizeof *job.out_unlit);
    if (!job.out || (stage->frame->any_unlit && !job.out_unlit))
        return false;
    stage->loops->behind_resolve(&job);
    for (int32_t y = 0; y < rect.height; y++)
        for (int32_t x = 0, end; x < rect.width; x = end) {
            const bool shows =
                behind_shows(job.blocks, job.blended_pixels, y / 4 * TILE_BLOCKS + x / 4);
            float *out = picture_plane_at(target, plane, rect.x + x, rect.y + y);
            const float *lit = &job.out[y * TILE_SIZE + x][first];
            const float *unlit = job.out_unlit ? &job.out_unlit[y * TILE_SIZE + x][first] : NULL;
            end = run_end(&job, x, y, shows);
            if (!shows && !adds)
                memset(out, 0, (size_t)((end - x) * channels) * sizeof *out);
            else if (shows && channels == 3)
                scale_pixels(lit, unlit, exposure, end - x, 3, adds, out);
            else if (shows && channels == 4)
                scale_pixels(lit, unlit, exposure, end - x, 4, adds, out);
            else if (shows)
                scale_pixels(lit, unlit, exposure, end - x, 1, adds, out);
        }
    return true;
}
