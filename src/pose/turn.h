// SPDX-License-Identifier: MIT
/// Vectors and rotations in double, for inverse kinematics: points of a scene lie far from its
/// origin and near each other. Only + - * / sqrt; a rotation is a unit quaternion.
#ifndef ZT_POSE_TURN_H
#define ZT_POSE_TURN_H

#include <math.h>
#include <stdbool.h>

typedef struct dvec3 {
    double x, y, z;
} dvec3;

typedef struct turn {
    double x, y, z, w;
} turn;

static inline dvec3 dvec3_of(const float v[3])
{
    return (dvec3){(double)v[0], (double)v[1], (double)v[2]};
}

static inline dvec3 add3(dvec3 a, dvec3 b)
{
    return (dvec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline dvec3 sub3(dvec3 a, dvec3 b)
{
    return (dvec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline dvec3 scale3(dvec3 a, double s)
{
    return (dvec3){a.x * s, a.y * s, a.z * s};
}

static inline double dot3(dvec3 a, dvec3 b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

static inline dvec3 cross3(dvec3 a, dvec3 b)
{
    return (dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double length3(dvec3 a)
{
    return sqrt(dot3(a, a));
}

/// What is left of `a` across the unit vector `axis`.
static inline dvec3 across3(dvec3 a, dvec3 axis)
{
    return sub3(a, scale3(axis, dot3(a, axis)));
}

/// Gives a vector unit length; false, and unchanged, when it is not longer than `least`, or not
/// finite.
static inline bool unit3(dvec3 *a, double least)
{
    const double length = length3(*a);
    if (!(length > least) || !(length <= 1e300))
        return false;
    *a = (dvec3){a->x / length, a->y / length, a->z / length};
    return true;
}

static inline turn turn_none(void)
{
    return (turn){0.0, 0.0, 0.0, 1.0};
}

/// First b, then a.
static inline turn turn_mul(turn a, turn b)
{
    return (turn){
        ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
        ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
        ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w,
        ((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
    };
}

static inline turn turn_back(turn q)
{
    return (turn){-q.x, -q.y, -q.z, q.w};
}

static inline dvec3 turn_point(turn q, dvec3 p)
{
    const dvec3 v = {q.x, q.y, q.z};
    const dvec3 t = scale3(cross3(v, p), 2.0);
    return add3(add3(p, scale3(t, q.w)), cross3(v, t));
}

/// A unit vector across `a`: `wish` as far as it is across, else the axis that is most so.
dvec3 turn_any_across(dvec3 a, dvec3 wish);

/// About the unit vector `axis` by the angle whose cosine and sine are proportional to `c` and `s`;
/// no turn when both are 0.
turn turn_about(dvec3 axis, double c, double s);
/// The same by degrees.
turn turn_about_deg(dvec3 axis, double degrees);
/// The shortest turn that takes the direction of `from` to that of `to`; half a turn about `spare`,
/// as far as it is across `from`, when they are opposite; no turn when one of them has no length.
turn turn_between(dvec3 from, dvec3 to, dvec3 spare);
/// The angle between two directions in degrees, 0 to 180; 0 when one of them has no length.
double turn_angle_deg(dvec3 a, dvec3 b);

/// The rotation nearest at hand in the columns of a matrix: its first axis, and the second squared
/// to it. What is mirrored loses its mirror: turns in its space then turn the same way. False when
/// the columns do not span space.
bool turn_of_axes(dvec3 x, dvec3 y, dvec3 z, turn *out);

#endif
