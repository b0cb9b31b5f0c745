// SPDX-License-Identifier: MIT
/// Rotations in double precision as unit quaternions, by + - * / and square roots alone.
#pragma once

#include "base/affine.h"

typedef struct quat {
    double x, y, z, w;
} quat;

static inline quat quat_identity(void) { return (quat){0.0, 0.0, 0.0, 1.0}; }

static inline quat quat_from_floats(const float *q)
{
    return (quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static inline void quat_to_floats(quat q, float *out)
{
    out[0] = (float)q.x;
    out[1] = (float)q.y;
    out[2] = (float)q.z;
    out[3] = (float)q.w;
}

static inline double quat_dot(quat a, quat b)
{
    return ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w;
}

/// The one of q and -q, which are one rotation, on the side of `near`.
static inline quat quat_on_side(quat q, quat near)
{
    return quat_dot(q, near) < 0.0 ? (quat){-q.x, -q.y, -q.z, -q.w} : q;
}

/// First b, then a.
static inline quat quat_multiply(quat a, quat b)
{
    return (quat){
        ((a.w * b.x + a.x * b.w) + a.y * b.z) - a.z * b.y,
        ((a.w * b.y - a.x * b.z) + a.y * b.w) + a.z * b.x,
        ((a.w * b.z + a.x * b.y) - a.y * b.x) + a.z * b.w,
        ((a.w * b.w - a.x * b.x) - a.y * b.y) - a.z * b.z,
    };
}

/// The inverse of a unit quaternion.
static inline quat quat_conjugate(quat q) { return (quat){-q.x, -q.y, -q.z, q.w}; }

static inline dvec3 quat_rotate(quat q, dvec3 p)
{
    const dvec3 v = {q.x, q.y, q.z};
    const dvec3 t = dvec3_scale(dvec3_cross(v, p), 2.0);
    return dvec3_add(dvec3_add(p, dvec3_scale(t, q.w)), dvec3_cross(v, t));
}

/// Gives a quaternion unit length. False, and nothing written, when its length is 0 or not finite.
bool quat_normalize(quat *q);
/// The rotation about unit `axis` by the angle of `cosine` and `sine`, to scale; both 0: identity.
quat quat_from_axis(dvec3 axis, double cosine, double sine);
/// The same by an angle in degrees.
quat quat_from_axis_deg(dvec3 axis, double degrees);
/// The shortest rotation that takes direction `from` to `to`. Of opposites half a turn about
/// `fallback_axis`, as far as it is at right angles to `from`; of one without length the identity.
quat quat_between(dvec3 from, dvec3 to, dvec3 fallback_axis);
/// Spherical interpolation along the shorter arc between unit quaternions, from `from` (s = 0) to
/// `to` or -to (s = 1), within 1e-15; at exactly 180 degrees between the rotations along the arc of
/// the quaternions as they are. Shoemake, "Animating rotation with quaternion curves", 1985.
quat quat_slerp(quat from, quat to, double s);
/// The quaternion of a rotation matrix, at least 1 long: quat_normalize() gives it unit length.
quat quat_from_rotation(const dmat3 *m);
/// The rotation closest at hand to the axes of any matrix: keeps the direction of x, and y as far
/// as it is at right angles to x. Of a mirroring matrix, that of -m, so that rotations in its space
/// turn the same way. False when the columns do not span space.
bool quat_from_axes(const dmat3 *m, quat *out);
