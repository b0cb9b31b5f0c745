// SPDX-License-Identifier: MIT
/// Texture sampling against double by OpenGL 4.6 core, 8.14, and sets against each other.
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "surface_probe.h"
#include "testing.h"

enum { TEXTURE_SIDE = 40, TEXTURE_LEVELS = 6 };

/// A texture with different noise in every level, so that a wrong level is noticed.
typedef struct noise_texture {
    uint16_t value[TEXTURE_LEVELS][TEXTURE_SIDE][TEXTURE_SIDE][4]; ///< as stored, without padding
    uint16_t wide[TEXTURE_LEVELS][(TEXTURE_SIDE + 1) * (TEXTURE_SIDE + 1) * 4 + 8];
    uint8_t narrow[TEXTURE_LEVELS][(TEXTURE_SIDE + 1) * (TEXTURE_SIDE + 1) * 4 + 16];
    surface_texture texture;
} noise_texture;

/// OpenGL 4.6, table 8.20: the texel of a coordinate.
static int32_t wrapped(int64_t i, int32_t size, int32_t wrap)
{
    const int64_t period = wrap == SURFACE_WRAP_MIRROR ? 2 * (int64_t)size : size;
    if (wrap == SURFACE_WRAP_CLAMP)
        return (int32_t)(i < 0 ? 0 : i >= size ? size - 1 : i);
    const int64_t within = ((i % period) + period) % period;
    return (int32_t)(within < size ? within : period - 1 - within);
}

static void noise_build(noise_texture *n, random_state *r, int32_t width, int32_t height,
                        int32_t levels, bool wide)
{
    surface_texture *t = &n->texture;
    t->wide = wide;
    t->sampling.powers_of_two = (width & (width - 1)) == 0 && (height & (height - 1)) == 0;
    t->sampling.square = width == height;
    t->level_count = 0;
    for (int32_t l = 0; l < levels; l++) {
        const int32_t w = width >> l > 0 ? width >> l : 1, h = height >> l > 0 ? height >> l : 1;
        for (int32_t y = 0; y < h; y++)
            for (int32_t x = 0; x < w; x++)
                for (int c = 0; c < 4; c++)
                    n->value[l][y][x][c] = (uint16_t)random_int(r, 0, wide ? 32640 : 255);
        for (int32_t y = 0; y <= h; y++) {
            for (int32_t x = 0; x <= w; x++) {
                const uint16_t *from = n->value[l][wrapped(y, h, t->sampling.wrap_v)]
                                               [wrapped(x, w, t->sampling.wrap_u)];
                for (int c = 0; c < 4; c++) {
                    n->wide[l][(y * (w + 1) + x) * 4 + c] = from[c];
                    n->narrow[l][(y * (w + 1) + x) * 4 + c] = (uint8_t)from[c];
                }
            }
        }
        t->level[l] = (surface_level){wide ? (const void *)n->wide[l] : (const void *)n->narrow[l],
                                      w, h, w + 1};
        t->level_count++;
        if (w == 1 && h == 1)
            break;
    }
}

static double texel_of(const noise_texture *n, int32_t level, int64_t x, int64_t y, int channel)
{
    const surface_texture *t = &n->texture;
    const surface_level *l = &t->level[level];
    const double one = t->wide ? 32640.0 : 255.0;
    const double v = n->value[level][wrapped(y, l->height, t->sampling.wrap_v)]
                             [wrapped(x, l->width, t->sampling.wrap_u)][channel];
    return t->is_signed ? v * 2.0 / one - 1.0 : v / one;
}

/// Filters one level. `out_edge`: the minimum distance to a discontinuity of the nearest filter.
static double oracle_level(const noise_texture *n, int32_t level, double u, double v, bool nearest,
                           int channel, double *out_edge)
{
    const surface_level *l = &n->texture.level[level];
    const double x = u * l->width, y = v * l->height;
    if (nearest) {
        *out_edge = fmin(*out_edge, fmin(fabs(x - floor(x + 0.5)), fabs(y - floor(y + 0.5))));
        return texel_of(n, level, (int64_t)floor(x), (int64_t)floor(y), channel);
    }
    const double left = floor(x - 0.5), top = floor(y - 0.5);
    const double fx = x - 0.5 - left, fy = y - 0.5 - top;
    const int64_t i = (int64_t)left, j = (int64_t)top;
    return (1.0 - fy) * ((1.0 - fx) * texel_of(n, level, i, j, channel) +
                         fx * texel_of(n, level, i + 1, j, channel)) +
           fy * ((1.0 - fx) * texel_of(n, level, i, j + 1, channel) +
                 fx * texel_of(n, level, i + 1, j + 1, channel));
}

/// The coordinates and gradients of a lane.
static void lane_of(const float uv[6][SURFACE_LANES], int lane, double out[6])
{
    for (int k = 0; k < 6; k++)
        out[k] = (double)uv[k][lane];
}

static double oracle_lod(const surface_texture *t, const double g[6])
{
    const double w = t->level[0].width, h = t->level[0].height;
    const double x2 = g[2] * w * g[2] * w + g[3] * h * g[3] * h;
    const double y2 = g[4] * w * g[4] * w + g[5] * h * g[5] * h;
    return 0.5 * log2(fmax(x2, y2));
}

/// The filtered value. `out_edge`: distance to the nearest discontinuity, in texels or levels.
static double oracle_sample(const noise_texture *n, const double g[6], int channel,
                            double *out_edge)
{
    const surface_texture *t = &n->texture;
    const double lod = oracle_lod(t, g);
    const bool magnified = lod <= 0.0;
    const bool nearest = magnified ? t->sampling.mag_nearest : t->sampling.min_nearest;
    *out_edge = t->sampling.mag_nearest != t->sampling.min_nearest ? fabs(lod) : 1.0;
    const double d = fmin(fmax(lod, 0.0), t->level_count - 1);
    if (t->sampling.mip_nearest) {
        *out_edge = fmin(*out_edge, fabs(d - floor(d) - 0.5));
        return oracle_level(n, (int32_t)floor(d + 0.5), g[0], g[1], nearest, channel, out_edge);
    }
    const int32_t fine = (int32_t)floor(d), coarse = fine + (fine < t->level_count - 1);
    const double a = oracle_level(n, fine, g[0], g[1], nearest, channel, out_edge);
    const double b = oracle_level(n, coarse, g[0], g[1], nearest, channel, out_edge);
    return a + (b - a) * (d - fine);
}

/// Random positions, up to `far` repeats away, and gradients of 1/8 to 64 texels a pixel.
static void gradients_random(random_state *r, const surface_texture *t, float far,
                             float uv[6][SURFACE_LANES])
{
    for (int i = 0; i < SURFACE_LANES; i++) {
        const float texels = powf(2.0f, random_float(r, -3.0f, 6.0f));
        uv[0][i] = random_float(r, -far, far);
        uv[1][i] = random_float(r, -far, far);
        for (int k = 2; k < 6; k++) {
            const int32_t side = k % 2 == 0 ? t->level[0].width : t->level[0].height;
            uv[k][i] = texels * random_float(r, -1.0f, 1.0f) / (float)side;
        }
    }
}

/// Samples with every instruction set: they must agree.
static void sample(const surface_texture *t, const float uv[6][SURFACE_LANES],
                   float got[4][SURFACE_LANES])
{
    static float other[4][SURFACE_LANES];
    EACH_SURFACE_PROBE (isa, probe) {
        probe->sample(t, uv, 0, isa == (int)ZT_ISA_SCALAR ? got : other);
        cr_assert(isa == (int)ZT_ISA_SCALAR || memcmp(got, other, sizeof other) == 0, "%s differs",
                  probe->name);
    }
}

/// Samples and compares with the oracle.
static void check_texture(const noise_texture *n, const float uv[6][SURFACE_LANES], double bound,
                          int *out_compared, double *out_worst)
{
    static float got[4][SURFACE_LANES];
    sample(&n->texture, uv, got);
    for (int i = 0; i < SURFACE_LANES; i++) {
        double g[6];
        lane_of(uv, i, g);
        for (int c = 0; c < 4; c++) {
            double edge;
            const double want = oracle_sample(n, g, c, &edge);
            if (edge < 0.005) // within 1/256 of a discontinuity either value is right
                continue;
            const double error = fabs((double)got[c][i] - want);
            cr_assert_leq(error, bound, "%dx%d levels %d wrap %d %d uv %.9g %.9g: %.9g, want %.9g",
                          n->texture.level[0].width, n->texture.level[0].height,
                          n->texture.level_count, n->texture.sampling.wrap_u,
                          n->texture.sampling.wrap_v, g[0], g[1], (double)got[c][i], want);
            *out_worst = fmax(*out_worst, error);
            (*out_compared)++;
        }
    }
}

/// All filters and wrap modes on sizes that are not powers of two.
static void check_kinds(bool wide, bool is_signed)
{
    static const int32_t sizes[][2] = {{1, 1}, {1, 9}, {13, 1}, {2, 2}, {8, 16}, {5, 7}, {33, 40}};
    static noise_texture n;
    int compared = 0;
    double worst = 0.0;
    for (int kind = 0; kind < 9 * 16; kind++) {
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            random_state r = {(uint64_t)kind * 31 + s + 1};
            n.texture = (surface_texture){.sampling.wrap_u = (uint8_t)(kind % 3),
                                          .sampling.wrap_v = (uint8_t)(kind / 3 % 3),
                                          .sampling.mag_nearest = (kind / 9 & 1) != 0,
                                          .sampling.min_nearest = (kind / 9 & 2) != 0,
                                          .sampling.mip_nearest = (kind / 9 & 4) != 0,
                                          .is_signed = is_signed};
            const int32_t levels = (kind / 9 & 8) != 0 ? TEXTURE_LEVELS : 1;
            noise_build(&n, &r, sizes[s][0], sizes[s][1], levels, wide);
            // Weights are truncated to 8 bits: 1/256 along each axis and between levels. The level
            // of detail is within 0.0035 / 2. Each error is times the largest difference of two
            // texels.
            const double bound = (3.0 / 256.0 + 0.00175) * (is_signed ? 2.0 : 1.0) + 1e-4;
            static float uv[6][SURFACE_LANES];
            gradients_random(&r, &n.texture, s % 2 == 0 ? 3.0f : 900.0f, uv);
            check_texture(&n, (const float(*)[SURFACE_LANES])uv, bound, &compared, &worst);
        }
    }
    cr_log_info("%s: %d values within %g", wide ? "15 bits" : "8 bits", compared, worst);
    cr_assert_gt(compared, 40000);
}

Test(texture, kinds_8_bits) { check_kinds(false, false); }

Test(texture, kinds_15_bits) { check_kinds(true, false); }

Test(texture, kinds_signed) { check_kinds(false, true); }

Test(texture, texel_centres_are_exact)
{
    static noise_texture n;
    static float uv[6][SURFACE_LANES], got[4][SURFACE_LANES];
    random_state r = {99};
    for (int kind = 0; kind < 3 * 2 * 2 * 2; kind++) {
        n.texture = (surface_texture){.sampling.wrap_u = (uint8_t)(kind % 3),
                                      .sampling.wrap_v = (uint8_t)(kind % 3),
                                      .sampling.mag_nearest = (kind / 3 & 1) != 0,
                                      .is_signed = (kind / 3 & 4) != 0};
        noise_build(&n, &r, 32, 8, 1, (kind / 3 & 2) != 0);
        for (int at = 0; at < 32 * 8; at += SURFACE_LANES) {
            for (int i = 0; i < SURFACE_LANES; i++) { // powers of two: the coordinates are exact
                uv[0][i] = ((float)((at + i) % 32) + 0.5f) / 32.0f;
                uv[1][i] = ((float)((at + i) / 32) + 0.5f) / 8.0f;
            }
            sample(&n.texture, (const float(*)[SURFACE_LANES])uv, got);
            for (int i = 0; i < SURFACE_LANES; i++)
                for (int c = 0; c < 4; c++) {
                    const double want = texel_of(&n, 0, (at + i) % 32, (at + i) / 32, c);
                    cr_assert_leq(fabs((double)got[c][i] - want), 1.2e-7, "texel %d", at + i);
                }
        }
    }
}

/// A chain whose level l is the constant 20 l: the sample gives the level of detail.
Test(texture, level_of_detail)
{
    static noise_texture n;
    static float uv[6][SURFACE_LANES], got[4][SURFACE_LANES];
    random_state r = {4};
    n.texture = (surface_texture){0};
    noise_build(&n, &r, 32, 32, TEXTURE_LEVELS, false);
    for (int l = 0; l < TEXTURE_LEVELS; l++)
        memset(n.narrow[l], 20 * l, sizeof n.narrow[l]);
    double worst = 0.0;
    for (int round = 0; round < 5000; round++) {
        gradients_random(&r, &n.texture, 2.0f, uv);
        sample(&n.texture, (const float(*)[SURFACE_LANES])uv, got);
        for (int i = 0; i < SURFACE_LANES; i++) {
            double g[6];
            lane_of((const float(*)[SURFACE_LANES])uv, i, g);
            const double want = fmin(fmax(oracle_lod(&n.texture, g), 0.0), TEXTURE_LEVELS - 1);
            const double error = (double)got[0][i] * 255.0 / 20.0 - want;
            // Truncated to 8 bits; log2_coarse of twice the level is within 0.0035.
            cr_assert(error < 0.00175 && error > -1.0 / 256.0 - 0.00175, "%g off at %g", error,
                      want);
            worst = fmax(worst, fabs(error));
        }
    }
    cr_log_info("level of detail within %g", worst);
}

/// Edge functions of far triangles are huge, of near ones tiny: gradients must not depend on it.
Test(texture, level_of_detail_at_any_distance)
{
    EACH_SURFACE_PROBE (isa, probe) {
        for (int square = 0; square < 2; square++) {
            surface_texture t = {.level_count = 1, .sampling.square = square};
            t.level[0].width = 1024;
            t.level[0].height = square ? 1024 : 64;
            float uv[6][SURFACE_LANES] = {{0}}, far[6][SURFACE_LANES] = {{0}};
            int32_t expected[SURFACE_LANES], found[SURFACE_LANES];
            for (int i = 0; i < SURFACE_LANES; i++)
                for (int k = 2; k < 6; k++)
                    uv[k][i] = ldexpf((float)(i * 7 + k * 3 % 5 - 40), -14);
            probe->level_of_detail(&t, (const float(*)[SURFACE_LANES])uv, 1.0f, expected);
            cr_assert_gt(expected[0], 256);
            for (int power = -100; power <= 100; power += 20) {
                for (int i = 0; i < SURFACE_LANES; i++)
                    for (int k = 2; k < 6; k++)
                        far[k][i] = ldexpf(uv[k][i], power);
                probe->level_of_detail(&t, (const float(*)[SURFACE_LANES])far, ldexpf(1.0f, -power),
                                       found);
                cr_assert(memcmp(found, expected, sizeof found) == 0, "%s, 2^%d", probe->name,
                          power);
            }
        }
    }
}

Test(texture, any_coordinate_gives_a_colour)
{
    static noise_texture n;
    static float uv[6][SURFACE_LANES], got[4][SURFACE_LANES];
    random_state r = {8};
    for (int round = 0; round < 3000; round++) {
        n.texture = (surface_texture){.sampling.wrap_u = (uint8_t)(round % 3),
                                      .sampling.wrap_v = (uint8_t)(round / 3 % 3),
                                      .sampling.mag_nearest = (round & 1) != 0,
                                      .sampling.min_nearest = (round & 2) != 0,
                                      .sampling.mip_nearest = (round & 4) != 0};
        noise_build(&n, &r, random_int(&r, 1, 9), random_int(&r, 1, 9), 4, (round & 8) != 0);
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < SURFACE_LANES; i++)
                uv[k][i] = random_bits(&r);
        sample(&n.texture, (const float(*)[SURFACE_LANES])uv, got);
        for (int i = 0; i < SURFACE_LANES; i++)
            for (int c = 0; c < 4; c++)
                cr_assert(got[c][i] >= 0.0f && got[c][i] <= 1.0f, "%g", (double)got[c][i]);
    }
}
