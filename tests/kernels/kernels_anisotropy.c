// SPDX-License-Identifier: MIT
/// Anisotropic sampling against the mean of the texture over the footprint, in double with
/// thousands of samples; the same footprint given by other axes; all instruction sets against each
/// other.
#include "base/maths.h"
#include "kernels/kernels.h"
#include "random_inputs.h"
#include "surface_probe.h"
#include "testing.h"

#define AS_CONST(array) ((const float(*)[SURFACE_LANES])(array))

enum { SIDE = 64, LEVELS = 7, CASES = 25 };

typedef struct grey_texture {
    double value[SIDE][SIDE];
    uint8_t texels[LEVELS][(SIDE + 1) * (SIDE + 1) * 4 + 16];
    surface_texture texture;
} grey_texture;

static grey_texture grey;

/// Noise of one or two texels, with mips by boxes of 2x2.
static void grey_build(uint64_t seed)
{
    static double level[LEVELS][SIDE][SIDE];
    random_state r = {seed};
    grey.texture = (surface_texture){.level_count = LEVELS,
                                     .sampling = {.wrap_u = SURFACE_WRAP_REPEAT,
                                                  .wrap_v = SURFACE_WRAP_REPEAT,
                                                  .powers_of_two = true,
                                                  .square = true}};
    for (int l = 0; l < LEVELS; l++) {
        const int side = SIDE >> l;
        for (int y = 0; y < side; y++)
            for (int x = 0; x < side; x++)
                level[l][y][x] =
                    l == 0 ? (double)random_int(&r, 0, 255)
                           : 0.25 * (level[l - 1][2 * y][2 * x] + level[l - 1][2 * y][2 * x + 1] +
                                     level[l - 1][2 * y + 1][2 * x] +
                                     level[l - 1][2 * y + 1][2 * x + 1]);
        for (int y = 0; y <= side; y++)
            for (int x = 0; x <= side; x++)
                for (int c = 0; c < 4; c++)
                    grey.texels[l][(y * (side + 1) + x) * 4 + c] =
                        (uint8_t)(level[l][y % side][x % side] + 0.5);
        grey.texture.level[l] = (surface_level){grey.texels[l], side, side, side + 1};
    }
    memcpy(grey.value, level[0], sizeof grey.value);
}

/// Level 0 at a position in texels, bilinear.
static double grey_at(double x, double y)
{
    const double fx = floor(x - 0.5), fy = floor(y - 0.5), sx = x - 0.5 - fx, sy = y - 0.5 - fy;
    const int x0 = (int)fx & (SIDE - 1), y0 = (int)fy & (SIDE - 1);
    const int x1 = (x0 + 1) & (SIDE - 1), y1 = (y0 + 1) & (SIDE - 1);
    const double top = grey.value[y0][x0] * (1.0 - sx) + grey.value[y0][x1] * sx;
    const double bottom = grey.value[y1][x0] * (1.0 - sx) + grey.value[y1][x1] * sx;
    return (top * (1.0 - sy) + bottom * sy) / 255.0;
}

/// A rectangle of `major` x `minor` texels about (x, y), turned by `angle`.
typedef struct footprint {
    double x, y, angle, major, minor;
} footprint;

static double footprint_mean(const footprint *f)
{
    const int along = 256, across = 32;
    const double c = cos(f->angle), s = sin(f->angle);
    double sum = 0.0;
    for (int i = 0; i < along; i++)
        for (int k = 0; k < across; k++) {
            const double a = ((i + 0.5) / along - 0.5) * f->major;
            const double b = ((k + 0.5) / across - 0.5) * f->minor;
            sum += grey_at(f->x + a * c - b * s, f->y + a * s + b * c);
        }
    return sum / (along * across);
}

/// Coordinates and gradients of `at`: axes turned by `turn`, which a round pixel does not notice.
static void footprint_put(const footprint *f, double turn, int at, float uv[6][SURFACE_LANES])
{
    const double c = cos(f->angle), s = sin(f->angle), tc = cos(turn), ts = sin(turn);
    const double axis[2][2] = {{f->major * c / SIDE, f->major * s / SIDE},
                               {-f->minor * s / SIDE, f->minor * c / SIDE}};
    uv[0][at] = (float)(f->x / SIDE);
    uv[1][at] = (float)(f->y / SIDE);
    for (int k = 0; k < 2; k++) {
        uv[2 + k][at] = (float)(tc * axis[0][k] + ts * axis[1][k]);
        uv[4 + k][at] = (float)(tc * axis[1][k] - ts * axis[0][k]);
    }
}

static void random_footprints(random_state *r, double ratio, footprint out[SURFACE_LANES])
{
    for (int i = 0; i < SURFACE_LANES; i++) {
        const double minor = (double)random_float(r, 1.0f, 2.0f);
        out[i] =
            (footprint){(double)random_float(r, 0.0f, SIDE), (double)random_float(r, 0.0f, SIDE),
                        (double)random_float(r, 0.0f, 6.28f), minor * ratio, minor};
    }
}

/// Root mean square error with at most `limit` taps, over footprints of a ratio of axes.
static double error_of(double ratio, int32_t limit)
{
    const surface_probe *probe = surface_probe_for(ZT_ISA_SCALAR);
    random_state r = {41};
    double sum = 0.0;
    for (int n = 0; n < CASES; n++) {
        footprint f[SURFACE_LANES];
        float uv[6][SURFACE_LANES], out[4][SURFACE_LANES];
        random_footprints(&r, ratio, f);
        for (int i = 0; i < SURFACE_LANES; i++)
            footprint_put(&f[i], 0.0, i, uv);
        probe->sample(&grey.texture, AS_CONST(uv), limit, out);
        for (int i = 0; i < SURFACE_LANES; i++) {
            const double off = (double)out[0][i] - footprint_mean(&f[i]);
            sum += off * off;
        }
    }
    return sqrt(sum / (CASES * SURFACE_LANES));
}

Test(anisotropy, mean_of_the_footprint)
{
    grey_build(9);
    // Trilinear filtering alone is off by 0.045 here, for a round footprint.
    const double round = error_of(1.0, 16);
    for (int32_t n = ZT_RANDOM_SHARE > 1 ? 8 : 2; n <= 16; n *= 2) {
        const double one = error_of((double)n, 1), all = error_of((double)n, n);
        cr_log_info("ratio %d: %.4f with one tap, %.4f with %d (round %.4f)", n, one, all, n,
                    round);
        cr_expect_lt(all, 1.1 * round, "ratio %d: %.4f, round %.4f", n, all, round);
        cr_expect_lt(all, 0.8 * one, "ratio %d: %.4f with all taps, %.4f with one", n, all, one);
    }
}

Test(anisotropy, axes_of_the_picture_do_not_matter)
{
    const surface_probe *probe = surface_probe_for(ZT_ISA_SCALAR);
    random_state r = {7};
    grey_build(10);
    for (int n = 0; n < CASES; n++) {
        footprint f[SURFACE_LANES];
        float uv[6][SURFACE_LANES], turned[6][SURFACE_LANES];
        float out[4][SURFACE_LANES], other[4][SURFACE_LANES];
        random_footprints(&r, 5.5, f);
        for (int i = 0; i < SURFACE_LANES; i++) {
            footprint_put(&f[i], 0.0, i, uv);
            footprint_put(&f[i], MATHS_PI * (double)random_float(&r, 0.0f, 2.0f), i, turned);
        }
        probe->sample(&grey.texture, AS_CONST(uv), 16, out);
        probe->sample(&grey.texture, AS_CONST(turned), 16, other);
        for (int i = 0; i < SURFACE_LANES; i++) // positions and weights have 8 bits
            cr_expect_lt(fabs((double)out[0][i] - (double)other[0][i]), 0.02);
    }
}

Test(anisotropy, same_bits)
{
    random_state r = {3};
    grey_build(11);
    for (int n = 0; n < 2000 / ZT_RANDOM_SHARE; n++) {
        float uv[6][SURFACE_LANES], expected[4][SURFACE_LANES], out[4][SURFACE_LANES];
        const float size = n % 4 == 0 ? 1e30f : n % 4 == 1 ? 0.5f : 0.05f;
        for (int k = 0; k < 6; k++)
            for (int i = 0; i < SURFACE_LANES; i++)
                uv[k][i] = random_int(&r, 0, 9) == 0 ? 0.0f : random_float(&r, -size, size);
        if (n % 8 == 5)
            uv[2][n % SURFACE_LANES] = NAN;
        for (int32_t limit = 2; limit <= 16; limit *= 2) {
            surface_probe_for(ZT_ISA_SCALAR)->sample(&grey.texture, AS_CONST(uv), limit, expected);
            for (int c = 0; c < 4; c++)
                for (int i = 0; i < SURFACE_LANES; i++)
                    cr_assert(expected[c][i] >= 0.0f && expected[c][i] <= 1.001f, "%g",
                              (double)expected[c][i]);
            EACH_SURFACE_PROBE (isa, probe) {
                probe->sample(&grey.texture, AS_CONST(uv), limit, out);
                cr_assert_eq(memcmp(out, expected, sizeof out), 0, "%s, case %d", probe->name, n);
            }
        }
    }
}
