// SPDX-License-Identifier: MIT
/// Colours of OpenEXR files in double precision. References: Technical Introduction to OpenEXR; for
/// matrices from primaries SMPTE RP 177; for the Bradford transform ICC.1, annex E.
#include "image/exr_colors.h"

#include <float.h>
#include <math.h>
#include <string.h>

const exr_primaries exr_primaries_srgb = {
    {{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}, {0.3127, 0.3290}}};

static const dmat3 bradford = {
    {0.8951, -0.7502, 0.0389}, {0.2664, 1.7135, -0.0685}, {-0.1614, 0.0367, 1.0296}};

static dmat3 multiply(const dmat3 *a, const dmat3 *b)
{
    return (dmat3){dmat3_transform(a, b->x), dmat3_transform(a, b->y), dmat3_transform(a, b->z)};
}

/// By cofactors; false when `a` is singular but for rounding: primaries on a line of the unit
/// square, of floats, have determinants of at most 6 * 2^-25 = 1.8e-7; that of sRGB is 0.22.
static bool invert(const dmat3 *a, dmat3 *out)
{
    const dmat3 rows = dmat3_transpose(a), cofactor = dmat3_cofactor(&rows);
    const double det = dmat3_determinant(&rows);
    if (!(fabs(det) > 1e-6 && fabs(det) < 1e9))
        return false;
    *out = (dmat3){dvec3_divide(cofactor.x, det), dvec3_divide(cofactor.y, det),
                   dvec3_divide(cofactor.z, det)};
    return true;
}

/// XYZ of a colour with Y = 1. x and y are those that a display may have: no imaginary white.
static bool xyz_of(const double xy[2], dvec3 *out)
{
    if (!(xy[0] > -1.0 && xy[0] < 2.0 && fabs(xy[1]) > 1e-6 && fabs(xy[1]) < 2.0))
        return false;
    *out = (dvec3){xy[0] / xy[1], 1.0, (1.0 - xy[0] - xy[1]) / xy[1]};
    return true;
}

static dvec3 primary(const double xy[2]) { return (dvec3){xy[0], xy[1], 1.0 - xy[0] - xy[1]}; }

/// The matrix of primaries, white at Y = 1, undivided by their y, which may be <= 0 (AP0's blue).
static bool xyz_from_rgb(const exr_primaries *p, dmat3 *out)
{
    const dmat3 m = {primary(p->xy[0]), primary(p->xy[1]), primary(p->xy[2])};
    dmat3 inverse;
    dvec3 white;
    if (!xyz_of(p->xy[3], &white) || !invert(&m, &inverse))
        return false;
    const dvec3 scale = dmat3_transform(&inverse, white);
    *out = (dmat3){dvec3_scale(m.x, scale.x), dvec3_scale(m.y, scale.y), dvec3_scale(m.z, scale.z)};
    return true;
}

bool exr_luminance_weights(const exr_primaries *p, double out[3])
{
    dmat3 m;
    if (!xyz_from_rgb(p, &m) || !(fabs(m.y.y) > 1e-3))
        return false;
    dvec3_store((dvec3){m.x.y, m.y.y, m.z.y}, out);
    return true;
}

/// XYZ under the white of sRGB from XYZ under the white of `p`.
static bool adapt(const exr_primaries *p, dmat3 *out)
{
    dvec3 from, to;
    dmat3 inverse;
    if (!xyz_of(p->xy[3], &from) || !xyz_of(exr_primaries_srgb.xy[3], &to) ||
        !invert(&bradford, &inverse))
        return false;
    from = dmat3_transform(&bradford, from);
    to = dmat3_transform(&bradford, to);
    if (!(from.x > 1e-3 && from.y > 1e-3 && from.z > 1e-3))
        return false;
    const dvec3 scale = {to.x / from.x, to.y / from.y, to.z / from.z};
    const dmat3 scaled = {dvec3_multiply(bradford.x, scale), dvec3_multiply(bradford.y, scale),
                          dvec3_multiply(bradford.z, scale)};
    *out = multiply(&inverse, &scaled);
    return true;
}

bool exr_srgb_from(const exr_primaries *p, dmat3 *out)
{
    dmat3 source, target, inverse, adaptation;
    if (!xyz_from_rgb(p, &source) || !xyz_from_rgb(&exr_primaries_srgb, &target) ||
        !invert(&target, &inverse) || !adapt(p, &adaptation))
        return false;
    const dmat3 adapted = multiply(&adaptation, &source);
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

void exr_finish_row(const dmat3 *to, size_t width, float *rgb)
{
    for (float *p = rgb; p < rgb + 3 * width; p += 3) {
        const dvec3 v = {(double)clean(p[0]), (double)clean(p[1]), (double)clean(p[2])};
        dvec3_to_floats(to ? dmat3_transform(to, v) : v, p);
        for (int c = 0; c < 3; c++)
            p[c] = clean(p[c]);
    }
}
