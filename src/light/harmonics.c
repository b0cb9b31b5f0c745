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
