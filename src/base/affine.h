// SPDX-License-Identifier: MIT
/// Matrices and affine maps in double precision, for hierarchies that are multiplied out once and
/// rounded to float at the end. Column vectors: m maps a point p to m p.
#pragma once

#include "base/dvec3.h"

/// By columns: the images of the three axes.
typedef struct dmat3 {
    dvec3 x, y, z;
} dmat3;

/// p' = m p + t.
typedef struct affine {
    dmat3 m;
    dvec3 t;
} affine;

static inline dmat3 dmat3_identity(void)
{
    return (dmat3){{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
}

/// m v.
static inline dvec3 dmat3_transform(const dmat3 *m, dvec3 v)
{
    return dvec3_add(dvec3_add(dvec3_scale(m->x, v.x), dvec3_scale(m->y, v.y)),
                     dvec3_scale(m->z, v.z));
}

/// transpose(m) v.
static inline dvec3 dmat3_transform_transposed(const dmat3 *m, dvec3 v)
{
    return (dvec3){dvec3_dot(m->x, v), dvec3_dot(m->y, v), dvec3_dot(m->z, v)};
}

static inline dmat3 dmat3_transpose(const dmat3 *m)
{
    return (dmat3){{m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
}

/// transpose(a) b.
static inline dmat3 dmat3_transpose_multiply(const dmat3 *a, const dmat3 *b)
{
    return (dmat3){dmat3_transform_transposed(a, b->x), dmat3_transform_transposed(a, b->y),
                   dmat3_transform_transposed(a, b->z)};
}

/// det(m) transpose(inverse(m)), which exists for any m.
static inline dmat3 dmat3_cofactor(const dmat3 *m)
{
    return (dmat3){dvec3_cross(m->y, m->z), dvec3_cross(m->z, m->x), dvec3_cross(m->x, m->y)};
}

/// Expanded along the first column.
static inline double dmat3_determinant(const dmat3 *m)
{
    return dvec3_dot(m->x, dvec3_cross(m->y, m->z));
}

/// The sum of the squares of all elements.
static inline double dmat3_square(const dmat3 *m)
{
    return dvec3_dot(m->x, m->x) + dvec3_dot(m->y, m->y) + dvec3_dot(m->z, m->z);
}

/// True for maps to at least a plane (`rank` 2), or to space (3), up to a millionth.
static inline bool dmat3_has_rank(const dmat3 *m, int rank)
{
    const double square = dmat3_square(m), volume = dmat3_determinant(m);
    const dmat3 areas = dmat3_cofactor(m);
    return rank < 3 ? dmat3_square(&areas) > 1e-12 * square * square
                    : volume * volume > 1e-12 * square * square * square;
}

static inline dvec3 affine_point(const affine *a, dvec3 p)
{
    return dvec3_add(dmat3_transform(&a->m, p), a->t);
}

affine affine_identity(void);
/// The first three rows of a 4x4 matrix of 16 floats by columns: a mat4 or what a file holds.
affine affine_from_floats(const float *m);
/// Such a matrix, its last row 0 0 0 1.
void affine_to_floats(const affine *a, float *out);
/// First b, then a.
affine affine_multiply(const affine *a, const affine *b);
/// The determinant of the linear part, expanded along the first row as affine_invert() does.
double affine_determinant(const affine *a);
/// False for a map whose determinant is at most 1e-9 of the product of its columns' lengths or is
/// not a number; `out` is not written then.
bool affine_invert(const affine *a, affine *out);
/// True when every element fits a float, with room for a few products of them.
bool affine_fits_floats(const affine *a);
bool affine_is_identity(const affine *a);
/// True when no element is more than `tolerance` off.
bool affine_is_near_identity(const affine *a, double tolerance);
