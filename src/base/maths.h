// SPDX-License-Identifier: MIT
/// Elementary functions without libm, which gives other bits on other machines.
#pragma once

#include <math.h>
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

/// The largest float below a finite one.
float maths_float_before(float x);

/// Sine and cosine of radians; errors below 3.1e-8 (rounded once) for |x| <= 1e6. Not finite: 0.
void maths_sincos(float radians, float *out_sin, float *out_cos);
/// In double and degrees, for cameras and scenes: exact at multiples of 90, errors below 3e-16.
void maths_sincos_deg(double degrees, double *out_sin, double *out_cos);
/// In (-pi, pi], as atan2 of C; errors below 4.5e-16 of the result.
double maths_atan2(double y, double x);
/// acos of a value clamped to [-1, 1]; 0 of no number. On [0, 1] acos(x) / sqrt(1 - x) is smooth:
/// its interpolation at 18 Chebyshev nodes is within 2e-16, and no digits are lost near 1.
static inline float maths_acos(float x)
{
    const double sized = fabs((double)x), c = sized < 1.0 ? sized : 1.0;
    double p = -7.609614252019444e-06;
    p = p * c + 7.711301342864637e-05;
    p = p * c - 0.0003700307903930049;
    p = p * c + 0.0011283951621620858;
    p = p * c - 0.0024885688298950347;
    p = p * c + 0.004312728869860108;
    p = p * c - 0.006283063382676808;
    p = p * c + 0.00818258370918535;
    p = p * c - 0.010058680672619103;
    p = p * c + 0.012168440773078696;
    p = p * c - 0.014875837063215488;
    p = p * c + 0.01867066721191609;
    p = p * c - 0.024374148326072563;
    p = p * c + 0.03368127352974124;
    p = p * c - 0.05079281394384022;
    p = p * c + 0.08904862253421428;
    p = p * c - 0.21460183660242374;
    p = p * c + 1.5707963267948963;
    const double angle = p * sqrt(1.0 - c);
    return (float)(x < 0.0f ? MATHS_PI - angle : angle);
}
float maths_sqrt(float x);
/// 2^x and log2 x in double, for exposure and for tables at load time; errors below 4e-16 of the
/// result, exact for whole powers. The logarithm of anything not above 0 is -infinity.
double maths_exp2(double x);
double maths_log2(double x);
