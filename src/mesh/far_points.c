// SPDX-License-Identifier: MIT
#include "mesh/far_points.h"

#include "base/maths.h"

/// Times the size: the farthest that small things are from zero before their floats are moved, and
/// things so far away that a float knows no half millimetre.
static const double far_sizes = 256.0, far_sizes_of_large = 2.0, large = 4096.0;

static dvec3 point_at(const double *point, const vertex_position *floats, size_t v)
{
    return point ? dvec3_load(point + 3 * v) : dvec3_from_floats(&floats[v].x);
}

static bool fits(dvec3 p)
{
    const double limit = 1e18; // its square is a float
    return fabs(p.x) <= limit && fabs(p.y) <= limit && fabs(p.z) <= limit;
}

static dvec3 far_middle(dvec3 low, dvec3 high, dvec3 before)
{
    const dvec3 middle = dvec3_add(dvec3_scale(low, 0.5), dvec3_scale(high, 0.5));
    const double size = dvec3_largest(dvec3_sub(high, low)), distance = dvec3_largest(middle);
    const double sizes = distance > large ? far_sizes_of_large : far_sizes;
    if (low.x > high.x || !(distance > sizes * size && size > 0.0))
        return (dvec3){0.0, 0.0, 0.0};
    if (dvec3_largest(before) > 0.0 && dvec3_largest(dvec3_sub(middle, before)) <= far_sizes * size)
        return before;
    return (dvec3){(double)(float)middle.x, (double)(float)middle.y, (double)(float)middle.z};
}

void far_points_load(const double *point, uint32_t count, vertex_position *out, dvec3 *middle)
{
    dvec3 low = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = dvec3_scale(low, -1.0);
    for (uint32_t v = 0; middle && v < count; v++) {
        const dvec3 p = point_at(point, out, v);
        if (!fits(p))
            continue;
        low = (dvec3){maths_min(low.x, p.x), maths_min(low.y, p.y), maths_min(low.z, p.z)};
        high = (dvec3){maths_max(high.x, p.x), maths_max(high.y, p.y), maths_max(high.z, p.z)};
    }
    if (middle)
        *middle = far_middle(low, high, *middle);
    for (uint32_t v = 0; v < count; v++) {
        const dvec3 p = point_at(point, out, v), at = middle ? dvec3_sub(p, *middle) : p;
        out[v] = fits(p) ? (vertex_position){(float)at.x, (float)at.y, (float)at.z, 1.0f}
                         : (vertex_position){NAN, NAN, NAN, 1.0f};
    }
}
