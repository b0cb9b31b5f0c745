// SPDX-License-Identifier: MIT
/// Elementary functions in double from + - * / sqrt and polynomials, so that every machine gives
/// the same bits. The order of operations is fixed; power series are truncated, on intervals short
/// enough that the remainder is below 2^-53 of the result.
///
/// Reductions: Cody & Waite, "Software Manual for the Elementary Functions", 1980. Series:
/// Abramowitz & Stegun 4.3.65 (sine), 4.3.66 (cosine), 4.4.42 (arctangent), 4.2.1
/// (exponential), 4.1.27 (logarithm through (m-1)/(m+1)).
#include "base/maths.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "results are defined in IEEE 754 arithmetic without extra precision"
#endif

#define PI_OVER_2          1.5707963267948966
#define DEGREES_TO_RADIANS 0.017453292519943295

// pi/2 in parts of 33 bits: a quotient below 2^20 times a part is exact.
#define PI_OVER_2_HIGH 0x1.921fb544p+0
#define PI_OVER_2_MID  0x1.0b4611a6p-34
#define PI_OVER_2_LOW  0x1.3198a2e037073p-69

/// For |r| <= pi/4: the terms left out are below 5e-17 (sine) and 3e-18 (cosine).
static void sincos_series(double r, double *out_sin, double *out_cos)
{
    const double q = r * r;
    double s = -1.0 / 1307674368000.0; // 1/15!
    s = s * q + 1.0 / 6227020800.0;
    s = s * q - 1.0 / 39916800.0;
    s = s * q + 1.0 / 362880.0;
    s = s * q - 1.0 / 5040.0;
    s = s * q + 1.0 / 120.0;
    s = s * q - 1.0 / 6.0;
    double c = 1.0 / 20922789888000.0; // 1/16!
    c = c * q - 1.0 / 87178291200.0;
    c = c * q + 1.0 / 479001600.0;
    c = c * q - 1.0 / 3628800.0;
    c = c * q + 1.0 / 40320.0;
    c = c * q - 1.0 / 720.0;
    c = c * q + 1.0 / 24.0;
    *out_sin = r + r * (q * s);
    *out_cos = 1.0 - (0.5 * q - q * q * c);
}

/// Sine and cosine of quadrant * pi/2 + r.
static void sincos_in_quadrant(int64_t quadrant, double r, double *out_sin, double *out_cos)
{
    double s, c;
    sincos_series(r, &s, &c);
    const double by_quadrant[4] = {s, c, 0.0 - s, 0.0 - c}; // never -0, which would change hashes
    *out_sin = by_quadrant[quadrant & 3];
    *out_cos = by_quadrant[(quadrant + 1) & 3];
}

/// Moves a value down to its place in a heap, whose parents are not below their children.
static void sift_down(double *heap, size_t place, size_t count)
{
    const double value = heap[place];
    for (size_t child; (child = 2 * place + 1) < count; place = child) {
        if (child + 1 < count && heap[child] < heap[child + 1])
            child++;
        if (!(value < heap[child]))
            break;
        heap[place] = heap[child];
    }
    heap[place] = value;
}

void maths_sort(double *values, size_t count)
{
    // A heap: qsort takes memory that no budget has, and its order of equal values is libc's.
    for (size_t i = count / 2; i-- > 0;)
        sift_down(values, i, count);
    for (size_t last = count; last-- > 1;) {
        const double largest = values[0];
        values[0] = values[last];
        values[last] = largest;
        sift_down(values, 0, last);
    }
}

float maths_float_before(float x)
{
    uint32_t bits;
    if (x == 0.0f)
        return -1.4e-45f;
    memcpy(&bits, &x, sizeof bits);
    bits += x > 0.0f ? UINT32_MAX : 1u;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/// Radians; error below 3e-16 for |x| <= 1e6. Larger ones lose digits (the quotient by 2 pi is
/// taken with a rounded pi); an angle that is not finite counts as 0.
void maths_sincos(float radians, float *out_sin, float *out_cos)
{
    double x = (double)radians, s, c;
    if (!(fabs(x) <= DBL_MAX))
        x = 0.0;
    if (fabs(x) > 1.0e6)
        x = fmod(x, 4.0 * PI_OVER_2);
    const double quotient = x * (1.0 / PI_OVER_2);
    const int64_t quadrant = (int64_t)(quotient < 0.0 ? quotient - 0.5 : quotient + 0.5);
    const double n = (double)quadrant;
    const double r = ((x - n * PI_OVER_2_HIGH) - n * PI_OVER_2_MID) - n * PI_OVER_2_LOW;
    sincos_in_quadrant(quadrant, r, &s, &c);
    *out_sin = (float)s;
    *out_cos = (float)c;
}

void maths_sincos_deg(double degrees, double *out_sin, double *out_cos)
{
    if (!(fabs(degrees) <= DBL_MAX))
        degrees = 0.0;
    const double angle = fmod(degrees, 360.0); // exact
    const int64_t quadrant = (int64_t)(angle < 0.0 ? angle / 90.0 - 0.5 : angle / 90.0 + 0.5);
    const double rest = angle - (double)quadrant * 90.0; // exact: within a factor 2 of each other
    sincos_in_quadrant(quadrant, rest * DEGREES_TO_RADIANS, out_sin, out_cos);
}

/// Arctangent of t in [0, 1]: the nearest k/8 from a table, the rest by series, within 2^-60 of u.
static double atan_unit(double t)
{
    static const double atan_eighth[9] = {
        0.0,
        0.12435499454676144,
        0.24497866312686414,
        0.35877067027057225,
        0.4636476090008061,
        0.5585993153435624,
        0.6435011087932844,
        0.7188299996216245,
        0.7853981633974483,
    };
    const int k = (int)(t * 8.0 + 0.5);
    const double at = (double)k * 0.125;
    const double u = (t - at) / (1.0 + t * at);
    const double q = u * u;
    double p = 1.0 / 13.0;
    p = p * q - 1.0 / 11.0;
    p = p * q + 1.0 / 9.0;
    p = p * q - 1.0 / 7.0;
    p = p * q + 1.0 / 5.0;
    p = p * q - 1.0 / 3.0;
    return atan_eighth[k] + (u + u * (q * p));
}

double maths_atan2(double y, double x)
{
    const double ax = fabs(x), ay = fabs(y);
    const double low = ax < ay ? ax : ay, high = ax < ay ? ay : ax;
    double t = low / high;
    if (low == high) // infinities and zeros, whose quotient is no number
        t = high > 0.0 ? 1.0 : 0.0;
    if (!(t <= 1.0)) // not a number
        t = 0.0;
    double angle = atan_unit(t);
    if (ay > ax)
        angle = PI_OVER_2 - angle;
    if (signbit(x))
        angle = 2.0 * PI_OVER_2 - angle;
    return signbit(y) ? -angle : angle;
}

float maths_sqrt(float x) { return sqrtf(x); }

/// 2^n for n in [-1022, 1023].
static double power_of_2(int64_t n)
{
    const uint64_t bits = (uint64_t)(n + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double maths_exp2(double x)
{
    if (!(x > -1100.0))
        return 0.0;
    if (x >= 1024.0)
        return HUGE_VAL;
    const int64_t n = (int64_t)(x < 0.0 ? x - 0.5 : x + 0.5);
    const double r = (x - (double)n) * 0.6931471805599453; // ln 2
    double p = 1.0 / 6227020800.0;                         // 1/13!; |r| <= 0.347: cut off 4e-18
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    const double e = 1.0 + (r + r * r * p);
    // In two steps: 2^n alone may be subnormal or too large.
    const int64_t half = n / 2;
    return e * power_of_2(half) * power_of_2(n - half);
}

double maths_log2(double x)
{
    if (!(x > 0.0))
        return -HUGE_VAL;
    if (x > DBL_MAX)
        return x;
    int64_t exponent = 0;
    if (x < DBL_MIN) {
        x *= 0x1p54;
        exponent = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    exponent += (int64_t)(bits >> 52) - 1023;
    bits = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1023 << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    const double s = (m - 1.0) / (m + 1.0); // |s| <= 0.172: the terms left out are below 1e-18 of s
    const double q = s * s;
    double p = 1.0 / 21.0;
    p = p * q + 1.0 / 19.0;
    p = p * q + 1.0 / 17.0;
    p = p * q + 1.0 / 15.0;
    p = p * q + 1.0 / 13.0;
    p = p * q + 1.0 / 11.0;
    p = p * q + 1.0 / 9.0;
    p = p * q + 1.0 / 7.0;
    p = p * q + 1.0 / 5.0;
    p = p * q + 1.0 / 3.0;
    const double ln_m = 2.0 * (s + s * (q * p));
    return (double)exponent + ln_m * 1.4426950408889634; // 1 / ln 2
}
