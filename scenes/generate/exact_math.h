// SPDX-License-Identifier: MIT
// Vectors, quaternions and the few elementary functions that the model generators need.
//
// In double from + - * / and sqrt alone, which IEEE 754 rounds correctly: the same bits with every
// compiler and machine, unless products are contracted into FMA (-ffp-contract=off). libm's sin,
// cos and atan2 differ in the last bit between versions, so none is used.
#pragma once

#include "base/maths.h"
#include "base/quat.h"

#include <stdint.h>

static inline dvec3 v3(double x, double y, double z) { return (dvec3){x, y, z}; }

/// a + b s, two roundings.
static inline dvec3 v3_mad(dvec3 a, dvec3 b, double s)
{
    return v3(a.x + b.x * s, a.y + b.y * s, a.z + b.z * s);
}

/// Unit vector, or `a` itself when it has no direction.
static inline dvec3 v3_unit(dvec3 a)
{
    const double length = dvec3_length(a);
    return length > 0.0 ? dvec3_scale(a, 1.0 / length) : a;
}

static inline dvec3 v3_lerp(dvec3 a, dvec3 b, double t) { return v3_mad(a, dvec3_sub(b, a), t); }

static inline double mix_d(double a, double b, double t) { return a + (b - a) * t; }

/// 0 below `low`, 1 above `high`, a cubic with flat ends between.
static inline double smooth_step(double low, double high, double x)
{
    const double t = maths_clamp((x - low) / (high - low), 0.0, 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/// (1 - r^2)^2 inside a ball, 0 outside: smooth, and moves nothing that is further away.
static inline double bump(dvec3 at, dvec3 middle, double radius)
{
    const dvec3 d = dvec3_sub(at, middle);
    const double inside = 1.0 - dvec3_dot(d, d) / (radius * radius);
    return inside > 0.0 ? inside * inside : 0.0;
}

static inline double radians(double degrees) { return degrees * (MATHS_PI / 180.0); }

/// Sine and cosine, absolute error below 1e-14 for |x| < 1e4.
double exact_sin(double x);
double exact_cos(double x);

quat quat_axis(dvec3 unit_axis, double angle_rad);

/// Rotation whose columns are the given orthonormal axes.
quat quat_of_axes(dvec3 x, dvec3 y, dvec3 z);

/// Rotations about X, then Y, then Z, in degrees, applied in that order to a vector.
quat quat_degrees(double x, double y, double z);

/// Hash of three integers to [0, 1): the only source of irregularity in the models.
double hash_unit(int32_t x, int32_t y, int32_t z);
