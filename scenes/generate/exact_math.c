// SPDX-License-Identifier: MIT
#include "exact_math.h"

// Taylor sums on |x| <= pi/4, where the first dropped term is below 2e-17 (sine: x^17/17!): of the
// sine over x with `next` 1, of the cosine with -1.
static double taylor(double x, int next)
{
    const double s = x * x;
    double sum = 1.0;
    for (int k = 16; k >= 2; k -= 2)
        sum = 1.0 - sum * s / (double)(k * (k + next));
    return sum;
}

static double sine_kernel(double x) { return x * taylor(x, 1); }
static double cosine_kernel(double x) { return taylor(x, -1); }

// Cody and Waite: pi/2 in two parts; the first has 33 significant bits, so quarter * high is exact.
static double reduce_quarter(double x, int *out_quarter)
{
    const double quarter = floor(x / (MATHS_PI / 2.0) + 0.5);
    const double rest = quarter - 4.0 * floor(quarter / 4.0);
    *out_quarter = (int)rest;
    return (x - quarter * 1.57079632673412561417) - quarter * 6.07710050650619224932e-11;
}

/// The sine of x and so many quarter turns.
static double sine_on(double x, int quarters)
{
    int quarter;
    const double r = reduce_quarter(x, &quarter);
    switch ((quarter + quarters) % 4) {
    case 0: return sine_kernel(r);
    case 1: return cosine_kernel(r);
    case 2: return -sine_kernel(r);
    default: return -cosine_kernel(r);
    }
}

double exact_sin(double x) { return sine_on(x, 0); }
double exact_cos(double x) { return sine_on(x, 1); }

quat quat_axis(dvec3 a, double angle_rad)
{
    const double s = exact_sin(angle_rad * 0.5);
    return (quat){a.x * s, a.y * s, a.z * s, exact_cos(angle_rad * 0.5)};
}

quat quat_of_axes(dvec3 x, dvec3 y, dvec3 z)
{
    quat q = quat_from_rotation(&(dmat3){x, y, z});
    quat_normalize(&q);
    return q;
}

quat quat_degrees(double x, double y, double z)
{
    const quat qx = quat_axis(v3(1.0, 0.0, 0.0), radians(x));
    const quat qy = quat_axis(v3(0.0, 1.0, 0.0), radians(y));
    const quat qz = quat_axis(v3(0.0, 0.0, 1.0), radians(z));
    return quat_multiply(qz, quat_multiply(qy, qx));
}

double hash_unit(int32_t x, int32_t y, int32_t z)
{
    // Multiply-xorshift mixing (the finaliser of MurmurHash3, Austin Appleby, public domain).
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    h ^= h >> 16;
    return (double)(h >> 8) * (1.0 / 16777216.0); // 24 bits
}
