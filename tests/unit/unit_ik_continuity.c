// SPDX-License-Identifier: MIT
/// Solvers are continuous: while a target moves smoothly, no joint of a random rig moves farther
/// than it times a stated factor, away from the singularities of docs/animation.md.
#include "pose/ik.h"
#include "random_paths.h"

#define DEGREES 57.29577951308232

// ---- Reach --------------------------------------------------------------------------------------

/// Joints move at most so many times as far as the target: up to 16 in 24 million steps.
#define REACH_FACTOR 20.0

static ik_reach random_limb(uint64_t *seed)
{
    const double a = between(seed, 0.2, 0.5), b = between(seed, 0.2, 0.5);
    const dvec3 middle = dvec3_scale(random_direction(seed), a);
    ik_reach limb = {.middle = middle,
                     .end = dvec3_add(middle, dvec3_scale(random_direction(seed), b)),
                     .fallback_hinge = {0.0, 0.0, 1.0},
                     .pole = random_direction(seed),
                     .soft = between(seed, 0.04, 0.2),
                     .max_deg = 180.0,
                     .cone_deg = 180.0};
    if (between(seed, 0.0, 1.0) < 0.75) {
        limb.cone_axis = random_direction(seed);
        limb.cone_deg = between(seed, 20.0, 170.0);
    }
    return limb;
}

typedef struct joints {
    dvec3 middle, end;
} joints;

/// The larger movement of the two.
static double movement(const joints *before, const joints *now)
{
    return fmax(dvec3_length(dvec3_sub(now->middle, before->middle)),
                dvec3_length(dvec3_sub(now->end, before->end)));
}

static joints solve(const ik_reach *limb)
{
    const ik_reach_rotations r = ik_reach_solve(limb);
    joints out;
    out.middle = dvec3_add(limb->root, quat_rotate(r.root, dvec3_sub(limb->middle, limb->root)));
    out.end = dvec3_add(out.middle, quat_rotate(r.middle, dvec3_sub(limb->end, limb->middle)));
    return out;
}

/// The angle between the line to the target and the first bone: the law of cosines.
static double lean_deg(double a, double b, double distance)
{
    const double d = fmin(fmax(distance, fabs(a - b)), a + b);
    return acos(fmin(fmax((a * a + d * d - b * b) / (2.0 * a * d), -1.0), 1.0)) * DEGREES;
}

static double parallel_deg(dvec3 a, dvec3 b)
{
    const double angle = dvec3_angle_deg(a, b);
    return fmin(angle, 180.0 - angle);
}

/// Near one of the singularities of `reach`.
static bool near_singularity(const ik_reach *limb, const joints *solved)
{
    const double a = dvec3_length(dvec3_sub(limb->middle, limb->root));
    const double b = dvec3_length(dvec3_sub(limb->end, limb->middle));
    const dvec3 line = dvec3_sub(limb->target, limb->root);
    const double d = dvec3_length(line);
    if (d < 0.2 * (a + b) || fabs(d - fabs(a - b)) < 0.1 * (a + b))
        return true; // at the root joint, or as near as the limb can fold
    if (parallel_deg(line, limb->pole) < 20.0)
        return true;
    if (!(limb->cone_deg < 180.0))
        return false;
    const double lean = lean_deg(a, b, d), to_cone = dvec3_angle_deg(line, limb->cone_axis);
    if (dvec3_length(dvec3_sub(limb->target, solved->middle)) < 0.3 * (a + b) &&
        fabs(to_cone - lean) > limb->cone_deg - 5.0)
        return true; // at a middle joint that the cone holds
    if (parallel_deg(line, limb->cone_axis) < 20.0 && fabs(to_cone - lean) > limb->cone_deg - 25.0)
        return true; // along the axis of a cone that the middle joint cannot enter
    const dvec3 to = dvec3_scale(line, 1.0 / d);
    const double across =
        dvec3_angle_deg(dvec3_reject(limb->cone_axis, to), dvec3_reject(limb->pole, to));
    const double farthest = fmin(to_cone + lean, 360.0 - (to_cone + lean));
    // The circle of the middle joint leaves the cone just where the pole points.
    return across > 120.0 && fabs(farthest - limb->cone_deg) < 40.0;
}

Test(ik_continuity, reach_with_pole_and_cone)
{
    enum { RIGS = 300, STEPS = 2000 };
    step_check steps = {0};
    EACH_SEED (n, seed, rigs(RIGS)) {
        ik_reach limb = random_limb(&seed);
        const ellipse path = random_path(&seed, limb.root, 0.8);
        joints before = {0};
        steps.follows = false;
        for (int k = 0; k <= STEPS; k++) {
            limb.target = on_path(&path, (double)k / STEPS);
            const joints now = solve(&limb);
            const bool skip = near_singularity(&limb, &now);
            check_step(&steps, limb.target, skip, movement(&before, &now), REACH_FACTOR, n, k);
            before = now;
        }
    }
    cr_assert(steps.checked > (int64_t)rigs(RIGS) * STEPS / 2, "%lld steps checked",
              (long long)steps.checked);
}

/// As solve(), of a limb whose second bone rotates in a frame.
static joints solve_sheared(const ik_reach *limb, const dmat3 *space_from_frame)
{
    const ik_reach_rotations r = ik_reach_solve_sheared(limb, space_from_frame);
    affine inverse;
    quat frame;
    cr_assert(affine_invert(&(affine){.m = *space_from_frame}, &inverse));
    cr_assert(quat_from_axes(space_from_frame, &frame));
    const quat own = quat_multiply(quat_conjugate(r.root), r.middle);
    const quat bend = quat_multiply(quat_multiply(quat_conjugate(frame), own), frame);
    const dvec3 second = dmat3_transform(&inverse.m, dvec3_sub(limb->end, limb->middle));
    const dvec3 bent = dmat3_transform(space_from_frame, quat_rotate(bend, second));
    joints out;
    out.middle = dvec3_add(limb->root, quat_rotate(r.root, dvec3_sub(limb->middle, limb->root)));
    out.end = dvec3_add(out.middle, quat_rotate(r.root, bent));
    return out;
}

Test(ik_continuity, reach_of_stretched_limbs)
{
    enum { RIGS = 60, STEPS = 1000 };
    step_check steps = {0};
    int64_t met = 0;
    EACH_SEED (n, seed, rigs(RIGS)) {
        ik_reach limb = random_limb(&seed);
        limb.cone_deg = 180.0;
        const quat axes = quat_from_axis_deg(random_direction(&seed), between(&seed, 0.0, 180.0));
        dmat3 frame = dmat3_identity();
        frame.x = dvec3_scale(quat_rotate(axes, frame.x), between(&seed, 0.7, 1.4));
        frame.y = dvec3_scale(quat_rotate(axes, frame.y), between(&seed, 0.7, 1.4));
        frame.z = dvec3_scale(quat_rotate(axes, frame.z), between(&seed, 0.7, 1.4));
        const ellipse path = random_path(&seed, limb.root, 0.8);
        joints before = {0};
        steps.follows = false;
        for (int k = 0; k <= STEPS; k++) {
            limb.target = on_path(&path, (double)k / STEPS);
            const joints now = solve_sheared(&limb, &frame);
            // The shortest reach, where joints are quick, is only about that of the folded limb.
            const bool skip = near_singularity(&limb, &now) ||
                              dvec3_length(dvec3_sub(limb.target, limb.root)) < 0.3;
            check_step(&steps, limb.target, skip, movement(&before, &now), 2.0 * REACH_FACTOR, n,
                       k);
            met += dvec3_length(dvec3_sub(now.end, limb.target)) < 1e-9;
            before = now;
        }
    }
    cr_assert(steps.checked > (int64_t)rigs(RIGS) * STEPS / 3 && met > steps.checked / 3,
              "%lld, %lld", (long long)steps.checked, (long long)met);
}

// ---- Aim ----------------------------------------------------------------------------------------

/// Any point one metre from the joint, a target one metre from it.
#define AIM_FACTOR 8.0

/// As ik_aim_apply() does it.
static quat aim(const ik_look_at *look, dvec3 up_axis, dvec3 up)
{
    quat rotation;
    ik_look_at_solve(look, &rotation);
    const dvec3 line = dvec3_sub(look->target, look->joint[0]);
    return quat_multiply(ik_roll(line, quat_rotate(rotation, up_axis), up), rotation);
}

Test(ik_continuity, aim_with_up)
{
    enum { RIGS = 300, STEPS = 2000 };
    static const double share = 1.0;
    step_check steps = {0};
    EACH_SEED (n, seed, rigs(RIGS)) {
        const dvec3 joint = {0}, up = random_direction(&seed);
        ik_look_at look = {.count = 1,
                           .joint = &joint,
                           .share = &share,
                           .eye = dvec3_scale(random_direction(&seed), between(&seed, 0.0, 0.2)),
                           .forward = random_direction(&seed),
                           .fallback_axis = {0.0, 1.0, 0.0},
                           .max_deg = 180.0};
        const dvec3 up_axis = dvec3_perpendicular(look.forward, random_direction(&seed));
        const ellipse path = random_path(&seed, joint, 3.0);
        quat before = quat_identity();
        steps.follows = false;
        for (int k = 0; k <= STEPS; k++) {
            look.target = on_path(&path, (double)k / STEPS);
            const double d = dvec3_length(look.target);
            const quat now = aim(&look, up_axis, up);
            const bool skip = d < 0.5 || parallel_deg(look.target, up) < 30.0;
            check_step(&steps, look.target, skip, rotation_step(before, now), AIM_FACTOR / d, n, k);
            before = now;
        }
    }
    cr_assert(steps.checked > (int64_t)rigs(RIGS) * STEPS / 2, "%lld steps checked",
              (long long)steps.checked);
}

// ---- Plant --------------------------------------------------------------------------------------

Test(ik_continuity, feet_on_a_field_of_heights)
{
    enum { FIELDS = 200, STEPS = 4000, SIDE = 6 };
    EACH_SEED (n, seed, rigs(FIELDS)) {
        double heights[SIDE * SIDE];
        for (int i = 0; i < SIDE * SIDE; i++)
            heights[i] = between(&seed, 0.0, 0.5);
        const ik_terrain ground = {.columns = SIDE,
                                   .rows = SIDE,
                                   .first_x = -1.5,
                                   .first_z = -1.5,
                                   .step_x = 0.6,
                                   .step_z = 0.6,
                                   .height = heights};
        ik_foot before = {0}, now = {.max_tilt_deg = between(&seed, 5.0, 60.0),
                                     .world_from_leg = dmat3_identity()};
        const ellipse path = random_path(&seed, (dvec3){0}, 1.5);
        for (int k = 0; k <= STEPS; k++) {
            now.ankle = on_path(&path, (double)k / STEPS);
            now.ankle.y = 0.1;
            ik_foot_solve(&ground, &now);
            // Slopes up to 0.5 / 0.6 along both axes, which change by twice that over a cell.
            const double step = dvec3_length(dvec3_sub(now.ankle, before.ankle));
            const double moved =
                fmax(fabs(now.rise - before.rise), rotation_step(now.tilt, before.tilt));
            cr_assert(k == 0 || moved < 6.0 * step + 1e-9,
                      "field %d, step %d: %g while the ankle moves %g m", (int)n, k, moved, step);
            before = now;
        }
    }
}

// ---- Look ---------------------------------------------------------------------------------------

/// Any point one metre from the joint, a target one metre from it.
#define LOOK_FACTOR 10.0

typedef struct look_rig {
    ik_look_at look;
    dvec3 joint[3];
    double share[3], limit[3];
} look_rig;

static void random_look(look_rig *rig, uint64_t n, uint64_t *seed)
{
    *rig = (look_rig){0};
    const uint32_t count = 1 + (uint32_t)(n % 3);
    for (uint32_t i = 0; i < 3; i++) {
        rig->joint[i] = (dvec3){0.0, 0.2 * i, 0.0};
        rig->share[i] = between(seed, 0.1, 1.0);
        rig->limit[i] = between(seed, 5.0, 40.0);
    }
    rig->look = (ik_look_at){.count = count,
                             .joint = rig->joint,
                             .share = rig->share,
                             .eye = {0.0, 0.2 * count, 0.1},
                             .forward = {0.0, between(seed, -0.3, 0.3), 1.0},
                             .fallback_axis = {0.0, 1.0, 0.0},
                             .max_deg = 180.0,
                             .yaw_deg = {180.0, 180.0},
                             .pitch_deg = {180.0, 180.0}};
    switch (n / 3 % 4) {
    case 0: // each bone limited
        rig->look.limit_deg = rig->limit;
        break;
    case 1: // the line of sight, without roll; it does not come near to `up`
        rig->look.up = (dvec3){0.0, 1.0, 0.0};
        rig->look.max_deg = between(seed, 20.0, 60.0);
        break;
    case 2: // to the sides, up and down
        rig->look.up = (dvec3){0.0, 1.0, 0.0};
        for (int k = 0; k < 2; k++) {
            rig->look.yaw_deg[k] = between(seed, 20.0, 100.0);
            rig->look.pitch_deg[k] = between(seed, 10.0, 40.0);
        }
        break;
    default: // the line of sight
        rig->look.max_deg = between(seed, 20.0, 130.0);
    }
}

/// A target anywhere, even straight behind: with limits there is no singularity but joints.
Test(ik_continuity, looks_with_limits)
{
    enum { RIGS = 240, STEPS = 4000 };
    int64_t checked = 0;
    EACH_SEED (n, seed, rigs(RIGS)) {
        look_rig rig;
        random_look(&rig, n, &seed);
        const ellipse path = random_path(&seed, rig.joint[0], 3.0);
        quat before[IK_CHAIN_LIMIT] = {0}, now[IK_CHAIN_LIMIT];
        dvec3 target_before = {0};
        bool skipped = true;
        for (int k = 0; k <= STEPS; k++) {
            rig.look.target = on_path(&path, (double)k / STEPS);
            ik_look_at_solve(&rig.look, now);
            const double d =
                dvec3_length(dvec3_sub(rig.look.target, rig.joint[rig.look.count - 1]));
            const bool skip = d < 1.2;
            const double step = dvec3_length(dvec3_sub(rig.look.target, target_before)) / d;
            for (uint32_t i = 0; i < rig.look.count && !skip && !skipped; i++, checked++)
                cr_assert(rotation_step(before[i], now[i]) < LOOK_FACTOR * step + 1e-9,
                          "rig %d, step %d, bone %u: %g while the target moves %g", (int)n, k, i,
                          rotation_step(before[i], now[i]), step);
            skipped = skip;
            for (uint32_t i = 0; i < rig.look.count; i++)
                before[i] = now[i];
            target_before = rig.look.target;
        }
    }
    cr_assert(checked > (int64_t)rigs(RIGS) * STEPS / 2, "%lld steps checked", (long long)checked);
}
