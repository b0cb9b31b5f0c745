// SPDX-License-Identifier: MIT
#include "exact_math.h"

// Taylor sums on |x| <= pi/4, where the first dropped term is below 2e-17 (sine: x^17/17!).
static double sine_kernel(double x)
{
    const double s = x * x;
    double sum = 1.0;
    for (int k = 16; k >= 2; k -= 2)
        sum = 1.0 - sum * s / (double)(k * (k + 1));
    return x * sum;
}

static double cosine_kernel(double x)
{
    const double s = x * x;
    double sum = 1.0;
    for (int k = 16; k >= 2; k -= 2)
        sum = 1.0 - sum * s / (double)(k * (k - 1));
    return sum;
}

// Cody and Waite: pi/2 in two parts; the first has 33 significant bits, so quarter * high is exact.
static double reduce_quarter(double x, int *out_quarter)
{
    const double quarter = floor(x / (EXACT_PI / 2.0) + 0.5);
    const double rest = quarter - 4.0 * floor(quarter / 4.0);
    *out_quarter = (int)rest;
    return (x - quarter * 1.57079632673412561417) - quarter * 6.07710050650619224932e-11;
}

double exact_sin(double x)
{
    int quarter;
    const double r = reduce_quarter(x, &quarter);
    switch (quarter) {
    case 0:
        return sine_kernel(r);
    case 1:
        return cosine_kernel(r);
    case 2:
        return -sine_kernel(r);
    default:
        return -cosine_kernel(r);
    }
}

double exact_cos(double x)
{
    int quarter;
    const double r = reduce_quarter(x, &quarter);
    switch (quarter) {
    case 0:
        return cosine_kernel(r);
    case 1:
        return -sine_kernel(r);
    case 2:
        return -cosine_kernel(r);
    default:
        return sine_kernel(r);
    }
}

// atan on [0, 1]: three halvings, atan x = 2 atan(x / (1 + sqrt(1 + x^2))), bring x below 0.0985,
// where ten terms of the series leave 1e-22.
static double arctangent_kernel(double x)
{
    for (int k = 0; k < 3; k++)
        x = x / (1.0 + sqrt(1.0 + x * x));
    const double s = x * x;
    double sum = 0.0;
    for (int k = 19; k >= 1; k -= 2)
        sum = 1.0 / (double)k - s * sum;
    return 8.0 * x * sum;
}

double exact_atan2(double y, double x)
{
    const double ax = fabs(x), ay = fabs(y);
    if (ax == 0.0 && ay == 0.0)
        return 0.0;
    double angle =
        ay <= ax ? arctangent_kernel(ay / ax) : EXACT_PI / 2.0 - arctangent_kernel(ax / ay);
    if (x < 0.0)
        angle = EXACT_PI - angle;
    return y < 0.0 ? -angle : angle;
}

double exact_acos(double x)
{
    x = clamp_d(x, -1.0, 1.0);
    return exact_atan2(sqrt((1.0 - x) * (1.0 + x)), x);
}

dquat quat_identity(void)
{
    return (dquat){0.0, 0.0, 0.0, 1.0};
}

dquat quat_axis(dvec3 a, double angle_rad)
{
    const double s = exact_sin(angle_rad * 0.5);
    return (dquat){a.x * s, a.y * s, a.z * s, exact_cos(angle_rad * 0.5)};
}

dquat quat_mul(dquat a, dquat b)
{
    return (dquat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

dquat quat_conjugate(dquat q)
{
    return (dquat){-q.x, -q.y, -q.z, q.w};
}

dquat quat_unit(dquat q)
{
    const double s = 1.0 / sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (dquat){q.x * s, q.y * s, q.z * s, q.w * s};
}

dvec3 quat_rotate(dquat q, dvec3 v)
{
    const dvec3 u = v3(q.x, q.y, q.z);
    const dvec3 t = v3_scale(v3_cross(u, v), 2.0);
    return v3_add(v3_mad(v, t, q.w), v3_cross(u, t));
}

dquat quat_between(dvec3 from, dvec3 to)
{
    const dvec3 c = v3_cross(from, to);
    return quat_unit((dquat){c.x, c.y, c.z, 1.0 + v3_dot(from, to)});
}

dquat quat_from_axes(dvec3 x, dvec3 y, dvec3 z)
{
    // The largest of the four squared components is divided by, never a small one.
    const double trace = x.x + y.y + z.z;
    dquat q;
    if (trace > 0.0)
        q = (dquat){y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = (dquat){1.0 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = (dquat){x.y + y.x, 1.0 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
    else
        q = (dquat){z.x + x.z, y.z + z.y, 1.0 + z.z - x.x - y.y, x.y - y.x};
    return quat_unit(q);
}

dquat quat_degrees(double x, double y, double z)
{
    const dquat qx = quat_axis(v3(1.0, 0.0, 0.0), radians(x));
    const dquat qy = quat_axis(v3(0.0, 1.0, 0.0), radians(y));
    const dquat qz = quat_axis(v3(0.0, 0.0, 1.0), radians(z));
    return quat_mul(qz, quat_mul(qy, qx));
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
