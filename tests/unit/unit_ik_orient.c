// SPDX-License-Identifier: MIT
/// Orientations as functions of directions: solvers that give bones a rotation.
#include "pose/ik.h"
#include "random_paths.h"

/// Any parents, mirrored and sheared: the axes of the bone are where they shall be.
Test(ik_orient, orients_below_any_parent)
{
    EACH_SEED (n, seed, 20000) {
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
    const dmat3 flat = {.x = {1.0, 0.0, 0.0}, .y = {0.0, 1.0, 0.0}};
    const double one[3] = {1.0, 1.0, 1.0};
    quat q;
    cr_assert_not(ik_orient_solve(&flat, one, &(ik_axes){{1, 0, 0}, {0, 1, 0}}, &q));
    const dmat3 same = dmat3_identity();
    cr_assert_not(ik_orient_solve(&same, one, &(ik_axes){{1, 0, 0}, {2, 0, 0}}, &q));
}

Test(ik_orient, twist_is_the_angle_about_the_axis)
{
    EACH_SEED (n, seed, 20000) {
        const dvec3 axis = random_direction(&seed);
        const dvec3 across = dvec3_perpendicular(axis, random_direction(&seed));
        const double twist = between(&seed, -160.0, 160.0);
        const quat swing = quat_from_axis_deg(across, between(&seed, -134.0, 134.0));
        quat q = quat_multiply(swing, quat_from_axis_deg(axis, twist));
        if (n % 2)
            q = (quat){-q.x, -q.y, -q.z, -q.w};
        NEAR(ik_twist_deg(q, axis), twist, 1e-6, "case %d", (int)n);
    }
    const dvec3 x = {1.0, 0.0, 0.0};
    cr_assert(fabs(ik_twist_deg(quat_from_axis_deg(x, 170.0), x) - 85.0) < 1e-6, "on its way to 0");
    cr_assert(fabs(ik_twist_deg(quat_from_axis_deg(x, -179.9), x)) < 1.0);
    cr_assert(ik_twist_deg((quat){0.0, 1.0, 0.0, 0.0}, x) == 0.0, "a swing by 180 degrees");
}

/// Radians of a twist per radian of the hand: 9 where it lets go, over a swing's half cosine.
#define TWIST_FACTOR 26.0

/// Hands that rotate anywhere, by any number of turns: there is no singularity.
Test(ik_orient, twist_never_jumps)
{
    enum { PATHS = 200, STEPS = 4000 };
    EACH_SEED (n, seed, rigs(PATHS)) {
        const dvec3 axis = random_direction(&seed), a = random_direction(&seed);
        const dvec3 b = random_direction(&seed);
        const double phase = between(&seed, 0.0, 360.0);
        double before = 0.0;
        quat q_before = quat_identity();
        for (int k = 0; k <= STEPS; k++) {
            const double t = (double)k / STEPS;
            const quat q = quat_multiply(quat_from_axis_deg(a, phase + 720.0 * t),
                                         quat_from_axis_deg(n % 3 ? b : axis, 1080.0 * t));
            const double now = ik_twist_deg(q, axis);
            const double step = rotation_step(q_before, q) * 57.29577951308232;
            cr_assert(k == 0 || fabs(now - before) < TWIST_FACTOR * step + 1e-9,
                      "path %d, step %d: %g degrees while the hand rotates by %g", (int)n, k,
                      now - before, step);
            before = now;
            q_before = q;
        }
    }
}
