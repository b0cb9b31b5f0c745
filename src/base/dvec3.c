// SPDX-License-Identifier: MIT
#include "base/dvec3.h"

#include "base/maths.h"

/// A shorter rejection of a unit vector is rounding, not a direction.
#define MIN_REJECTION 1e-6

dvec3 dvec3_perpendicular(dvec3 a, dvec3 preferred)
{
    dvec3 out = preferred;
    const bool has_preferred = dvec3_normalize(&out, 0.0);
    if (!dvec3_normalize(&a, 0.0))
        return has_preferred ? out : (dvec3){1.0, 0.0, 0.0};
    if (has_preferred) {
        out = dvec3_reject(out, a);
        if (dvec3_normalize(&out, MIN_REJECTION))
            return out;
    }
    out = dvec3_reject(dvec3_smallest_axis(a), a); // at least sqrt(2/3) long
    dvec3_normalize(&out, 0.0);
    return out;
}

double dvec3_angle_deg(dvec3 a, dvec3 b)
{
    if (!dvec3_normalize(&a, 0.0) || !dvec3_normalize(&b, 0.0))
        return 0.0;
    return maths_atan2(dvec3_length(dvec3_cross(a, b)), dvec3_dot(a, b)) * MATHS_DEG_FROM_RAD;
}
