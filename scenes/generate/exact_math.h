// SPDX-License-Identifier: MIT
// Vectors, quaternions and the few elementary functions that the model generators need.
//
// Everything is computed in double from + - * / and sqrt alone, which IEEE 754 rounds correctly.
// The same source therefore gives the same bits with every compiler, optimisation level and
// machine, as long as products are not contracted into FMA (-ffp-contract=off). libm's sin, cos
// and atan2 differ in the last bit between versions, so none of them is used.
#ifndef GENERATE_EXACT_MATH_H
#define GENERATE_EXACT_MATH_H

#include <math.h>
#include <stdint.h>

#define EXACT_PI 3.14159265358979323846

typedef struct dvec3 {
    double x, y, z;
} dvec3;

/// Rotation x, y, z, w as glTF and .m3d store it.
typedef struct dquat {
    double x, y, z, w;
} dquat;

static inline dvec3 v3(double x, double y, double z)
{
    return (dvec3){x, y, z};
}

static inline dvec3 v3_add(dvec3 a, dvec3 b)
{
    return v3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline dvec3 v3_sub(dvec3 a, dvec3 b)
{
    return v3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline dvec3 v3_scale(dvec3 a, double s)
{
    return v3(a.x * s, a.y * s, a.z * s);
}

/// a + b s, two roundings.
static inline dvec3 v3_mad(dvec3 a, dvec3 b, double s)
{
    return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

static inline double v3_dot(dvec3 a, dvec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dvec3 v3_cross(dvec3 a, dvec3 b)
{
    return v3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double v3_length(dvec3 a)
{
    return sqrt(v3_dot(a, a));
}

/// Unit vector, or `a` itself when it has no direction.
static inline dvec3 v3_unit(dvec3 a)
{
    const double length = v3_length(a);
    return length > 0.0 ? v3_scale(a, 1.0 / length) : a;
}

static inline dvec3 v3_lerp(dvec3 a, dvec3 b, double t)
{
    return v3_mad(a, v3_sub(b, a), t);
}

static inline double clamp_d(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline double min_d(double a, double b)
{
    return a < b ? a : b;
}

static inline double max_d(double a, double b)
{
    return a > b ? a : b;
}

static inline double mix_d(double a, double b, double t)
{
    return a + (b - a) * t;
}

/// 0 below `low`, 1 above `high`, a cubic with flat ends between.
static inline double smooth_step(double low, double high, double x)
{
    const double t = clamp_d((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

static inline double radians(double degrees)
{
    return degrees * (EXACT_PI / 180.0);
}

/// Sine and cosine, absolute error below 1e-14 for |x| < 1e4.
double exact_sin(double x);
double exact_cos(double x);

/// Angle of (x, y) in (-pi, pi], absolute error below 1e-14; 0 for (0, 0).
double exact_atan2(double y, double x);

/// x in [-1, 1], clamped; result in [0, pi].
double exact_acos(double x);

dquat quat_identity(void);
dquat quat_axis(dvec3 unit_axis, double angle_rad);

/// Applies b first, then a.
dquat quat_mul(dquat a, dquat b);
dquat quat_conjugate(dquat q);
dquat quat_unit(dquat q);
dvec3 quat_rotate(dquat q, dvec3 v);

/// The shortest rotation that takes unit vector `from` to unit vector `to` (not for opposites).
dquat quat_between(dvec3 from, dvec3 to);

/// Rotation whose columns are the given orthonormal axes.
dquat quat_from_axes(dvec3 x, dvec3 y, dvec3 z);

/// Rotations about X, then Y, then Z, in degrees, applied in that order to a vector.
dquat quat_degrees(double x, double y, double z);

/// Hash of three integers to [0, 1): the only source of irregularity in the models.
double hash_unit(int32_t x, int32_t y, int32_t z);

#endif
