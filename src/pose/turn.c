// SPDX-License-Identifier: MIT
/// Rotations from directions and angles. Angles enter by sine and cosine, and halves of them by
/// tan(a/2) = sin a / (1 + cos a) = (1 - cos a) / sin a, whichever does not cancel.
#include "pose/turn.h"

#include "base/maths.h"

#define RADIANS_TO_DEGREES 57.295779513082323

static turn turn_normalised(turn q)
{
    const double length = sqrt(((q.x * q.x + q.y * q.y) + q.z * q.z) + q.w * q.w);
    if (!(length > 0.0) || !(length <= 1e300))
        return turn_none();
    return (turn){q.x / length, q.y / length, q.z / length, q.w / length};
}

dvec3 turn_any_across(dvec3 a, dvec3 wish)
{
    dvec3 axis = a;
    if (!unit3(&axis, 0.0))
        return unit3(&wish, 0.0) ? wish : (dvec3){1.0, 0.0, 0.0};
    dvec3 out = wish;
    if (unit3(&out, 0.0)) {
        out = across3(out, axis);
        if (unit3(&out, 1e-6))
            return out;
    }
    const double x = fabs(axis.x), y = fabs(axis.y), z = fabs(axis.z);
    out = x <= y && x <= z ? (dvec3){1.0, 0.0, 0.0}
          : y <= z         ? (dvec3){0.0, 1.0, 0.0}
                           : (dvec3){0.0, 0.0, 1.0};
    out = across3(out, axis); // at least sqrt(2/3) long
    unit3(&out, 0.0);
    return out;
}

turn turn_about(dvec3 axis, double c, double s)
{
    const double size = fabs(c) > fabs(s) ? fabs(c) : fabs(s);
    if (!(size > 0.0) || !(size <= 1e300))
        return turn_none();
    c /= size;
    s /= size;
    const double length = sqrt(c * c + s * s);
    const double half_sin = c >= 0.0 ? s : length - c;
    const double half_cos = c >= 0.0 ? length + c : s;
    return turn_normalised(
        (turn){axis.x * half_sin, axis.y * half_sin, axis.z * half_sin, half_cos});
}

turn turn_about_deg(dvec3 axis, double degrees)
{
    double s, c;
    maths_sincos_deg(degrees * 0.5, &s, &c);
    return turn_normalised((turn){axis.x * s, axis.y * s, axis.z * s, c});
}

turn turn_between(dvec3 from, dvec3 to, dvec3 spare)
{
    if (!unit3(&from, 0.0) || !unit3(&to, 0.0))
        return turn_none();
    dvec3 axis = cross3(from, to);
    const double s = length3(axis);
    if (!unit3(&axis, 1e-12))
        return dot3(from, to) > 0.0 ? turn_none()
                                    : turn_about(turn_any_across(from, spare), -1.0, 0.0);
    return turn_about(axis, dot3(from, to), s);
}

double turn_angle_deg(dvec3 a, dvec3 b)
{
    if (!unit3(&a, 0.0) || !unit3(&b, 0.0))
        return 0.0;
    return maths_atan2(length3(cross3(a, b)), dot3(a, b)) * RADIANS_TO_DEGREES;
}

/// Quaternion of an orthonormal basis: Shepperd, "Quaternion from rotation matrix", 1978; the
/// largest of the four is found first and divides the others.
static turn turn_of_basis(dvec3 x, dvec3 y, dvec3 z)
{
    const double trace = x.x + y.y + z.z;
    turn q;
    if (trace >= x.x && trace >= y.y && trace >= z.z)
        q = (turn){y.z - z.y, z.x - x.z, x.y - y.x, 1.0 + trace};
    else if (x.x >= y.y && x.x >= z.z)
        q = (turn){1.0 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y};
    else if (y.y >= z.z)
        q = (turn){x.y + y.x, 1.0 + y.y - x.x - z.z, y.z + z.y, z.x - x.z};
    else
        q = (turn){z.x + x.z, y.z + z.y, 1.0 + z.z - x.x - y.y, x.y - y.x};
    return turn_normalised(q);
}

bool turn_of_axes(dvec3 x, dvec3 y, dvec3 z, turn *out)
{
    if (!unit3(&x, 0.0) || !unit3(&y, 0.0) || !unit3(&z, 0.0))
        return false;
    y = across3(y, x);
    dvec3 third = cross3(x, y);
    if (!unit3(&y, 1e-6) || !unit3(&third, 1e-6) || !(fabs(dot3(third, z)) > 1e-6))
        return false;
    if (dot3(third, z) < 0.0) { // mirrored: turned inside out, it is a rotation
        x = scale3(x, -1.0);
        y = scale3(y, -1.0);
        third = cross3(x, y);
    }
    *out = turn_of_basis(x, y, third);
    return true;
}
