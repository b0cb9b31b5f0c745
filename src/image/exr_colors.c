// SPDX-License-Identifier: MIT
/// Colours of OpenEXR files in double precision. References: Technical Introduction to OpenEXR; for
/// matrices from primaries SMPTE RP 177; for the Bradford transform ICC.1, annex E.
#include "image/exr_colors.h"

#include <float.h>
#include <math.h>
#include <string.h>

const exr_primaries exr_primaries_srgb = {
    {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}}};

static const exr_matrix bradford = {
    {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};

static exr_matrix multiply(const exr_matrix *a, const exr_matrix *b)
{
    exr_matrix out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out.m[i][j] =
                (a->m[i][0] * b->m[0][j] + a->m[i][1] * b->m[1][j]) + a->m[i][2] * b->m[2][j];
    return out;
}

static void transform(const exr_matrix *a, const double v[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (a->m[i][0] * v[0] + a->m[i][1] * v[1]) + a->m[i][2] * v[2];
}

/// By cofactors; false when `a` is singular but for rounding: primaries on a line of the unit
/// square, of floats, have determinants of at most 6 * 2^-25 = 1.8e-7; that of sRGB is 0.22.
static bool invert(const exr_matrix *a, exr_matrix *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int r0 = (j + 1) % 3, r1 = (j + 2) % 3, c0 = (i + 1) % 3, c1 = (i + 2) % 3;
            out->m[i][j] = a->m[r0][c0] * a->m[r1][c1] - a->m[r0][c1] * a->m[r1][c0];
        }
    const double det =
        (a->m[0][0] * out->m[0][0] + a->m[0][1] * out->m[1][0]) + a->m[0][2] * out->m[2][0];
    if (!(fabs(det) > 1e-6 && fabs(det) < 1e9))
        return false;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->m[i][j] /= det;
    return true;
}

/// XYZ of a colour with Y = 1. x and y are those that a display may have: no imaginary white.
static bool xyz_of(const double xy[2], double out[3])
{
    if (!(xy[0] > -1.0 && xy[0] < 2.0 && fabs(xy[1]) > 1e-6 && fabs(xy[1]) < 2.0))
        return false;
    out[0] = xy[0] / xy[1];
    out[1] = 1.0;
    out[2] = (1.0 - xy[0] - xy[1]) / xy[1];
    return true;
}

/// The matrix of primaries, white at Y = 1, undivided by their y, which may be <= 0 (AP0's blue).
static bool xyz_from_rgb(const exr_primaries *p, exr_matrix *out)
{
    exr_matrix columns, inverse;
    double white[3], scale[3];
    for (int j = 0; j < 3; j++) {
        columns.m[0][j] = p->xy[j][0];
        columns.m[1][j] = p->xy[j][1];
        columns.m[2][j] = 1.0 - p->xy[j][0] - p->xy[j][1];
    }
    if (!xyz_of(p->xy[3], white) || !invert(&columns, &inverse))
        return false;
    transform(&inverse, white, scale);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out->m[i][j] = columns.m[i][j] * scale[j];
    return true;
}

bool exr_luminance_weights(const exr_primaries *p, double out[3])
{
    exr_matrix m;
    if (!xyz_from_rgb(p, &m) || !(fabs(m.m[1][1]) > 1e-3))
        return false;
    for (int j = 0; j < 3; j++)
        out[j] = m.m[1][j];
    return true;
}

/// XYZ under the white of sRGB from XYZ under the white of `p`.
static bool adapt(const exr_primaries *p, exr_matrix *out)
{
    double from[3], to[3], from_cone[3], to_cone[3];
    exr_matrix inverse, scaled;
    if (!xyz_of(p->xy[3], from) || !xyz_of(exr_primaries_srgb.xy[3], to) ||
        !invert(&bradford, &inverse))
        return false;
    transform(&bradford, from, from_cone);
    transform(&bradford, to, to_cone);
    for (int i = 0; i < 3; i++) {
        if (!(from_cone[i] > 1e-3))
            return false;
        for (int j = 0; j < 3; j++)
            scaled.m[i][j] = bradford.m[i][j] * (to_cone[i] / from_cone[i]);
    }
    *out = multiply(&inverse, &scaled);
    return true;
}

bool exr_srgb_from(const exr_primaries *p, exr_matrix *out)
{
    exr_matrix source, target, inverse, adaptation;
    if (!xyz_from_rgb(p, &source) || !xyz_from_rgb(&exr_primaries_srgb, &target) ||
        !invert(&target, &inverse) || !adapt(p, &adaptation))
        return false;
    const exr_matrix adapted = multiply(&adaptation, &source);
    *out = multiply(&inverse, &adapted);
    return true;
}

bool exr_primaries_differ(const exr_primaries *p)
{
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 2; c++)
            if (!(fabs(p->xy[i][c] - exr_primaries_srgb.xy[i][c]) < 0.001))
                return true;
    return false;
}

static double plane_at(const exr_plane *p, size_t x, size_t y)
{
    const size_t i = x / p->x_step, j = y / p->y_step;
    const size_t right = x % p->x_step != 0 && i + 1 < p->width ? i + 1 : i;
    const size_t below = y % p->y_step != 0 && j + 1 < p->height ? j + 1 : j;
    const float *row = p->values + j * p->width, *next = p->values + below * p->width;
    return (((double)row[i] + (double)row[right]) + ((double)next[i] + (double)next[right])) / 4.0;
}

void exr_rgb_from_chroma(const exr_plane *ry, const exr_plane *by, const double weights[3],
                         size_t y, size_t width, float *rgb)
{
    for (size_t x = 0; x < width; x++) {
        const double luminance = (double)rgb[3 * x];
        const double r = (plane_at(ry, x, y) + 1.0) * luminance;
        const double b = (plane_at(by, x, y) + 1.0) * luminance;
        const double g = ((luminance - r * weights[0]) - b * weights[2]) / weights[1];
        rgb[3 * x] = (float)r;
        rgb[3 * x + 1] = (float)g;
        rgb[3 * x + 2] = (float)b;
    }
}

float exr_float_of_half(uint32_t half)
{
    const uint32_t sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 1023;
    float value;
    uint32_t bits = sign | (exponent + 112) << 23 | mantissa << 13;
    if (exponent == 31)
        bits = sign | 0x7f800000 | mantissa << 13;
    if (exponent == 0) {
        value = (float)mantissa * 0x1p-24f;
        return sign ? -value : value;
    }
    memcpy(&value, &bits, 4);
    return value;
}

/// Not negative and finite.
static float clean(float value)
{
    if (!(value > 0.0f))
        return 0.0f;
    return value > FLT_MAX ? 65504.0f /* the largest half */ : value;
}

void exr_finish_row(const exr_matrix *to, size_t width, float *rgb)
{
    for (size_t x = 0; x < width; x++) {
        float *p = rgb + 3 * x;
        const double v[3] = {(double)clean(p[0]), (double)clean(p[1]), (double)clean(p[2])};
        double out[3] = {v[0], v[1], v[2]};
        if (to)
            transform(to, v, out);
        for (int c = 0; c < 3; c++)
            p[c] = clean((float)out[c]);
    }
}
