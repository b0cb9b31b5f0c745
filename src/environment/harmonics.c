// SPDX-License-Identifier: MIT
// Spherical harmonics of degree 2: Ramamoorthi & Hanrahan, "An Efficient Representation for
// Irradiance Environment Maps", 2001, equation 3.
#include "base/maths.h"
#include "environment/environment_build.h"
/// n by the inverse of the rotation q: the rows of q's matrix are its columns.
static void rotate_back(const double q[4], const double n[3], double out[3])
{
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double column[3][3] = {
        {1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w)},
        {2.0 * (x * y - z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + x * w)},
        {2.0 * (x * z + y * w), 2.0 * (y * z - x * w), 1.0 - 2.0 * (x * x + y * y)},
    };
    for (int i = 0; i < 3; i++)
        out[i] = (column[i][0] * n[0] + column[i][1] * n[1]) + column[i][2] * n[2];
}

void harmonics_irradiance(const light_harmonics *h, const double n[3], double out[3])
{
    const double k0 = 0.28209479177387814, k1 = 0.48860251190291992, k2 = 1.0925484305920792;
    const double k20 = 0.31539156525252005, k22 = 0.54627421529603959;
    double d[3];
    rotate_back(h->rotation, n, d);
    const double value[9] = {
        k0,
        k1 * d[1],
        k1 * d[2],
        k1 * d[0],
        k2 * (d[0] * d[1]),
        k2 * (d[1] * d[2]),
        k20 * (3.0 * d[2] * d[2] - 1.0),
        k2 * (d[2] * d[0]),
        k22 * (d[0] * d[0] - d[1] * d[1]),
    };
    for (int c = 0; c < 3; c++) {
        double sum = 0.0;
        for (int i = 0; i < 9; i++)
            sum += h->factors[i][c] * value[i];
        out[c] = sum > 0.0 ? sum * (h->intensity / MATHS_PI) : 0.0;
    }
}
