// SPDX-License-Identifier: MIT
/// The film kernel: the sRGB code of floats in every bucket against powl, tone maps against their
/// specifications in double, means of samples against double sums, instruction sets against each
/// other.
#include "film/film.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "testing.h"

enum { FILM_SIDE = TILE_SIZE, FILM_PIXELS = FILM_SIDE * FILM_SIDE, FILM_ITEMS = 16 * FILM_PIXELS };

/// The input of a test in the order and arrays of the kernel.
typedef struct film_arrays {
    uint32_t id[FILM_ITEMS + 16], position[FILM_ITEMS + 16];
    uint8_t count[FILM_ITEMS + 16], unlit[FILM_ITEMS + 16];
    block_samples blocks[TILE_BLOCK_COUNT];
    float color[3][FILM_ITEMS + 16];
} film_arrays;

typedef struct film_case {
    film_srgb srgb;
    uint32_t visible[FILM_ITEMS]; ///< counts of samples, pixel by pixel in rows
    float color[FILM_ITEMS][3];
    bool unlit[FILM_ITEMS];
    uint32_t first[FILM_PIXELS + 1];
    film_arrays arrays;
    visible_samples in_blocks;
    uint8_t out[FILM_SIDE][FILM_SIDE + 1][4]; ///< the result; the last column is not the tile's
    film_job job;
} film_case;

static film_case stage;

/// A job with one sample per pixel that does not change colours.
static void stage_plain(int32_t width, int32_t height)
{
    film_srgb_init(&stage.srgb);
    for (int32_t i = 0; i < FILM_PIXELS; i++)
        stage.visible[i] = 1;
    for (int32_t i = 0; i <= width * height; i++)
        stage.first[i] = (uint32_t)i;
    film_arrays *a = &stage.arrays;
    stage.in_blocks = (visible_samples){.id = a->id, .position = a->position, .count = a->count};
    stage.job = (film_job){.visible = &stage.in_blocks,
                           .color = {.r = a->color[0], .g = a->color[1], .b = a->color[2]},
                           .blocks = a->blocks,
                           .width = width,
                           .height = height,
                           .sample_count = 1,
                           .exposure = 1.0f,
                           .tone_map = TONE_MAP_LINEAR,
                           .srgb = &stage.srgb};
}

/// Appends the visible samples of the p-th pixel of a block; pixels outside the tile have none.
static uint32_t arrange_pixel(film_arrays *a, int32_t block, int32_t p, uint32_t count)
{
    const int32_t x = block % TILE_BLOCKS * 4 + p % 4, y = block / TILE_BLOCKS * 4 + p / 4;
    if (x >= stage.job.width || y >= stage.job.height)
        return count;
    const int32_t at = y * stage.job.width + x;
    for (uint32_t i = stage.first[at]; i < stage.first[at + 1]; i++, count++) {
        a->count[count] = (uint8_t)stage.visible[i];
        a->unlit[count] = stage.unlit[i];
        const uint32_t offset = count % SUBPIXEL_ONE; // any position in the pixel
        a->position[count] = ((uint32_t)x * SUBPIXEL_ONE + offset) |
                             ((uint32_t)y * SUBPIXEL_ONE + (SUBPIXEL_ONE - 1 - offset)) << 16;
        for (int k = 0; k < 3; k++)
            a->color[k][count] = stage.color[i][k];
    }
    return count;
}

/// Arranges the visible samples in blocks, the last block first: the order of blocks is free.
static void stage_arrange(void)
{
    film_arrays *a = &stage.arrays;
    uint32_t count = 0;
    for (int32_t block = TILE_BLOCK_COUNT - 1; block >= 0; block--) {
        uint32_t *first = a->blocks[block].first;
        bool plain = true;
        first[0] = count;
        for (int32_t p = 0; p < 16; p++) {
            first[p + 1] = count = arrange_pixel(a, block, p, count);
            plain = plain && first[p + 1] == first[p] + 1 &&
                    a->count[first[p]] == stage.job.sample_count;
        }
        a->blocks[block].kind = first[16] == first[0] ? BLOCK_EMPTY
                                : plain               ? BLOCK_PLAIN
                                                      : BLOCK_MIXED;
    }
}

/// Runs every instruction set; all must agree, and none may write beyond the tile.
static void stage_run(void)
{
    static uint8_t got[FILM_SIDE][FILM_SIDE + 1][4];
    stage_arrange();
    EACH_KERNEL_TABLE (isa, k) {
        memset(got, 0xa5, sizeof got);
        stage.job.out = got[0][0];
        stage.job.out_stride = sizeof got[0];
        k->film->film(&stage.job);
        for (int32_t y = 0; y < FILM_SIDE; y++)
            for (int32_t x = 0; x <= FILM_SIDE; x++)
                if (x >= stage.job.width || y >= stage.job.height)
                    cr_assert_eq(got[y][x][0], 0xa5, "%s wrote beyond the tile", k->name);
        if (isa == (int)ZT_ISA_SCALAR)
            memcpy(stage.out, got, sizeof got);
        cr_assert(memcmp(stage.out, got, sizeof got) == 0, "%s differs", k->name);
    }
}

static const uint8_t *pixel(int32_t i)
{
    return stage.out[i / stage.job.width][i % stage.job.width];
}

/// IEC 61966-2-1, times 255.
static long double exact_encode(long double linear)
{
    const long double e =
        linear <= 0.0031308L ? 12.92L * linear : 1.055L * powl(linear, 1.0L / 2.4L) - 0.055L;
    return 255.0L * e;
}

static double srgb_code(double linear) { return (double)exact_encode((long double)linear); }

/// Encodes up to 3 x 4096 values and checks each: the nearest code. No float lies on a tie: a tie
/// would be a float whose code is an exact half, and would go up.
static void check_codes(const float *value, int32_t count)
{
    stage_plain(FILM_SIDE, FILM_SIDE);
    for (int32_t i = 0; i < 3 * FILM_PIXELS; i++)
        stage.color[i / 3][i % 3] = value[i < count ? i : count - 1];
    stage_run();
    for (int32_t i = 0; i < count; i++) {
        const long double exact = exact_encode((long double)value[i]);
        const int want = (int)floorl(exact + 0.5L);
        cr_assert_eq(pixel(i / 3)[i % 3], want, "%.9g is %.12Lg, not %d", (double)value[i], exact,
                     pixel(i / 3)[i % 3]);
    }
}

Test(film, srgb_around_every_threshold)
{
    static float value[3 * FILM_PIXELS];
    int32_t count = 0;
    for (int code = 1; code <= 255; code++) {
        const long double e = (code - 0.5L) / 255.0L;
        const long double linear = e <= 0.04045L ? e / 12.92L : powl((e + 0.055L) / 1.055L, 2.4L);
        const uint32_t bits = bits_of((float)linear);
        for (uint32_t k = 0; k < 17; k++)
            value[count++] = float_of(bits + k - 8);
    }
    value[count++] = 0.0f;
    value[count++] = 1.0f;
    value[count++] = float_of(0x3f7fffffu);
    value[count++] = float_of(1);
    value[count++] = 1.0f / 8192.0f;
    value[count++] = float_of(bits_of(1.0f / 8192.0f) - 1);
    check_codes(value, count);
}

Test(film, srgb_random_values)
{
    static float value[3 * FILM_PIXELS];
    random_state r = {2026};
    for (int round = 0; round < 60 / ZT_RANDOM_SHARE; round++) {
        for (int32_t i = 0; i < 3 * FILM_PIXELS; i++) // even over floats, then even over 0..1
            value[i] = round % 2 ? float_of((uint32_t)random_int(&r, 0x38000000, 0x3f800000))
                                 : random_float(&r, 0.0f, 1.0f);
        check_codes(value, 3 * FILM_PIXELS);
    }
}

Test(film, srgb_is_monotone)
{
    stage_plain(FILM_SIDE, FILM_SIDE);
    int last = 0;
    uint32_t bits = bits_of(1.0f / 16384.0f);
    while (bits < bits_of(1.0f)) { // every bucket of the table (65,536 floats) in ten steps or more
        for (int32_t i = 0; i < 3 * FILM_PIXELS; i++, bits += 1637 * ZT_RANDOM_SHARE)
            stage.color[i / 3][i % 3] = float_of(bits);
        stage_run();
        for (int32_t i = 0; i < 3 * FILM_PIXELS; i++) {
            cr_assert_geq(pixel(i / 3)[i % 3], last);
            last = pixel(i / 3)[i % 3];
        }
    }
    cr_assert_eq(last, 255);
}

/// Polynomials off by more would give wrong codes at thresholds, where few values lie.
Test(film, srgb_curve_is_as_near_as_loops_assume)
{
    static film_srgb curves;
    const film_srgb *table = &curves;
    double worst = 0.0;
    film_srgb_init(&curves);
    for (uint32_t bits = bits_of(0.0031308f); bits < bits_of(1.0f); bits += 8009) {
        const uint32_t segment = bits >> 19 & 15, octave = bits >> 23 & 15;
        const float m = float_of((bits & 0x7fffff) | 0x3f800000);
        const float curve = (table->curve[2][segment] * m + table->curve[1][segment]) * m +
                            table->curve[0][segment];
        const double code = (double)(curve * table->octave[octave] - 255.0f * 0.055f);
        worst = fmax(worst, fabs(code - srgb_code((double)float_of(bits))));
    }
    cr_expect_lt(worst, 0.8 * (double)FILM_CURVE_ERROR, "off by %g codes", worst);
}

/// Khronos PBR Neutral, as its specification writes it.
static void oracle_neutral(double c[3])
{
    const double start = 0.8 - 0.04, desaturation = 0.15;
    const double x = fmin(c[0], fmin(c[1], c[2]));
    const double offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
    for (int k = 0; k < 3; k++)
        c[k] -= offset;
    const double peak = fmax(c[0], fmax(c[1], c[2]));
    if (peak < start)
        return;
    const double d = 1.0 - start, compressed = 1.0 - d * d / (peak + d - start);
    const double g = 1.0 - 1.0 / (desaturation * (peak - compressed) + 1.0);
    for (int k = 0; k < 3; k++)
        c[k] = c[k] * compressed / peak * (1.0 - g) + compressed * g;
}

static void by_matrix(const double m[3][3], double c[3])
{
    const double v[3] = {c[0], c[1], c[2]};
    for (int k = 0; k < 3; k++)
        c[k] = m[k][0] * v[0] + m[k][1] * v[1] + m[k][2] * v[2];
}

/// Hill's fit of the ACES reference and output transforms.
static void oracle_aces(double c[3])
{
    static const double in[3][3] = {
        {0.59719, 0.35458, 0.04823}, {0.07600, 0.90834, 0.01566}, {0.02840, 0.13383, 0.83777}};
    static const double out[3][3] = {{1.60475, -0.53108, -0.07367},
                                     {-0.10208, 1.10813, -0.00605},
                                     {-0.00327, -0.07276, 1.07602}};
    by_matrix(in, c);
    for (int k = 0; k < 3; k++) {
        const double v = c[k] / 0.6;
        c[k] = (v * (v + 0.0245786) - 0.000090537) / (v * (0.983729 * v + 0.4329510) + 0.238081);
    }
    by_matrix(out, c);
}

/// AgX as Blender 4, three.js and Filament have it, with log2 and pow of the C library.
static void oracle_agx(double c[3])
{
    static const double wide[3][3] = {
        {0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0113}, {0.0164, 0.0880, 0.8956}};
    static const double inset[3][3] = {{0.856627153315983, 0.0951212405381588, 0.0482516061458583},
                                       {0.137318972929847, 0.761241990602591, 0.101439036467562},
                                       {0.11189821299995, 0.0767994186031903, 0.811302368396859}};
    static const double outset[3][3] = {
        {1.1271005818144368, -0.11060664309660323, -0.016493938717834573},
        {-0.1413297634984383, 1.157823702216272, -0.016493938717834257},
        {-0.14132976349843826, -0.11060664309660294, 1.2519364065950405}};
    static const double narrow[3][3] = {
        {1.6605, -0.5876, -0.0728}, {-0.1246, 1.1329, -0.0083}, {-0.0182, -0.1006, 1.1187}};
    static const double fit[] = {-0.00232, 0.1191, 0.4298, -6.868, 31.96, -40.14, 15.5};
    const double(*const steps[])[3] = {wide, inset, outset, narrow};
    for (int step = 0; step < 4; step++) {
        by_matrix(steps[step], c);
        for (int k = 0; k < 3; k++) {
            if (step == 2)
                c[k] = pow(fmax(c[k], 0.0), 2.2);
            if (step != 1)
                continue;
            const double x = (log2(fmax(c[k], 1e-10)) + 12.47393) / (4.026069 + 12.47393);
            c[k] = 0.0;
            for (int i = 0; i < 7; i++)
                c[k] += fit[i] * pow(fmin(fmax(x, 0.0), 1.0), i);
        }
    }
}

/// As docs/light.md writes it, before oracle_neutral.
static void oracle_soft(double c[3])
{
    const double luminance = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
    const double m = (luminance + fmin(c[0], fmin(c[1], c[2]))) / 2.0;
    for (int k = 0; k < 3 && m > 0.5; k++)
        c[k] *= 1.0 - 0.8 * (m - 0.5) * (m - 0.5) / (m * (m - 0.25));
}

static void oracle_tone(int32_t tone_map, double c[3])
{
    if (tone_map == TONE_MAP_SOFT)
        oracle_soft(c);
    if (tone_map == TONE_MAP_NEUTRAL || tone_map == TONE_MAP_SOFT)
        oracle_neutral(c);
    else if (tone_map == TONE_MAP_ACES)
        oracle_aces(c);
    else if (tone_map == TONE_MAP_AGX)
        oracle_agx(c);
}

/// The expected linear channels and alpha (0..1) of a pixel.
static void oracle_pixel(const film_job *job, int32_t at, double out[4])
{
    memset(out, 0, 4 * sizeof *out);
    for (uint32_t i = stage.first[at]; i < stage.first[at + 1]; i++) {
        const bool unlit = job->color.unlit && stage.unlit[i];
        const double weight = (double)stage.visible[i] / job->sample_count;
        double c[3];
        for (int k = 0; k < 3; k++)
            c[k] = unlit ? (double)stage.color[i][k]
                         : fmax((double)stage.color[i][k] * (double)job->exposure, 0.0);
        if (!unlit)
            oracle_tone(job->tone_map, c);
        for (int k = 0; k < 3; k++)
            out[k] += weight * fmin(fmax(c[k], 0.0), 1.0);
        out[3] += weight;
    }
    for (int k = 0; k < 3; k++) {
        if (!job->transparent)
            out[k] += (double)job->background[k] * (1.0 - out[3]);
        else if (out[3] > 0.0)
            out[k] /= out[3];
    }
}

/// Codes within half a step, plus the error of float arithmetic near a threshold.
static void check_pixels(void)
{
    const film_job *job = &stage.job;
    for (int32_t i = 0; i < job->width * job->height; i++) {
        double want[4];
        oracle_pixel(job, i, want);
        const uint8_t *got = pixel(i);
        const double alpha = job->transparent ? 255.0 * want[3] : 255.0;
        cr_assert_leq(fabs(alpha - got[3]), 0.5001, "alpha %d, want %g", got[3], alpha);
        for (int k = 0; k < 3; k++) {
            if (job->transparent && !(want[3] > 0.0)) {
                cr_assert_eq(got[k], 0, "colour where nothing is");
                continue;
            }
            const double code = srgb_code(want[k]);
            // sRGB rises by at most 12.92 x 255 codes: an error of 1e-6 moves 0.0033 of a code.
            NEAR(got[k], code, 0.5 + 0.0033, "tone map %d, alpha %g", job->tone_map, want[3]);
        }
    }
}

/// Pixels of 0..samples visible samples whose counts sum to at most the samples.
static void stage_random(random_state *r, int32_t width, int32_t height, int32_t samples)
{
    stage_plain(width, height);
    uint32_t count = 0;
    for (int32_t p = 0; p < width * height; p++) {
        int32_t left = random_u32(r) % 3 ? samples : random_int(r, 0, samples);
        stage.first[p] = count;
        while (left > 0) {
            const int32_t share = random_int(r, 1, left);
            stage.visible[count] = (uint32_t)share;
            const float bright = powf(2.0f, random_float(r, -8.0f, 5.0f));
            for (int k = 0; k < 3; k++)
                stage.color[count][k] = bright * random_float(r, -0.05f, 1.0f);
            stage.unlit[count] = p / 16 % 3 != 0 && random_u32(r) % 2 == 0;
            count++;
            left -= share;
        }
    }
    stage.first[width * height] = count;
    stage.job.sample_count = samples;
    stage.job.tone_map = (int32_t)(random_u32(r) % TONE_MAP_COUNT);
    stage.job.transparent = random_u32(r) % 2 != 0;
    stage.job.exposure = powf(2.0f, random_float(r, -2.0f, 2.0f));
    for (int k = 0; k < 3; k++)
        stage.job.background[k] = random_float(r, 0.0f, 1.0f);
}

Test(film, resolve_tone_map_and_background)
{
    static const int32_t sizes[][2] = {{64, 64}, {1, 1},   {63, 5}, {17, 3},
                                       {16, 16}, {33, 64}, {4, 7}};
    for (int32_t samples = 1; samples <= 16; samples *= 2) {
        for (uint64_t seed = 1; seed <= 42 / ZT_RANDOM_SHARE; seed++) {
            random_state r = {seed * 53 + (uint64_t)samples};
            const int32_t *size = sizes[seed % (sizeof sizes / sizeof sizes[0])];
            stage_random(&r, size[0], size[1], samples);
            stage.job.color.unlit = seed % 2 ? stage.arrays.unlit : NULL;
            stage_run();
            check_pixels();
        }
    }
}

/// A row of greys through one tone map -> codes.
static void tone_greys(int32_t tone_map, const float *grey, int32_t count)
{
    stage_plain(count, 1);
    stage.job.tone_map = tone_map;
    for (int32_t i = 0; i < count; i++)
        stage.color[i][0] = stage.color[i][1] = stage.color[i][2] = grey[i];
    stage_run();
}

// Properties that the specifications give of their curves, apart from their formulas.
Test(film, tone_maps_have_their_published_values)
{
    // Neutral: F90 = 0.04 is subtracted, 0.04 becomes 0.01; 1:1 with that up to 0.8; ends at 1.
    static const float neutral[] = {0.04f, 0.08f, 0.5f, 0.8f, 1e6f};
    static const double neutral_out[] = {0.01, 0.04, 0.46, 0.76, 1.0};
    tone_greys(TONE_MAP_NEUTRAL, neutral, 5);
    for (int i = 0; i < 5; i++)
        cr_expect_leq(fabs(srgb_code(neutral_out[i]) - pixel(i)[1]), 0.51, "neutral %d", i);
    // AgX: 16.5 stops from 10 below to 6.5 above middle grey 0.18, which the sigmoid puts at 0.5 of
    // the display's signal. The polynomial's mean squared error is published as 3.7e-6, so three
    // times the root of it is 0.006.
    static const float agx[] = {0.18f / 1024.0f, 0.18f, 0.18f * 90.51f};
    static const double agx_signal[] = {0.0, 0.5, 1.0};
    tone_greys(TONE_MAP_AGX, agx, 3);
    for (int i = 0; i < 3; i++) {
        const double low = pow(fmax(agx_signal[i] - 0.006, 0.0), 2.2);
        const double high = pow(agx_signal[i] + 0.006, 2.2);
        for (int k = 0; k < 3; k++)
            cr_expect(pixel(i)[k] >= srgb_code(low) - 0.51 && pixel(i)[k] <= srgb_code(high) + 0.51,
                      "AgX of %g: %d", (double)agx[i], pixel(i)[k]);
    }
    // The ACES output transform for 48 nits maps middle grey 0.18 to 4.8 nits, a tenth of white;
    // 1 / 0.6 of it is near 0.18 again, and the largest values are white.
    static const float aces[] = {0.18f * 0.6f, 1e6f};
    tone_greys(TONE_MAP_ACES, aces, 2);
    cr_expect_leq(fabs(srgb_code(0.105) - pixel(0)[1]), 2.0, "ACES: %d", pixel(0)[1]);
    cr_expect_eq(pixel(1)[1], 255);
}

Test(film, unlit_colours_stay)
{
    // #FF7F00 as linear floats, with bright light in the same pixel and alone.
    const float orange[3] = {1.0f, 0.2122308f, 0.0f};
    for (int kind = 0; kind < 2 * TONE_MAP_COUNT; kind++) {
        stage_plain(2, 1);
        stage.job.color.unlit = stage.arrays.unlit;
        stage.job.tone_map = kind / 2;
        stage.job.transparent = kind % 2 != 0;
        stage.job.exposure = 3.0f;
        stage.job.sample_count = 4;
        stage.visible[0] = 4;
        stage.visible[1] = stage.visible[2] = 2;
        stage.first[1] = 1;
        stage.first[2] = 3;
        for (int i = 0; i < 3; i++) {
            memcpy(stage.color[i], orange, sizeof orange);
            stage.unlit[i] = i < 2;
        }
        stage.color[2][0] = stage.color[2][1] = stage.color[2][2] = 0.0f;
        stage_run();
        cr_expect(pixel(0)[0] == 255 && pixel(0)[1] == 127 && pixel(0)[2] == 0, "tone map %d",
                  kind / 2);
        cr_expect(pixel(1)[0] == 188 && pixel(1)[1] == 92 && pixel(1)[2] == 0, "half of it: %d %d",
                  pixel(1)[0], pixel(1)[1]);
    }
}

Test(film, values_that_are_no_colour)
{
    static const float odd[] = {NAN, -NAN, INFINITY, -INFINITY, 1e30f, -1e30f, -0.0f, -1.0f, 3e38f};
    enum { ODD = sizeof odd / sizeof odd[0] };
    for (int kind = 0; kind < 2 * TONE_MAP_COUNT; kind++) {
        stage_plain(ODD, ODD);
        stage.job.tone_map = kind / 2;
        stage.job.transparent = kind % 2 != 0;
        stage.job.exposure = 4.0f;
        for (int i = 0; i < ODD * ODD; i++) {
            stage.color[i][0] = odd[i % ODD];
            stage.color[i][1] = odd[i / ODD];
            stage.color[i][2] = odd[i % ODD];
        }
        stage_run();
        for (int i = 0; i < ODD * ODD; i++) {
            cr_assert_eq(pixel(i)[3], 255);
            const bool dark0 = !(odd[i % ODD] > 0.0f), dark1 = !(odd[i / ODD] > 0.0f);
            if (dark0 && dark1)
                cr_assert(pixel(i)[0] == 0 && pixel(i)[1] == 0 && pixel(i)[2] == 0, "%d", i);
            if (!dark0 && !dark1)
                cr_assert(pixel(i)[0] >= 254 && pixel(i)[1] >= 254, "%d: %d", i, pixel(i)[0]);
            if (stage.job.tone_map == TONE_MAP_LINEAR)
                cr_assert(pixel(i)[0] == (dark0 ? 0 : 255) && pixel(i)[1] == (dark1 ? 0 : 255) &&
                          pixel(i)[2] == pixel(i)[0]);
        }
    }
}

Test(film, nothing_there_is_the_background_as_it_is)
{
    stage_plain(FILM_SIDE, 9);
    memset(stage.first, 0, sizeof stage.first);
    stage.job.exposure = 8.0f;
    stage.job.tone_map = TONE_MAP_ACES;
    stage.job.background[0] = 0.25f;
    stage.job.background[1] = 0.5f;
    stage.job.background[2] = 1.0f;
    stage_run();
    for (int32_t i = 0; i < FILM_SIDE * 9; i++)
        cr_assert(pixel(i)[0] == 137 && pixel(i)[1] == 188 && pixel(i)[2] == 255 &&
                  pixel(i)[3] == 255);
    stage.job.transparent = true;
    stage_run();
    for (int32_t i = 0; i < FILM_SIDE * 9; i++)
        cr_assert(pixel(i)[0] == 0 && pixel(i)[1] == 0 && pixel(i)[2] == 0 && pixel(i)[3] == 0);
}

/// Every instruction set gives the same, whatever remainder the width has.
Test(film, reduced_colours)
{
    enum { SIDE = 19, FINE = 4 * SIDE };
    static int32_t fine[FINE * FINE];
    static uint8_t want[SIDE][SIDE + 1][4], got[SIDE][SIDE + 1][4];
    random_state r = {11};
    for (int32_t i = 0; i < FINE * FINE; i++)
        fine[i] = (int32_t)(random_u32(&r) & (i % 5 ? 0xffffffffu : 0x00ffffffu));
    film_srgb_init(&stage.srgb);
    const zt_image from = {.rgba8 = (uint8_t *)fine, .stride = sizeof fine / FINE};
    zt_image out = {.rgba8 = got[0][0], .height = SIDE, .stride = sizeof *got};
    for (out.width = 1; out.width <= SIDE; out.width++)
        EACH_KERNEL_TABLE (isa, k) {
            memset(got, 0xa5, sizeof got);
            k->film->color_reduce(
                &(color_reduce_job){&stage.srgb, out.width % 2 ? 4 : 2, &from, &out});
            cr_assert_eq(got[SIDE - 1][out.width][0], 0xa5, "%s: %d", k->name, (int)out.width);
            if (isa == (int)ZT_ISA_SCALAR)
                memcpy(want, got, sizeof got);
            cr_assert(memcmp(want, got, sizeof got) == 0, "%s: %d", k->name, (int)out.width);
        }
}
