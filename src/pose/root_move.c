// SPDX-License-Identifier: MIT
#include "pose/root_move.h"

#include "base/maths.h"

#include <math.h>

void root_move_turn(double heading_deg, const double v[3], double out[3])
{
    double sine, cosine;
    maths_sincos_deg(heading_deg, &sine, &cosine);
    const double x = v[0], z = v[2];
    out[0] = cosine * x + sine * z;
    out[1] = v[1];
    out[2] = cosine * z - sine * x;
}

root_move root_move_then(const root_move *a, const root_move *b)
{
    root_move out = {.heading_deg = a->heading_deg + b->heading_deg};
    root_move_turn(a->heading_deg, b->way, out.way);
    for (int k = 0; k < 3; k++)
        out.way[k] += a->way[k];
    return out;
}

root_move root_move_between(const root_move *a, const root_move *b)
{
    root_move out = {.heading_deg = b->heading_deg - a->heading_deg};
    double way[3];
    for (int k = 0; k < 3; k++)
        way[k] = b->way[k] - a->way[k];
    root_move_turn(-a->heading_deg, way, out.way);
    return out;
}

// By squaring: a sum of turned strides in as many steps as the count has binary digits.
root_move root_move_times(const root_move *a, double count)
{
    const root_move none = {
        0.0, {0.0, 0.0, 0.0}
    };
    root_move out = none, power = count < 0.0 ? root_move_between(a, &none) : *a;
    for (double left = fabs(count); left >= 1.0; left = floor(0.5 * left)) {
        if (fmod(left, 2.0) >= 1.0)
            out = root_move_then(&out, &power);
        power = root_move_then(&power, &power);
    }
    return out;
}
