// SPDX-License-Identifier: MIT
/// Affine maps in double for the converter.
#include "convert/m3d_maker.h"

#include <math.h>

m3d_affine m3d_affine_identity(void)
{
    return (m3d_affine){
        .m = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}
    };
}

m3d_affine m3d_affine_multiply(const m3d_affine *a, const m3d_affine *b)
{
    m3d_affine c;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            c.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                               a->m[row][2] * b->m[2][column];
        c.t[row] =
            a->m[row][0] * b->t[0] + a->m[row][1] * b->t[1] + a->m[row][2] * b->t[2] + a->t[row];
    }
    return c;
}

/// Cofactor of one element, cyclic: no signs to remember.
static double cofactor(const m3d_affine *a, int row, int column)
{
    const int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    return a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1];
}

double m3d_affine_det(const m3d_affine *a)
{
    return a->m[0][0] * cofactor(a, 0, 0) + a->m[0][1] * cofactor(a, 0, 1) +
           a->m[0][2] * cofactor(a, 0, 2);
}

bool m3d_affine_invert(const m3d_affine *a, m3d_affine *out)
{
    const double det = m3d_affine_det(a);
    double volume = 1.0;
    for (int column = 0; column < 3; column++)
        volume *= sqrt(a->m[0][column] * a->m[0][column] + a->m[1][column] * a->m[1][column] +
                       a->m[2][column] * a->m[2][column]);
    // The reader of the format takes this for singular, too.
    if (!(fabs(det) > 1e-9 * volume) || !(fabs(det) > 1e-60) || !(fabs(det) < 1e60))
        return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            out->m[row][column] = cofactor(a, column, row) / det;
    for (int row = 0; row < 3; row++) {
        out->t[row] =
            -(out->m[row][0] * a->t[0] + out->m[row][1] * a->t[1] + out->m[row][2] * a->t[2]);
        for (int column = 0; column < 3; column++)
            if (!(fabs(out->m[row][column]) < 1e30))
                return false;
        if (!(fabs(out->t[row]) < 1e30))
            return false;
    }
    return true;
}

bool m3d_affine_is_identity(const m3d_affine *a)
{
    const m3d_affine one = m3d_affine_identity();
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            if (a->m[row][column] != one.m[row][column])
                return false;
        if (a->t[row] != 0.0)
            return false;
    }
    return true;
}
