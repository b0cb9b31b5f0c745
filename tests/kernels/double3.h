// SPDX-License-Identifier: MIT
/// Products of three doubles, and directions, for second computations.
#pragma once

#include "random_inputs.h"

#include <math.h>

#define PI 3.14159265358979323846

static inline double dot3(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// `out` may be one of both.
static inline void cross3(const double a[3], const double b[3], double out[3])
{
    const double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                         a[0] * b[1] - a[1] * b[0]};
    memcpy(out, c, sizeof c);
}

static inline void unit3(double v[3])
{
    const double length = sqrt(dot3(v, v));
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

static inline void random_unit3(random_state *r, double out[3])
{
    do
        for (int k = 0; k < 3; k++)
            out[k] = -1.0 + 2.0 * (random_u32(r) / 4294967296.0);
    while (dot3(out, out) < 0.1 || dot3(out, out) > 1.0);
    unit3(out);
}
