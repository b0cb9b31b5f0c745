// SPDX-License-Identifier: MIT
/// Elementary functions without libm, which gives other bits on other machines.
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#define MATHS_PI           3.14159265358979323846
#define MATHS_DEG_FROM_RAD (180.0 / MATHS_PI)
#define MATHS_RAD_FROM_DEG (MATHS_PI / 180.0)

/// Among equal values, and where one is not a number, the second one.
static inline double maths_min(double a, double b) { return a < b ? a : b; }
static inline double maths_max(double a, double b) { return a > b ? a : b; }
/// `x` where it is not a number.
static inline double maths_clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}
static inline float maths_minf(float a, float b) { return a < b ? a : b; }
static inline float maths_maxf(float a, float b) { return a > b ? a : b; }

/// Sorts numbers, none of them NaN, the smallest first.
void maths_sort(double *values, size_t count);

/// The largest float below a finite one.
float maths_float_before(float x);

/// Sine and cosine of radians; errors below 3.1e-8 (rounded once) for |x| <= 1e6. Not finite: 0.
void maths_sincos(float radians, float *out_sin, float *out_cos);
/// In double and degrees, for cameras and scenes: exact at multiples of 90, errors below 3e-16.
void maths_sincos_deg(double degrees, double *out_sin, double *out_cos);
/// In (-pi, pi], as atan2 of C; errors below 4.5e-16 of the result.
double maths_atan2(double y, double x);
/// acos of a value clamped to [-1, 1], for weights of angles; 0 of no number. Errors below 3e-7 of
/// the result. Abramowitz and Stegun, Handbook of Mathematical Functions, 4.4.46.
static inline float maths_acos(float x)
{
    const float sized = fabsf(x), c = sized < 1.0f ? sized : 1.0f;
    float p = -0.0012624911f;
    p = p * c + 0.0066700901f;
    p = p * c - 0.0170881256f;
    p = p * c + 0.0308918810f;
    p = p * c - 0.0501743046f;
    p = p * c + 0.0889789874f;
    p = p * c - 0.2145988016f;
    p = p * c + 1.5707963050f;
    const float angle = p * sqrtf(1.0f - c);
    return x < 0.0f ? (float)MATHS_PI - angle : angle;
}
float maths_sqrt(float x);
/// 2^x and log2 x in double, for exposure and for tables at load time; errors below 4e-16 of the
/// result, exact for whole powers. The logarithm of anything not above 0 is -infinity.
double maths_exp2(double x);
double maths_log2(double x);
