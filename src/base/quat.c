// SPDX-License-Identifier: MIT
/// Rotations from directions, angles and matrices. Halves of angles come from
/// tan(a/2) = sin a / (1 + cos a) = (1 - cos a) / sin a, whichever does not cancel.
#include "base/quat.h"

#include "base/maths.h"

/// The sine below which two unit vectors count as parallel.
#define PARALLEL 1e-12
/// A shorter part of a unit vector across another spans nothing with it.
#define FLAT 1e-6

bool quat_normalize(quat *q)
{
    const double length = sqrt(((q->x * q->x + q->y * q->y) + q->z * q->z) + q->w * q->w);
    if (!(length > 0.0) || !(length <= 1e300))
        return false;
    *q = (quat){q->x / length, q->y / length, q->z / length, q->w / length};
    return true;
}

static quat unit_or_identity(quat q) { return quat_normalize(&q) ? q : quat_identity(); }

quat quat_from_axis(dvec3 axis, double cosine, double sine)
{
    const double size = fabs(cosine) > fabs(sine) ? fabs(cosine) : fabs(sine);
    if (!(size > 0.0) || !(size <= 1e300))
        return quat_identity();
    const double c = cosine / size, s = sine / size;
    const double length = sqrt(c * c + s * s);
    const double half_sin = c >= 0.0 ? s : length - c;
    const double half_cos = c >= 0.0 ? length + c : s;
    return unit_or_identity(
        (quat){axis.x * half_sin, axis.y * half_sin, axis.z * half_sin, half_cos});
}

quat quat_from_axis_deg(dvec3 axis, double degrees)
{
    double s, c;
    maths_sincos_deg(degrees * 0.5, &s, &c);
    return unit_or_identity((quat){axis.x * s, axis.y * s, axis.z * s, c});
}

quat quat_between(dvec3 from, dvec3 to, dvec3 fallback_axis)
{
    if (!dvec3_normalize(&from, 0.0) || !dvec3_normalize(&to, 0.0))
        return quat_identity();
    dvec3 axis = dvec3_cross(from, to);
    const double sine = dvec3_length(axis), cosine = dvec3_dot(from, to);
    if (dvec3_normalize(&axis, PARALLEL))
        return quat_from_axis(axis, cosine, sine);
    if (cosine > 0.0)
        return quat_identity();
    return quat_from_axis(dvec3_perpendicular(from, fallback_axis), -1.0, 0.0);
}

/// a + b * t.
static quat quat_add_scaled(quat a, quat b, double t)
{
    return (quat){a.x + b.x * t, a.y + b.y * t, a.z + b.z * t, a.w + b.w * t};
}

quat quat_slerp(quat from, quat to, double s)
{
    const double cosine = quat_dot(from, to);
    to = quat_on_side(to, from);
    // In the plane of both: `from`, and the unit vector at right angles to it.
    quat across = quat_add_scaled(to, from, -fabs(cosine));
    const double sine = sqrt(quat_dot(across, across));
    if (!(sine > 0.0))
        return from;
    double s_sin, s_cos;
    maths_sincos_deg(s * maths_atan2(sine, fabs(cosine)) * MATHS_DEG_FROM_RAD, &s_sin, &s_cos);
    const quat start = {from.x * s_cos, from.y * s_cos, from.z * s_cos, from.w * s_cos};
    return unit_or_identity(quat_add_scaled(start, across, s_sin / sine));
}

// Shepperd, "Quaternion from rotation matrix", J. Guidance and Control 1, 1978: largest first.
quat quat_from_rotation(const dmat3 *matrix)
{
    double m[3][3], q[4]; // m[column][row]
    dvec3_store(matrix->x, m[0]);
    dvec3_store(matrix->y, m[1]);
    dvec3_store(matrix->z, m[2]);
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int i = 0;
    for (int k = 1; k < 3; k++)
        i = m[k][k] > m[i][i] ? k : i;
    if (trace >= m[i][i])
        return (quat){m[1][2] - m[2][1], m[2][0] - m[0][2], m[0][1] - m[1][0], 1.0 + trace};
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i] = 1.0 + m[i][i] - m[j][j] - m[k][k];
    q[j] = m[i][j] + m[j][i];
    q[k] = m[k][i] + m[i][k];
    q[3] = m[j][k] - m[k][j];
    return (quat){q[0], q[1], q[2], q[3]};
}

bool quat_from_axes(const dmat3 *m, quat *out)
{
    dvec3 x = m->x, y = m->y, z = m->z;
    if (!dvec3_normalize(&x, 0.0) || !dvec3_normalize(&y, 0.0) || !dvec3_normalize(&z, 0.0))
        return false;
    y = dvec3_reject(y, x);
    dvec3 third = dvec3_cross(x, y);
    if (!dvec3_normalize(&y, FLAT) || !dvec3_normalize(&third, FLAT) ||
        !(fabs(dvec3_dot(third, z)) > FLAT))
        return false;
    if (dvec3_dot(third, z) < 0.0) {
        x = dvec3_scale(x, -1.0);
        y = dvec3_scale(y, -1.0);
        third = dvec3_cross(x, y);
    }
    *out = unit_or_identity(quat_from_rotation(&(dmat3){x, y, third}));
    return true;
}
