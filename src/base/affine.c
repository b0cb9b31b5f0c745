// SPDX-License-Identifier: MIT
#include "base/affine.h"

// A volume this small against the lengths of the columns counts as none.
#define SINGULAR_VOLUME 1e-9

// Far enough below the largest float, 3e38.
#define LARGEST_ELEMENT 1e30

affine affine_identity(void) { return (affine){.m = dmat3_identity()}; }

affine affine_from_floats(const float *m)
{
    return (affine){{dvec3_from_floats(m), dvec3_from_floats(m + 4), dvec3_from_floats(m + 8)},
                    dvec3_from_floats(m + 12)};
}

void affine_to_floats(const affine *a, float *out)
{
    dvec3_to_floats(a->m.x, out);
    dvec3_to_floats(a->m.y, out + 4);
    dvec3_to_floats(a->m.z, out + 8);
    dvec3_to_floats(a->t, out + 12);
    for (int column = 0; column < 4; column++)
        out[4 * column + 3] = column == 3 ? 1.0f : 0.0f;
}

affine affine_multiply(const affine *a, const affine *b)
{
    return (affine){{dmat3_transform(&a->m, b->m.x), dmat3_transform(&a->m, b->m.y),
                     dmat3_transform(&a->m, b->m.z)},
                    affine_point(a, b->t)};
}

double affine_determinant(const affine *a)
{
    const dmat3 rows = dmat3_transpose(&a->m);
    return dmat3_determinant(&rows);
}

// The columns of the inverse are cross products of the rows, divided by the determinant.
bool affine_invert(const affine *a, affine *out)
{
    const dmat3 rows = dmat3_transpose(&a->m), adjugate = dmat3_cofactor(&rows);
    const double det = dvec3_dot(rows.x, adjugate.x);
    const double volume = dvec3_length(a->m.x) * dvec3_length(a->m.y) * dvec3_length(a->m.z);
    if (!(fabs(det) > SINGULAR_VOLUME * volume))
        return false;
    out->m = (dmat3){dvec3_divide(adjugate.x, det), dvec3_divide(adjugate.y, det),
                     dvec3_divide(adjugate.z, det)};
    out->t = dvec3_scale(dmat3_transform(&out->m, a->t), -1.0);
    return true;
}

static bool is_small(dvec3 v)
{
    return fabs(v.x) < LARGEST_ELEMENT && fabs(v.y) < LARGEST_ELEMENT &&
           fabs(v.z) < LARGEST_ELEMENT;
}

bool affine_fits_floats(const affine *a)
{
    return is_small(a->m.x) && is_small(a->m.y) && is_small(a->m.z) && is_small(a->t);
}

static bool is_within(dvec3 a, dvec3 b, double tolerance)
{
    return fabs(a.x - b.x) <= tolerance && fabs(a.y - b.y) <= tolerance &&
           fabs(a.z - b.z) <= tolerance;
}

bool affine_is_near_identity(const affine *a, double tolerance)
{
    const affine one = affine_identity();
    return is_within(a->m.x, one.m.x, tolerance) && is_within(a->m.y, one.m.y, tolerance) &&
           is_within(a->m.z, one.m.z, tolerance) && is_within(a->t, one.t, tolerance);
}

bool affine_is_identity(const affine *a) { return affine_is_near_identity(a, 0.0); }
