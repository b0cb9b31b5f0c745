// SPDX-License-Identifier: MIT
/// Orientations as functions of directions: solvers that give bones a rotation.
#include "pose/ik.h"
#include "random_points.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

// ---- Orient -------------------------------------------------------------------------------------

/// Any parents, mirrored and sheared: the axes of the bone are where they shall be.
Test(ik_orient, orients_below_any_parent)
{
    for (uint64_t n = 0; n < 20000; n++) {
        uint64_t seed = n;
        dmat3 parent;
        double *numbers = &parent.x.x;
        for (int k = 0; k < 9; k++)
            numbers[k] = between(&seed, -2.0, 2.0);
        double scale[3];
        for (int k = 0; k < 3; k++)
            scale[k] = between(&seed, 0.2, 2.0) * (between(&seed, 0.0, 1.0) < 0.3 ? -1.0 : 1.0);
        const ik_axes to = {dvec3_scale(random_direction(&seed), 3.0), random_direction(&seed)};
        quat q;
        if (fabs(dmat3_determinant(&parent)) < 0.05 || dvec3_length(dvec3_cross(to.x, to.y)) < 0.2)
            continue;
        cr_assert(ik_orient_solve(&parent, scale, &to, &q));
        const dvec3 x = dmat3_transform(&parent, quat_rotate(q, (dvec3){scale[0], 0.0, 0.0}));
        dvec3 y = dmat3_transform(&parent, quat_rotate(q, (dvec3){0.0, scale[1], 0.0}));
        dvec3 normal = dvec3_cross(to.x, to.y);
        cr_assert(dvec3_normalize(&y, 0.0) && dvec3_normalize(&normal, 0.0));
        cr_assert(dvec3_angle_deg(x, to.x) < 1e-9, "case %d: %g", (int)n, dvec3_angle_deg(x, to.x));
        cr_assert(fabs(dvec3_dot(y, normal)) < 1e-10 && dvec3_dot(dvec3_cross(x, y), normal) > 0.0);
    }
    const dmat3 flat = {
        .x = {1.0, 0.0, 0.0},
          .y = {0.0, 1.0, 0.0}
    };
    const double one[3] = {1.0, 1.0, 1.0};
    quat q;
    cr_assert_not(ik_orient_solve(&flat, one,
                                  &(ik_axes){
                                      {1, 0, 0},
                                      {0, 1, 0}
    },
                                  &q));
    const dmat3 same = dmat3_identity();
    cr_assert_not(ik_orient_solve(&same, one,
                                  &(ik_axes){
                                      {1, 0, 0},
                                      {2, 0, 0}
    },
                                  &q));
}
