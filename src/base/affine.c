// SPDX-License-Identifier: MIT
/// Affine maps in double.
#include "base/affine.h"

#include <math.h>

// A volume this small against the lengths of the columns is taken as none.
#define SINGULAR_VOLUME 1e-9

affine affine_identity(void)
{
    return (affine){
        .m = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}
    };
}

affine affine_multiply(const affine *a, const affine *b)
{
    affine c;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            c.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                               a->m[row][2] * b->m[2][column];
        c.t[row] =
            a->m[row][0] * b->t[0] + a->m[row][1] * b->t[1] + a->m[row][2] * b->t[2] + a->t[row];
    }
    return c;
}

double affine_column_length(const affine *a, int column)
{
    return sqrt(a->m[0][column] * a->m[0][column] + a->m[1][column] * a->m[1][column] +
                a->m[2][column] * a->m[2][column]);
}

/// Cofactor of one element, cyclic: no signs to remember.
static double cofactor(const affine *a, int row, int column)
{
    const int r1 = (row + 1) % 3, r2 = (row + 2) % 3, c1 = (column + 1) % 3, c2 = (column + 2) % 3;
    return a->m[r1][c1] * a->m[r2][c2] - a->m[r1][c2] * a->m[r2][c1];
}

double affine_determinant(const affine *a)
{
    return a->m[0][0] * cofactor(a, 0, 0) + a->m[0][1] * cofactor(a, 0, 1) +
           a->m[0][2] * cofactor(a, 0, 2);
}

bool affine_invert(const affine *a, affine *out)
{
    const double det = affine_determinant(a);
    const double volume =
        affine_column_length(a, 0) * affine_column_length(a, 1) * affine_column_length(a, 2);
    if (!(fabs(det) > SINGULAR_VOLUME * volume))
        return false;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            out->m[row][column] = cofactor(a, column, row) / det;
    for (int row = 0; row < 3; row++)
        out->t[row] =
            -(out->m[row][0] * a->t[0] + out->m[row][1] * a->t[1] + out->m[row][2] * a->t[2]);
    return true;
}

bool affine_moderate(const affine *a)
{
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            if (!(fabs(a->m[row][column]) < 1e30))
                return false;
        if (!(fabs(a->t[row]) < 1e30))
            return false;
    }
    return true;
}

bool affine_is_identity(const affine *a)
{
    const affine one = affine_identity();
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            if (a->m[row][column] != one.m[row][column])
                return false;
        if (a->t[row] != 0.0)
            return false;
    }
    return true;
}
