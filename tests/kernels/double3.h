// SPDX-License-Identifier: MIT
/// Products of three doubles, for second computations.
#pragma once

#include <math.h>
#include <string.h>

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
