// SPDX-License-Identifier: MIT
/// The sRGB transfer function (IEC 61966-2-1) from + - * / alone, so that every machine gets the
/// same bits.
#include "image/mipmap.h"

/// a^(1/5) for a in [0.004, 1], by Newton's method from above, where it falls monotonically:
/// r' = (4 r + a / r^4) / 5. Ten steps reach the last bits; the count is fixed so that no
/// comparison decides the result.
static double fifth_root(double a)
{
    double r = 1.0;
    for (int step = 0; step < 12; step++) {
        const double r2 = r * r;
        r = (4.0 * r + a / (r2 * r2)) / 5.0;
    }
    return r;
}

double srgb_decode(double encoded)
{
    if (!(encoded > 0.0)) // also NaN
        return 0.0;
    if (encoded >= 1.0)
        return 1.0;
    if (encoded <= 0.04045)
        return encoded / 12.92;
    const double x = (encoded + 0.055) / 1.055;
    return x * x * fifth_root(x * x); // x^2.4
}
