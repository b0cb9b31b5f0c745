// SPDX-License-Identifier: MIT
/// Vectors in double precision: points of a scene may lie far from its origin and close together.
/// Sums run from x to z, so that results are the same to the bit wherever they are computed.
#pragma once

#include <math.h>
#include <stdbool.h>

typedef struct dvec3 {
    double x, y, z;
} dvec3;

static inline dvec3 dvec3_load(const double v[3]) { return (dvec3){v[0], v[1], v[2]}; }

static inline dvec3 dvec3_from_floats(const float *v)
{
    return (dvec3){(double)v[0], (double)v[1], (double)v[2]};
}

static inline void dvec3_store(dvec3 v, double out[3])
{
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

static inline void dvec3_to_floats(dvec3 v, float *out)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static inline dvec3 dvec3_add(dvec3 a, dvec3 b) { return (dvec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static inline dvec3 dvec3_sub(dvec3 a, dvec3 b) { return (dvec3){a.x - b.x, a.y - b.y, a.z - b.z}; }

static inline dvec3 dvec3_scale(dvec3 a, double s) { return (dvec3){a.x * s, a.y * s, a.z * s}; }

static inline dvec3 dvec3_multiply(dvec3 a, dvec3 b)
{
    return (dvec3){a.x * b.x, a.y * b.y, a.z * b.z};
}

/// Not dvec3_scale() by 1 / s, which rounds twice.
static inline dvec3 dvec3_divide(dvec3 a, double s) { return (dvec3){a.x / s, a.y / s, a.z / s}; }

static inline double dvec3_dot(dvec3 a, dvec3 b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }

static inline dvec3 dvec3_cross(dvec3 a, dvec3 b)
{
    return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double dvec3_length(dvec3 a) { return sqrt(dvec3_dot(a, a)); }

/// Luminance of linear RGB (Rec. 709).
static inline double dvec3_luminance(dvec3 rgb)
{
    return dvec3_dot((dvec3){0.2126, 0.7152, 0.0722}, rgb);
}

/// The part of `a` at right angles to the unit vector `axis`.
static inline dvec3 dvec3_reject(dvec3 a, dvec3 axis)
{
    return dvec3_sub(a, dvec3_scale(axis, dvec3_dot(a, axis)));
}

/// Gives a vector unit length. False, `a` as it was: not above `min_length`, or not finite.
static inline bool dvec3_normalize(dvec3 *a, double min_length)
{
    const double length = dvec3_length(*a);
    if (!(length > min_length) || !(length <= 1e300))
        return false;
    *a = dvec3_divide(*a, length);
    return true;
}

/// The largest of the sizes of its three parts.
static inline double dvec3_largest(dvec3 a)
{
    const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), other = y > z ? y : z;
    return x > other ? x : other;
}

/// The coordinate axis in which `a` is smallest, the first of several.
static inline dvec3 dvec3_smallest_axis(dvec3 a)
{
    const double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z);
    return x <= y && x <= z ? (dvec3){1.0, 0.0, 0.0}
           : y <= z         ? (dvec3){0.0, 1.0, 0.0}
                            : (dvec3){0.0, 0.0, 1.0};
}

/// A unit vector at right angles to `a`: that part of `preferred`, or, where it has no length, of
/// the axis in which `a` is smallest. Where `a` has no length, `preferred` made unit, or +X.
dvec3 dvec3_perpendicular(dvec3 a, dvec3 preferred);
/// The angle between two directions in degrees, 0 to 180; 0 when one of them has no length.
double dvec3_angle_deg(dvec3 a, dvec3 b);
