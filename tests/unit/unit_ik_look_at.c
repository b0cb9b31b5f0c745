// SPDX-License-Identifier: MIT
/// Looks with limits of bones, of yaw and of pitch, and without roll: against their definitions.
#include "pose/ik.h"
#include "random_numbers.h"
#include "testing.h"

#define DEGREES 57.29577951308232

/// One bone at the origin that looks along +z, its eye in the joint.
static const dvec3 origin = {0.0, 0.0, 0.0};
static const double one_share = 1.0;

static ik_look_at plain_look(void)
{
    return (ik_look_at){.count = 1,
                        .joint = &origin,
                        .share = &one_share,
                        .forward = {0.0, 0.0, 1.0},
                        .fallback_axis = {0.0, 1.0, 0.0},
                        .max_deg = 180.0,
                        .yaw_deg = {180.0, 180.0},
                        .pitch_deg = {180.0, 180.0}};
}

static dvec3 direction(double yaw_deg, double pitch_deg)
{
    const double yaw = yaw_deg / DEGREES, pitch = pitch_deg / DEGREES;
    return (dvec3){sin(yaw) * cos(pitch), sin(pitch), cos(yaw) * cos(pitch)};
}

static double yaw_of(dvec3 v) { return atan2(v.x, v.z) * DEGREES; }

static double pitch_of(dvec3 v) { return atan2(v.y, sqrt(v.x * v.x + v.z * v.z)) * DEGREES; }

static dvec3 looks_along(const ik_look_at *look)
{
    quat out;
    ik_look_at_solve(look, &out);
    return quat_rotate(out, look->forward);
}

Test(ik_look_at, yaw_and_pitch_have_limits_of_their_own)
{
    ik_look_at look = plain_look();
    look.up = (dvec3){0.0, 3.0, 0.0};
    look.yaw_deg[0] = 40.0; // right, -x
    look.yaw_deg[1] = 70.0;
    look.pitch_deg[0] = 20.0; // down
    look.pitch_deg[1] = 30.0;
    for (int yaw = -130; yaw <= 130; yaw += 5)
        for (int pitch = -20; pitch <= 30; pitch += 5) {
            look.target = dvec3_scale(direction(yaw, pitch), 2.0);
            const dvec3 got = looks_along(&look);
            NEAR(yaw_of(got), fmax(-40.0, fmin(yaw, 70.0)), 1e-9, "%d, %d: yaw", yaw, pitch);
            NEAR(pitch_of(got), pitch, 1e-9, "%d, %d: pitch", yaw, pitch);
        }
    // In front the pitch ends at its limits; above, the yaw returns to 0; behind, both do.
    for (int pitch = -90; pitch <= 90; pitch += 5) {
        look.target = direction(0.0, pitch);
        cr_assert(fabs(pitch_of(looks_along(&look)) - fmax(-20.0, fmin(pitch, 30.0))) < 1e-9);
        look.target = direction(180.0, pitch * 0.2);
        cr_assert(dvec3_angle_deg(looks_along(&look), look.forward) < 1e-9, "behind");
    }
    look.target = direction(60.0, 60.0);
    cr_assert(fabs(yaw_of(looks_along(&look)) - 30.0) < 1e-9, "half the way from 30 to 90");
    look.target = direction(157.5, 10.0);
    cr_assert(fabs(yaw_of(looks_along(&look)) - 35.0) < 1e-9 &&
                  fabs(pitch_of(looks_along(&look)) - 5.0) < 1e-9,
              "half let go");
    // Relative to a clip that looks down by 25 degrees.
    look.forward = direction(0.0, -25.0);
    look.target = direction(50.0, 40.0);
    cr_assert(fabs(pitch_of(looks_along(&look)) - 5.0) < 1e-9);
}

Test(ik_look_at, up_keeps_bones_from_rolling)
{
    EACH_SEED (n, seed, 2000) {
        dvec3 joint[3];
        const double share[3] = {1.0, between(&seed, 0.1, 2.0), between(&seed, 0.1, 2.0)};
        for (int i = 0; i < 3; i++)
            joint[i] = (dvec3){0.0, 0.2 * i, 0.01 * i};
        ik_look_at look = plain_look();
        look.count = 1 + (uint32_t)(n % 3);
        look.joint = joint;
        look.share = share;
        look.eye = (dvec3){0.05, 0.2 * look.count, 0.1};
        look.forward = direction(between(&seed, -20.0, 20.0), between(&seed, -20.0, 20.0));
        look.up = (dvec3){0.0, 1.0, 0.0};
        const dvec3 last = joint[look.count - 1];
        look.target = dvec3_add(
            last, dvec3_scale(direction(between(&seed, -170.0, 170.0), between(&seed, -60.0, 60.0)),
                              between(&seed, 1.0, 5.0)));
        quat out[IK_CHAIN_LIMIT];
        ik_look_at_solve(&look, out);
        dvec3 at = joint[0];
        for (uint32_t i = 0; i + 1 < look.count; i++)
            at = dvec3_add(at, quat_rotate(out[i], dvec3_sub(joint[i + 1], joint[i])));
        const quat whole = out[look.count - 1];
        const dvec3 eye = dvec3_add(at, quat_rotate(whole, dvec3_sub(look.eye, last)));
        const dvec3 sight = dvec3_sub(look.target, eye), line = dvec3_sub(look.target, at);
        cr_assert(dvec3_angle_deg(quat_rotate(whole, look.forward), sight) < 1e-9, "case %d",
                  (int)n);
        // The axis that pointed up is in the plane of the line to the target and up, on the side of
        // up.
        dvec3 side = dvec3_cross(line, look.up);
        cr_assert(dvec3_normalize(&side, 0.1));
        const dvec3 tilted = quat_rotate(whole, look.up);
        cr_assert(fabs(dvec3_dot(tilted, side)) < 1e-9, "case %d rolls", (int)n);
        cr_assert(dvec3_dot(dvec3_cross(line, tilted), side) > 0.0);
    }
}

/// A target over the top to behind and back: at 1.3 m/s the chain turned by 1,300 degrees/s.
Test(ik_look_at, limits_of_bones_let_go_of_targets_behind)
{
    const dvec3 joint[2] = {origin, {0.0, 0.3, 0.0}};
    const double share[2] = {1.0, 2.0}, limit[2] = {20.0, 50.0};
    ik_look_at look = plain_look();
    quat out[2], before = quat_identity();
    look.count = 2;
    look.joint = joint;
    look.share = share;
    look.limit_deg = limit;
    look.eye = joint[1];
    for (int k = 0; k <= 3600; k++) {
        look.target = dvec3_add(joint[1], dvec3_scale(direction(1e-4, k * 0.1), 2.0));
        ik_look_at_solve(&look, out);
        const quat step = quat_multiply(quat_conjugate(before), out[1]);
        const double angle =
            2.0 * DEGREES * sqrt(step.x * step.x + step.y * step.y + step.z * step.z);
        cr_assert(angle < 0.3, "%g degrees while the target goes 0.1, at %g", angle, k * 0.1);
        if (k == 1800)
            cr_assert(out[1].w > 1.0 - 1e-9, "straight behind, the clip is left alone");
        before = out[1];
    }
}

/// Other bones do the part of a share that one bone cannot.
Test(ik_look_at, targets_within_the_sum_of_limits_are_met)
{
    const dvec3 joint[3] = {origin, origin, origin};
    const double share[3] = {1.0, 1.0, 1.0}, limit[3] = {50.0, 20.0, 5.0};
    ik_look_at look = plain_look();
    look.count = 3;
    look.joint = joint;
    look.share = share;
    look.limit_deg = limit;
    for (int yaw = -130; yaw <= 130; yaw += 5) {
        quat out[3];
        look.target = direction(yaw, 0.0);
        ik_look_at_solve(&look, out);
        const double got = yaw_of(quat_rotate(out[2], look.forward));
        cr_assert(fabs(got - fmax(-75.0, fmin(yaw, 75.0))) < 1e-9, "%d: %g", yaw, got);
    }
}
