// SPDX-License-Identifier: MIT
/// Affine maps in double, for hierarchies that are multiplied out once: their products are rounded
/// to float at the end only.
#ifndef ZT_BASE_AFFINE_H
#define ZT_BASE_AFFINE_H

#include <stdbool.h>

/// x' = m x + t.
typedef struct affine {
    double m[3][3]; ///< [row][column]
    double t[3];
} affine;

affine affine_identity(void);
/// First b, then a.
affine affine_multiply(const affine *a, const affine *b);
double affine_column_length(const affine *a, int column);
/// Of the linear part.
double affine_determinant(const affine *a);
/// False for a map whose determinant is at most 1e-9 of the product of its columns' lengths, or is
/// no number; `out` is not written then.
bool affine_invert(const affine *a, affine *out);
/// True when every element can be a float, with room for a few products of them.
bool affine_moderate(const affine *a);
bool affine_is_identity(const affine *a);

#endif
