// SPDX-License-Identifier: MIT
// Irradiance by spherical harmonics of degree 2 (Ramamoorthi & Hanrahan, "An Efficient
// Representation for Irradiance Environment Maps", 2001): the error for any light is below 1 % of
// its mean on average. In spherical coordinates about y each function is a product of one of
// longitude and one of latitude; both are integrated over a pixel in closed form.
#include "light/harmonics.h"

#include "base/maths.h"

#include <string.h>

#define PI 3.14159265358979323846

/// Integrals over the longitudes of a pixel: of 1, cos, sin, cos 2, sin 2 of the longitude.
enum { WAVE_1, WAVE_COS, WAVE_SIN, WAVE_COS_2, WAVE_SIN_2, WAVE_COUNT };

typedef struct harmonics_job {
    const hdr_picture *picture;
    double (*wave)[WAVE_COUNT];   ///< [column]
    double (*sum)[WAVE_COUNT][3]; ///< [row]: light of the row times each wave
} harmonics_job;

static void fill_waves(const hdr_picture *picture, double (*wave)[WAVE_COUNT])
{
    double s0, c0, s1, c1, s2, c2, s3, c3;
    maths_sincos_deg(-180.0, &s0, &c0);
    maths_sincos_deg(-360.0, &s2, &c2);
    for (int32_t x = 0; x < picture->width; x++) {
        const double east = 360.0 * (x + 1) / picture->width - 180.0;
        maths_sincos_deg(east, &s1, &c1);
        maths_sincos_deg(2.0 * east, &s3, &c3);
        wave[x][WAVE_1] = 2.0 * PI / picture->width;
        wave[x][WAVE_COS] = s1 - s0;
        wave[x][WAVE_SIN] = c0 - c1;
        wave[x][WAVE_COS_2] = 0.5 * (s3 - s2);
        wave[x][WAVE_SIN_2] = 0.5 * (c2 - c3);
        s0 = s1;
        c0 = c1;
        s2 = s3;
        c2 = c3;
    }
}

static void sum_row(void *user, int64_t row, int32_t worker)
{
    const harmonics_job *job = user;
    const float *rgb = job->picture->rgb + row * job->picture->width * 3;
    double sum[WAVE_COUNT][3] = {{0.0}};
    (void)worker;
    for (int32_t x = 0; x < job->picture->width; x++)
        for (int w = 0; w < WAVE_COUNT; w++)
            for (int c = 0; c < 3; c++)
                sum[w][c] += job->wave[x][w] * (double)rgb[3 * x + c];
    memcpy(job->sum[row], sum, sizeof sum);
}

/// Integrals over the latitudes of a row, from polar angle north to south (degrees from +y).
typedef struct latitudes {
    double area;                   ///< sin
    double cos, sin;               ///< sin cos, sin^2
    double sin_cos, sin_2, square; ///< sin^2 cos, sin^3, sin (3 cos^2 - 1)
} latitudes;

static latitudes latitudes_of(double north_deg, double south_deg)
{
    double s0, c0, s1, c1;
    maths_sincos_deg(north_deg, &s0, &c0);
    maths_sincos_deg(south_deg, &s1, &c1);
    const double angle = (south_deg - north_deg) * (PI / 180.0);
    return (latitudes){
        .area = c0 - c1,
        .cos = 0.5 * (s1 * s1 - s0 * s0),
        .sin = 0.5 * (angle - (s1 * c1 - s0 * c0)),
        .sin_cos = (s1 * s1 * s1 - s0 * s0 * s0) / 3.0,
        .sin_2 = (c1 * c1 * c1 - c0 * c0 * c0) / 3.0 + (c0 - c1),
        .square = (c0 * c0 * c0 - c1 * c1 * c1) - (c0 - c1),
    };
}

/// Adds a row. The factors are those of the functions, squared, times those of the clamped cosine
/// over pi: 1, 2/3, 1/4 for degrees 0, 1, 2.
static void add_row(const latitudes *l, const double sum[WAVE_COUNT][3],
                    double out[HARMONIC_COUNT][3])
{
    for (int c = 0; c < 3; c++) {
        out[HARMONIC_1][c] += l->area * sum[WAVE_1][c] / (4.0 * PI);
        out[HARMONIC_X][c] += l->sin * sum[WAVE_COS][c] / (2.0 * PI);
        out[HARMONIC_Y][c] += l->cos * sum[WAVE_1][c] / (2.0 * PI);
        out[HARMONIC_Z][c] += l->sin * sum[WAVE_SIN][c] / (2.0 * PI);
        out[HARMONIC_XY][c] += l->sin_cos * sum[WAVE_COS][c] * (15.0 / (16.0 * PI));
        out[HARMONIC_YZ][c] += l->sin_cos * sum[WAVE_SIN][c] * (15.0 / (16.0 * PI));
        out[HARMONIC_ZX][c] += l->sin_2 * 0.5 * sum[WAVE_SIN_2][c] * (15.0 / (16.0 * PI));
        out[HARMONIC_XX_ZZ][c] += l->sin_2 * sum[WAVE_COS_2][c] * (15.0 / (64.0 * PI));
        out[HARMONIC_YY][c] += l->square * sum[WAVE_1][c] * (5.0 / (64.0 * PI));
    }
}

zt_result harmonics_build(const hdr_picture *picture, job_pool *pool, arena *scratch,
                          double out[HARMONIC_COUNT][3], zt_error *err)
{
    const size_t width = (size_t)picture->width, height = (size_t)picture->height;
    harmonics_job job = {picture, arena_alloc_raw(scratch, width, sizeof *job.wave),
                         arena_alloc_raw(scratch, height, sizeof *job.sum)};
    if (!job.wave || !job.sum)
        return arena_fail(scratch, err, "the harmonics of an environment");
    fill_waves(picture, job.wave);
    if (pool)
        job_pool_run(pool, picture->height, sum_row, &job);
    for (int64_t row = 0; row < picture->height && !pool; row++)
        sum_row(&job, row, 0);
    memset(out, 0, sizeof(double[HARMONIC_COUNT][3]));
    for (int32_t row = 0; row < picture->height; row++) {
        const latitudes l =
            latitudes_of(180.0 * row / picture->height, 180.0 * (row + 1) / picture->height);
        add_row(&l, (const double(*)[3])job.sum[row], out);
    }
    return ZT_OK;
}

/// A polynomial of degree 2 of a vector n: constant + linear n + n square n; square is symmetric.
typedef struct polynomial {
    double constant, linear[3], square[3][3];
} polynomial;

/// The sum of the nine functions (Ramamoorthi & Hanrahan, equation 3) with factors of one channel.
static polynomial sum_spherical(const double factors[9][3], int channel)
{
    const double k0 = 0.28209479177387814, k1 = 0.48860251190291992, k2 = 1.0925484305920792;
    const double k20 = 0.31539156525252005, k22 = 0.54627421529603959;
    double f[9];
    for (int i = 0; i < 9; i++)
        f[i] = factors[i][channel];
    const double xy = 0.5 * k2 * f[4], yz = 0.5 * k2 * f[5], zx = 0.5 * k2 * f[7];
    return (polynomial){
        .constant = k0 * f[0] - k20 * f[6],
        .linear = {k1 * f[3],            k1 * f[1],             k1 * f[2]                 },
        .square = {{k22 * f[8], xy, zx}, {xy, -k22 * f[8], yz}, {zx, yz, 3.0 * k20 * f[6]}},
    };
}

static double dot_row(const double a[3], const double b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

/// The polynomial of the rotated vector: rows of `r` are world from local.
static polynomial rotate_polynomial(const polynomial *p, double r[3][3])
{
    polynomial out = {.constant = p->constant};
    double half[3][3]; // square times the transpose of r
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            half[i][j] = dot_row(p->square[i], r[j]);
    for (int i = 0; i < 3; i++) {
        out.linear[i] = dot_row(r[i], p->linear);
        for (int j = 0; j < 3; j++)
            out.square[i][j] = (r[i][0] * half[0][j] + r[i][1] * half[1][j]) + r[i][2] * half[2][j];
    }
    return out;
}

static void rotation_rows(const double q[4], double out[3][3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w),       2.0 * (x * z + y * w)      },
        {2.0 * (x * y + z * w),       1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)      },
        {2.0 * (x * z - y * w),       2.0 * (y * z + x * w),       1.0 - 2.0 * (x * x + y * y)},
    };
    memcpy(out, rows, sizeof rows);
}

void harmonics_from_spherical(const double factors[9][3], const double rotation[4],
                              double intensity, double out[HARMONIC_COUNT][3])
{
    double r[3][3];
    rotation_rows(rotation, r);
    for (int channel = 0; channel < 3; channel++) {
        const polynomial local = sum_spherical(factors, channel);
        const polynomial p = rotate_polynomial(&local, r);
        const double xx = p.square[0][0], yy = p.square[1][1], zz = p.square[2][2];
        double sum[HARMONIC_COUNT];
        sum[HARMONIC_1] = p.constant + ((xx + yy) + zz) / 3.0; // x^2 + y^2 + z^2 = 1
        sum[HARMONIC_X] = p.linear[0];
        sum[HARMONIC_Y] = p.linear[1];
        sum[HARMONIC_Z] = p.linear[2];
        sum[HARMONIC_XY] = 2.0 * p.square[0][1];
        sum[HARMONIC_YZ] = 2.0 * p.square[1][2];
        sum[HARMONIC_ZX] = 2.0 * p.square[0][2];
        sum[HARMONIC_XX_ZZ] = 0.5 * (xx - zz);
        sum[HARMONIC_YY] = yy / 3.0 - (xx + zz) / 6.0;
        for (int i = 0; i < HARMONIC_COUNT; i++)
            out[i][channel] = sum[i] * (intensity / PI);
    }
}
