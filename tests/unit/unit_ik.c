// SPDX-License-Identifier: MIT
/// The solvers of inverse kinematics, as functions of points: against the law of cosines and other
/// definitions with libm in double, and against their own promises for what has no solution.
#include "pose/ik.h"
#include "random_numbers.h"
#include "testing.h"

#define PI      3.14159265358979323846
#define DEGREES (180.0 / PI)

// ---- Random cases -------------------------------------------------------------------------------

static dvec3 random_point(uint64_t *seed, double size)
{
    const double x = between(seed, -size, size), y = between(seed, -size, size);
    return (dvec3){x, y, between(seed, -size, size)};
}

static ik_reach plain_reach(dvec3 root, dvec3 middle, dvec3 end, dvec3 target)
{
    return (ik_reach){.root = root,
                      .middle = middle,
                      .end = end,
                      .target = target,
                      .fallback_hinge = {0.0, 0.0, 1.0},
                      .max_deg = 180.0,
                      .cone_deg = 180.0};
}

static ik_reach random_reach(uint64_t *seed)
{
    const dvec3 root = random_point(seed, 5.0);
    const dvec3 middle =
        dvec3_add(root, dvec3_scale(random_direction(seed), between(seed, 0.2, 1.0)));
    const dvec3 end =
        dvec3_add(middle, dvec3_scale(random_direction(seed), between(seed, 0.2, 1.0)));
    return plain_reach(root, middle, end, root);
}

/// The limb as solved.
typedef struct solved {
    dvec3 first, second, middle, end;
    double interior_deg;
    ik_reach_rotations turns;
} solved;

static double angle_by_libm(dvec3 a, dvec3 b)
{
    return atan2(dvec3_length(dvec3_cross(a, b)), dvec3_dot(a, b)) * DEGREES;
}

static bool is_rotation(quat q)
{
    const double square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return fabs(square - 1.0) < 1e-12;
}

static solved solve(const ik_reach *limb)
{
    solved s = {.turns = ik_reach_solve(limb)};
    s.first = quat_rotate(s.turns.root, dvec3_sub(limb->middle, limb->root));
    s.second = quat_rotate(s.turns.middle, dvec3_sub(limb->end, limb->middle));
    s.middle = dvec3_add(limb->root, s.first);
    s.end = dvec3_add(s.middle, s.second);
    s.interior_deg = 180.0 - angle_by_libm(s.first, s.second);
    cr_assert(is_rotation(s.turns.root) && is_rotation(s.turns.middle));
    return s;
}

static void assert_near(dvec3 a, dvec3 b, double smallest, const char *what, uint64_t seed)
{
    const double off = dvec3_length(dvec3_sub(a, b));
    cr_assert(off <= smallest, "%s: %g off, seed %llu", what, off, (unsigned long long)seed);
}

// ---- Turns --------------------------------------------------------------------------------------

Test(ik, rotations_match_their_definition)
{
    EACH_SEED (n, seed, 2000) {
        const dvec3 a = random_direction(&seed), b = random_direction(&seed);
        const dvec3 p = random_point(&seed, 3.0);
        const double degrees = between(&seed, -179.0, 179.0), radians = degrees / DEGREES;
        assert_near(quat_rotate(quat_between(a, b, a), a), b, 1e-14, "between", n);
        // Rodrigues' formula.
        const dvec3 want = dvec3_add(
            dvec3_add(dvec3_scale(p, cos(radians)), dvec3_scale(dvec3_cross(a, p), sin(radians))),
            dvec3_scale(a, dvec3_dot(a, p) * (1.0 - cos(radians))));
        assert_near(quat_rotate(quat_from_axis_deg(a, degrees), p), want, 1e-14, "about degrees",
                    n);
        assert_near(quat_rotate(quat_from_axis(a, 7.0 * cos(radians), 7.0 * sin(radians)), p), want,
                    1e-14, "about", n);
        cr_assert(fabs(dvec3_angle_deg(a, b) - angle_by_libm(a, b)) < 1e-12);
        const quat q = quat_multiply(quat_from_axis_deg(a, degrees), quat_between(a, b, a));
        assert_near(
            quat_rotate(q, p),
            quat_rotate(quat_from_axis_deg(a, degrees), quat_rotate(quat_between(a, b, a), p)),
            1e-14, "product", n);
        assert_near(quat_rotate(quat_conjugate(q), quat_rotate(q, p)), p, 1e-14, "back", n);
    }
}

Test(ik, opposite_directions_rotate_about_the_spare_axis)
{
    const dvec3 z = {0.0, 0.0, 1.0}, back = {0.0, 0.0, -1.0}, y = {0.0, 1.0, 0.0};
    const quat q = quat_between(z, back, (dvec3){0.0, 2.0, 5.0});
    assert_near(quat_rotate(q, z), back, 1e-15, "turned", 0);
    assert_near(quat_rotate(q, y), y, 1e-15, "about y", 0);
    const quat none = quat_between((dvec3){0}, y, z);
    cr_assert(none.x == 0.0 && none.y == 0.0 && none.z == 0.0 && none.w == 1.0);
}

Test(ik, axes_give_their_rotation_without_scale_and_mirror)
{
    EACH_SEED (n, seed, 500) {
        const quat q = quat_from_axis_deg(random_direction(&seed), between(&seed, -180.0, 180.0));
        const double mirror = n % 2 ? -1.0 : 1.0;
        const dvec3 x = quat_rotate(q, (dvec3){1.0, 0.0, 0.0});
        const dvec3 y = quat_rotate(q, (dvec3){0.0, 1.0, 0.0});
        const dvec3 z = quat_rotate(q, (dvec3){0.0, 0.0, 1.0});
        quat got;
        cr_assert(
            quat_from_axes(&(dmat3){dvec3_scale(x, 3.0 * mirror), dvec3_scale(y, 0.2 * mirror),
                                    dvec3_scale(z, 1e-9 * mirror)},
                           &got));
        const dvec3 p = random_point(&seed, 1.0);
        assert_near(quat_rotate(got, p), quat_rotate(q, p), 1e-14, "rotation", n);
        cr_assert(!quat_from_axes(&(dmat3){x, x, z}, &got) &&
                  !quat_from_axes(&(dmat3){x, y, x}, &got));
        cr_assert(!quat_from_axes(&(dmat3){.y = y, .z = z}, &got));
    }
}

// ---- Reach --------------------------------------------------------------------------------------

Test(ik, reach_meets_the_law_of_cosines)
{
    EACH_SEED (n, seed, 5000) {
        ik_reach limb = random_reach(&seed);
        const double a = dvec3_length(dvec3_sub(limb.middle, limb.root));
        const double b = dvec3_length(dvec3_sub(limb.end, limb.middle));
        const double d = between(&seed, fabs(a - b) * 1.001 + 1e-3, (a + b) * 0.999);
        limb.target = dvec3_add(limb.root, dvec3_scale(random_direction(&seed), d));
        if (n % 2)
            limb.pole = random_direction(&seed);
        const solved s = solve(&limb);
        assert_near(s.end, limb.target, 1e-12, "end", n);
        const double want = acos((a * a + b * b - d * d) / (2.0 * a * b)) * DEGREES;
        cr_assert(fabs(s.interior_deg - want) < 1e-6, "%g for %g", s.interior_deg, want);
        if (n % 2 == 0)
            continue;
        dvec3 line = dvec3_sub(limb.target, limb.root), side, pole;
        dvec3_normalize(&line, 0.0);
        side = dvec3_reject(s.first, line);
        pole = dvec3_reject(limb.pole, line);
        if (dvec3_length(pole) > 1e-3 && dvec3_length(side) > 1e-3)
            cr_assert(angle_by_libm(side, pole) < 1e-6, "pole: %g", angle_by_libm(side, pole));
    }
}

Test(ik, hinge_is_the_only_axis_of_the_middle_joint)
{
    EACH_SEED (n, seed, 5000) {
        ik_reach limb = random_reach(&seed);
        limb.hinge = random_direction(&seed);
        limb.target = dvec3_add(limb.root, random_point(&seed, 1.5));
        if (n % 2)
            limb.pole = random_direction(&seed);
        const dvec3 first = dvec3_sub(limb.middle, limb.root),
                    second = dvec3_sub(limb.end, limb.middle);
        const double along = dvec3_dot(first, limb.hinge) * dvec3_dot(second, limb.hinge);
        const double across = dvec3_length(dvec3_reject(first, limb.hinge)) *
                              dvec3_length(dvec3_reject(second, limb.hinge));
        if (across < 1e-2 * dvec3_length(first) * dvec3_length(second))
            continue;
        const solved s = solve(&limb);
        const quat own = quat_multiply(quat_conjugate(s.turns.root), s.turns.middle);
        assert_near(quat_rotate(own, limb.hinge), limb.hinge, 1e-12, "hinge", n);
        // The bend has the hinge's right hand, and reaches what it can of the target.
        const dvec3 bent = quat_rotate(own, second);
        cr_assert(dvec3_dot(limb.hinge, dvec3_cross(first, bent)) > -1e-7);
        const double sum = dvec3_dot(first, first) + dvec3_dot(second, second) + 2.0 * along;
        const double want = fmin(fmax(dvec3_length(dvec3_sub(limb.target, limb.root)),
                                      sqrt(fmax(sum - 2.0 * across, 0.0))),
                                 sqrt(sum + 2.0 * across));
        const double got = dvec3_length(dvec3_sub(s.end, limb.root));
        cr_assert(fabs(got - want) < 1e-7, "seed %d: %.12g for %.12g", (int)n, got, want);
        if (got > 1e-3)
            cr_assert(angle_by_libm(dvec3_sub(s.end, limb.root),
                                    dvec3_sub(limb.target, limb.root)) < 1e-5);
    }
}

Test(ik, soft_limit_has_no_kink_and_never_overshoots)
{
    static const double softs[] = {0.0, 0.01, 0.1, 0.5, 1.0};
    for (size_t i = 0; i < sizeof softs / sizeof softs[0]; i++) {
        const double largest = 2.0, soft = softs[i], span = largest * soft;
        double before = 0.0, slope_before = 1.0;
        for (int k = 1; k <= 40000; k++) {
            const double d = k * 1e-4;
            const double got = ik_soft_distance(d, 0.0, largest, soft);
            const double want = d <= largest - span ? d
                                : span > 0.0 ? largest - span * exp(-(d - (largest - span)) / span)
                                             : largest;
            cr_assert(fabs(got - want) < 1e-13 && got <= largest && got >= before);
            const double slope = (got - before) / 1e-4;
            if (soft >= 0.01)
                cr_assert(fabs(slope - slope_before) < 1.01 * 1e-4 / span + 1e-9);
            before = got;
            slope_before = slope;
        }
    }
    cr_assert(ik_soft_distance(0.1, 0.5, 2.0, 0.1) == 0.5);
    cr_assert(ik_soft_distance(9.0, 2.0, 2.0, 1.0) == 2.0);
}

Test(ik, full_extension_is_passed_without_a_snap)
{
    // A target leaves at 1 m/s from well within reach. With the soft limit the joint angles move
    // no faster near full extension than this; without it the speed grows without bound.
    ik_reach limb =
        plain_reach((dvec3){0}, (dvec3){0.5, 0.0, 0.0}, (dvec3){0.9, 0.1, 0.0}, (dvec3){0});
    limb.pole = (dvec3){0.0, 0.0, -1.0};
    double fastest[2] = {0.0, 0.0};
    for (int soft = 0; soft < 2; soft++) {
        double before = 0.0;
        limb.soft = soft ? 0.05 : 0.0;
        for (int k = 0; k <= 20000; k++) {
            limb.target = (dvec3){0.5 + k * 5e-5, 0.2, 0.1};
            const double angle = solve(&limb).interior_deg;
            if (k > 0)
                fastest[soft] = fmax(fastest[soft], fabs(angle - before) / 5e-5);
            before = angle;
        }
        cr_assert(before > 179.0 || soft, "straight at the end: %g", before);
    }
    cr_assert(fastest[1] < 400.0, "%g degrees per metre", fastest[1]);
    cr_assert(fastest[0] > 2.0 * fastest[1], "%g", fastest[0]);
}

Test(ik, elbow_keeps_its_angles)
{
    EACH_SEED (n, seed, 3000) {
        ik_reach limb = random_reach(&seed);
        limb.min_deg = between(&seed, 0.0, 100.0);
        limb.max_deg = between(&seed, limb.min_deg, 180.0);
        limb.target = dvec3_add(limb.root, random_point(&seed, 2.0));
        if (n % 3 == 0) {
            limb.cone_axis = random_direction(&seed);
            limb.cone_deg = between(&seed, 5.0, 170.0);
        }
        limb.soft = n % 2 ? 0.05 : 0.0;
        const double got = solve(&limb).interior_deg;
        // The law of cosines loses half the digits at 0 and 180.
        cr_assert(got > limb.min_deg - 1e-5 && got < limb.max_deg + 1e-5, "seed %d: %g in %g..%g",
                  (int)n, got, limb.min_deg, limb.max_deg);
    }
}

Test(ik, shoulder_stays_in_its_cone_and_reaches_when_it_can)
{
    int reached = 0, kept_out = 0;
    EACH_SEED (n, seed, 3000) {
        ik_reach limb = random_reach(&seed);
        const double a = dvec3_length(dvec3_sub(limb.middle, limb.root));
        const double b = dvec3_length(dvec3_sub(limb.end, limb.middle));
        const double d = between(&seed, fabs(a - b) + 0.05, (a + b) * 0.98);
        const dvec3 line = random_direction(&seed);
        limb.target = dvec3_add(limb.root, dvec3_scale(line, d));
        limb.pole = random_direction(&seed);
        limb.cone_axis = random_direction(&seed);
        limb.cone_deg = between(&seed, 5.0, 120.0);
        const solved s = solve(&limb);
        cr_assert(angle_by_libm(s.first, limb.cone_axis) < limb.cone_deg + 1e-6, "seed %d", (int)n);
        // By trying: the first bone anywhere on its circle about the line.
        const double lean = acos((a * a + d * d - b * b) / (2.0 * a * d)) * DEGREES;
        const dvec3 off = dvec3_perpendicular(line, limb.pole);
        const dvec3 start = quat_rotate(quat_from_axis_deg(off, lean), line);
        double best = 180.0;
        for (int k = 0; k < 720; k++)
            best = fmin(best, angle_by_libm(quat_rotate(quat_from_axis_deg(line, k * 0.5), start),
                                            limb.cone_axis));
        if (best < limb.cone_deg - 0.01) {
            assert_near(s.end, limb.target, 1e-6, "inside the cone", n);
            reached++;
        } else if (best > limb.cone_deg + 0.01) {
            // The second bone does its best: it points at the target.
            cr_assert(angle_by_libm(s.second, dvec3_sub(limb.target, s.middle)) < 1e-5, "seed %d",
                      (int)n);
            kept_out++;
        }
    }
    cr_assert(reached > 500 && kept_out > 500, "%d %d", reached, kept_out);
}

/// A target goes up past where an arm in its cone can follow it. The first bone is quick there, for
/// it circles by an arc cosine, but sixteen times as many steps are each a good deal shorter: there
/// is no jump. And past it the bone is the one at the cone's edge that is nearest to the circle.
Test(ik, the_edge_of_the_cone_is_passed_without_a_jump)
{
    ik_reach limb =
        plain_reach((dvec3){0}, (dvec3){0.0, -0.3, 0.0}, (dvec3){0.0, -0.55, 0.01}, (dvec3){0});
    limb.pole = (dvec3){-1.0, 0.0, -1.0};
    limb.cone_axis = (dvec3){0.0, -1.0, 0.0};
    limb.cone_deg = 50.0;
    double longest[2] = {0.0, 0.0};
    int outside = 0;
    for (int fine = 0; fine < 2; fine++) {
        const int steps = fine ? 16 * 500 : 500;
        solved before = solve(&limb);
        for (int k = 0; k <= steps; k++) {
            const double part = (double)k / steps;
            limb.target = (dvec3){-0.15 - 0.15 * part, -0.4 + 1.1 * part, 0.25 - 0.1 * part};
            const solved s = solve(&limb);
            const double angle = angle_by_libm(s.first, limb.cone_axis);
            cr_assert(angle < 50.0 + 1e-6);
            if (k > 0)
                longest[fine] =
                    fmax(longest[fine], fmax(dvec3_length(dvec3_sub(s.middle, before.middle)),
                                             dvec3_length(dvec3_sub(s.end, before.end))));
            before = s;
            if (dvec3_length(dvec3_sub(s.end, limb.target)) < 1e-3)
                continue;
            // In the plane of the line and the cone's axis: nothing on the edge is nearer to both.
            const dvec3 across = dvec3_cross(limb.target, limb.cone_axis);
            cr_assert(fabs(dvec3_dot(s.first, across)) < 1e-6 * dvec3_length(across));
            outside++;
        }
    }
    cr_assert(outside > 1000, "%d", outside);
    cr_assert(longest[1] < 0.4 * longest[0], "%g m, then %g m", longest[0], longest[1]);
}

Test(ik, reach_of_nothing_is_defined)
{
    const dvec3 o = {0.0, 0.0, 0.0}, x = {1.0, 0.0, 0.0}, xx = {2.0, 0.0, 0.0};
    const dvec3 y = {0.0, 1.0, 0.0};
    // A straight limb without pole and hinge bends about the spare axis, z: the elbow to -y.
    ik_reach limb = plain_reach(o, x, xx, (dvec3){1.2, 0.0, 0.0});
    solved s = solve(&limb);
    assert_near(s.end, limb.target, 1e-12, "straight", 0);
    cr_assert(s.middle.y < -0.5 && fabs(s.middle.z) < 1e-12);
    // On the root: as near as the bones allow, in its direction; all the way, equally long.
    limb.target = o;
    s = solve(&limb);
    assert_near(s.end, o, 1e-6, "on the root", 0);
    limb.min_deg = 60.0;
    s = solve(&limb);
    assert_near(s.end, x, 1e-9, "on the root, elbow open", 0);
    // No first or no second bone: one bone that points.
    limb = plain_reach(o, o, x, (dvec3){0.0, 5.0, 0.0});
    assert_near(solve(&limb).end, y, 1e-12, "no first bone", 0);
    limb = plain_reach(o, x, x, (dvec3){0.0, 5.0, 0.0});
    assert_near(solve(&limb).end, y, 1e-12, "no second bone", 0);
    // No bones at all, and a pole along the line.
    limb = plain_reach(o, o, o, y);
    assert_near(solve(&limb).end, o, 0.0, "no bones", 0);
    limb = plain_reach(o, x, (dvec3){1.0, 1.0, 0.0}, xx);
    const solved without = solve(&limb);
    limb.pole = x;
    assert_near(solve(&limb).middle, without.middle, 0.0, "pole along the line", 0);
    // Straight, with a pole: the elbow goes there.
    limb = plain_reach(o, x, xx, (dvec3){1.5, 0.0, 0.0});
    limb.pole = (dvec3){0.3, 0.0, 2.0};
    s = solve(&limb);
    cr_assert(s.middle.z > 0.5 && fabs(s.middle.y) < 1e-12);
    // The opposite direction: half a turn in the plane of the hinge.
    limb = plain_reach(o, x, (dvec3){1.0, 1.0, 0.0}, (dvec3){-1.0, -1.0, 0.0});
    s = solve(&limb);
    assert_near(s.end, limb.target, 1e-12, "behind", 0);
    cr_assert(fabs(s.middle.z) < 1e-12);
}

/// Limbs within a thousandth of straight, bent to either side: what says where the elbow goes says
/// it for both, so that a clip which straightens a limb makes no jump.
Test(ik, nearly_straight_limbs_bend_towards_the_pole)
{
    const dvec3 o = {0.0, 0.0, 0.0}, x = {1.0, 0.0, 0.0}, target = {1.6, 0.0, 0.0};
    static const double bends[] = {-2e-3, -5e-4, -1e-9, 0.0, 1e-9, 5e-4, 2e-3};
    for (size_t i = 0; i < sizeof bends / sizeof bends[0]; i++) {
        const dvec3 end = {1.0 + cos(bends[i]), sin(bends[i]), 0.0};
        // A hinge along z bends with the right hand: the elbow goes to -y, however it was posed.
        ik_reach limb = plain_reach(o, x, end, target);
        limb.hinge = (dvec3){0.0, 0.0, 1.0};
        solved s = solve(&limb);
        assert_near(s.end, target, 1e-9, "hinge", i);
        cr_assert(s.middle.y < -0.5 && fabs(s.middle.z) < 1e-9, "%g", bends[i]);
        // A pole does the same without a hinge.
        limb = plain_reach(o, x, end, target);
        limb.pole = (dvec3){0.0, 0.6, 0.8};
        s = solve(&limb);
        assert_near(s.end, target, 1e-9, "pole", i);
        const dvec3 side = dvec3_reject(s.middle, x);
        cr_assert(fabs(side.y - 0.6 * dvec3_length(side)) < 1e-9 && side.z > 0.4, "%g", bends[i]);
        // With neither, joints that float numbers cannot tell from straight ones bend about the
        // spare axis, as straight ones do; bent ones keep the side to which they are bent.
        limb = plain_reach(o, x, end, target);
        s = solve(&limb);
        assert_near(s.end, target, 1e-9, "neither", i);
        cr_assert(bends[i] <= -1e-3 ? s.middle.y > 0.5 : s.middle.y < -0.5, "%g", bends[i]);
    }
}

/// From which share of the limb on a bone has a direction: 1e-6, on both sides.
Test(ik, bones_of_nearly_no_length)
{
    const dvec3 o = {0.0, 0.0, 0.0}, target = {0.0, 0.6, 0.0};
    for (int which = 0; which < 2; which++) {
        static const double lengths[] = {0.0, 1e-300, 0.9e-6, 1.1e-6, 1e-5};
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            // Bent by a right angle at its middle.
            const double a = which ? 1.0 : lengths[i], b = which ? lengths[i] : 1.0;
            const ik_reach limb = plain_reach(o, (dvec3){a, 0.0, 0.0}, (dvec3){a, b, 0.0}, target);
            const solved s = solve(&limb);
            const bool one_bone = lengths[i] < 1e-6;
            const dvec3 posed = limb.end, solved_end = s.end;
            // One bone is turned as it is; two are bent first, to come nearest: 1 - the length.
            NEAR(dvec3_length(solved_end), one_bone ? dvec3_length(posed) : 1.0 - lengths[i], 1e-12,
                 "%g", lengths[i]);
            cr_assert(fabs(solved_end.x) < 1e-9 && solved_end.y > 0.9 && fabs(solved_end.z) < 1e-9,
                      "%g", lengths[i]);
        }
    }
}

// ---- Look and aim -------------------------------------------------------------------------------

typedef struct look_case {
    ik_look_at chain;
    dvec3 joint[4];
    double share[4], limit[4];
    quat out[IK_CHAIN_LIMIT];
} look_case;

static void random_look(look_case *c, uint64_t *seed, uint32_t count)
{
    *c = (look_case){0};
    for (uint32_t i = 0; i < count; i++) {
        const dvec3 step = {between(seed, -0.1, 0.1), between(seed, 0.1, 0.5),
                            between(seed, -0.1, 0.1)};
        c->joint[i] = i > 0 ? dvec3_add(c->joint[i - 1], step) : random_point(seed, 3.0);
        c->share[i] = between(seed, 0.1, 1.0);
        c->limit[i] = 180.0;
    }
    c->chain = (ik_look_at){.count = count,
                            .joint = c->joint,
                            .share = c->share,
                            .eye = dvec3_add(c->joint[count - 1], random_point(seed, 0.1)),
                            .forward = random_direction(seed),
                            .fallback_axis = {0.0, 1.0, 0.0},
                            .max_deg = 180.0};
    c->chain.target = dvec3_add(c->joint[count - 1],
                                dvec3_scale(random_direction(seed), between(seed, 1.5, 9.0)));
}

/// The chain as solved: where the eye is and looks to.
static void turned_sight(const look_case *c, dvec3 *out_eye, dvec3 *out_forward)
{
    const uint32_t last = c->chain.count - 1;
    dvec3 at = c->joint[0];
    for (uint32_t i = 0; i < last; i++)
        at = dvec3_add(at, quat_rotate(c->out[i], dvec3_sub(c->joint[i + 1], c->joint[i])));
    *out_eye = dvec3_add(at, quat_rotate(c->out[last], dvec3_sub(c->chain.eye, c->joint[last])));
    *out_forward = quat_rotate(c->out[last], c->chain.forward);
}

Test(ik, chains_look_at_their_target)
{
    EACH_SEED (n, seed, 4000) {
        look_case c;
        random_look(&c, &seed, 1 + (uint32_t)(n % 4));
        ik_look_at_solve(&c.chain, c.out);
        dvec3 eye, forward;
        turned_sight(&c, &eye, &forward);
        const double off = angle_by_libm(forward, dvec3_sub(c.chain.target, eye));
        cr_assert(off < 1e-9, "seed %d: %g degrees off", (int)n, off);
        for (uint32_t i = 0; i < c.chain.count; i++)
            cr_assert(is_rotation(c.out[i]));
    }
}

Test(ik, bones_of_a_chain_rotate_by_their_shares)
{
    // All joints and the eye in one place: the parts add up about one axis.
    EACH_SEED (n, seed, 1000) {
        look_case c;
        random_look(&c, &seed, 4);
        for (int i = 1; i < 4; i++)
            c.joint[i] = c.joint[0];
        c.chain.eye = c.joint[0];
        c.chain.target = dvec3_add(c.joint[0], random_direction(&seed));
        ik_look_at_solve(&c.chain, c.out);
        const double whole = angle_by_libm(c.chain.forward, dvec3_sub(c.chain.target, c.joint[0]));
        double sum = 0.0, all = 0.0;
        for (int i = 0; i < 4; i++)
            all += c.share[i];
        for (int i = 0; i < 4; i++) {
            sum += c.share[i] / all;
            const double got =
                angle_by_libm(c.chain.forward, quat_rotate(c.out[i], c.chain.forward));
            cr_assert(fabs(got - whole * sum) < 1e-9, "%g for %g", got, whole * sum);
        }
    }
}

Test(ik, looks_stay_in_their_limits)
{
    EACH_SEED (n, seed, 2000) {
        look_case c;
        random_look(&c, &seed, 1 + (uint32_t)(n % 3));
        c.chain.max_deg = between(&seed, 10.0, 120.0);
        // With the eye on the joint and one bone the limit is that of the line itself.
        if (c.chain.count == 1) {
            c.chain.eye = c.joint[0];
            ik_look_at_solve(&c.chain, c.out);
            const double asked =
                angle_by_libm(c.chain.forward, dvec3_sub(c.chain.target, c.joint[0]));
            const double got =
                angle_by_libm(c.chain.forward, quat_rotate(c.out[0], c.chain.forward));
            const double want = fmin(fmin(asked, c.chain.max_deg),
                                     fmax(c.chain.max_deg * (180.0 - asked) / 45.0, 0.0));
            cr_assert(fabs(got - want) < 1e-9, "%g for %g", got, want);
            continue;
        }
        c.chain.limit_deg = c.limit;
        for (int i = 0; i < 4; i++)
            c.limit[i] = between(&seed, 0.0, 30.0);
        ik_look_at_solve(&c.chain, c.out);
        quat before = quat_identity();
        for (uint32_t i = 0; i < c.chain.count; i++) {
            const quat own = quat_multiply(c.out[i], quat_conjugate(before));
            const double angle =
                2.0 * atan2(sqrt(own.x * own.x + own.y * own.y + own.z * own.z), fabs(own.w));
            cr_assert(angle * DEGREES < c.limit[i] + 1e-9);
            before = c.out[i];
        }
    }
}

Test(ik, a_target_that_passes_behind_makes_no_jump)
{
    look_case c;
    uint64_t seed = 3;
    random_look(&c, &seed, 1);
    c.joint[0] = c.chain.eye = (dvec3){0.0, 1.5, 0.0};
    c.chain.forward = (dvec3){0.0, 0.0, 1.0};
    c.chain.max_deg = 70.0;
    dvec3 before = c.chain.forward;
    for (int k = 0; k <= 36000; k++) {
        const double at = k * 0.01 / DEGREES;
        c.chain.target = (dvec3){2.0 * sin(at), 1.6, 2.0 * cos(at)};
        ik_look_at_solve(&c.chain, c.out);
        const dvec3 forward = quat_rotate(c.out[0], c.chain.forward);
        if (k > 0) // the target passes 2 m behind at 0.1 m height: steep, but no jump
            cr_assert(angle_by_libm(before, forward) < 0.2, "%d: %g", k,
                      angle_by_libm(before, forward));
        before = forward;
    }
}

Test(ik, looks_at_nothing_are_defined)
{
    look_case c;
    uint64_t seed = 5;
    random_look(&c, &seed, 1);
    c.chain.target = c.chain.eye = c.joint[0]; // on the joint: nothing turns
    ik_look_at_solve(&c.chain, c.out);
    cr_assert(c.out[0].w == 1.0);
    random_look(&c, &seed, 2);
    c.chain.forward = (dvec3){0};
    ik_look_at_solve(&c.chain, c.out);
    cr_assert(c.out[0].w == 1.0 && c.out[1].w == 1.0);
    // Nearer than the line of sight comes: its nearest point is turned to the target.
    random_look(&c, &seed, 1);
    c.joint[0] = (dvec3){0};
    c.chain.eye = (dvec3){0.0, 0.1, 0.0};
    c.chain.forward = (dvec3){0.0, 0.0, 1.0};
    c.chain.target = (dvec3){0.05, 0.0, 0.0};
    ik_look_at_solve(&c.chain, c.out);
    assert_near(quat_rotate(c.out[0], c.chain.eye), (dvec3){0.1, 0.0, 0.0}, 1e-12, "too near", 0);
}

Test(ik, a_roll_brings_up_to_up)
{
    EACH_SEED (n, seed, 2000) {
        const dvec3 axis = random_direction(&seed), mine = random_direction(&seed);
        const dvec3 up = random_direction(&seed);
        const quat q = ik_roll(axis, mine, up);
        assert_near(quat_rotate(q, axis), axis, 1e-14, "axis", n);
        // Up to the plane of the axis and `up`, on the side of `up`.
        const dvec3 got = quat_rotate(q, mine), plane = dvec3_cross(axis, up);
        if (dvec3_length(plane) > 1e-3 && dvec3_length(dvec3_cross(axis, mine)) > 1e-3) {
            cr_assert(fabs(dvec3_dot(got, plane)) < 1e-12);
            cr_assert(dvec3_dot(dvec3_reject(got, axis), up) > 0.0);
        }
    }
    const dvec3 x = {1.0, 0.0, 0.0}, y = {0.0, 1.0, 0.0};
    cr_assert(ik_roll(x, y, x).w == 1.0 && ik_roll(x, x, y).w == 1.0);
}

// ---- Feet ---------------------------------------------------------------------------------------

Test(ik, ground_heights_are_those_of_the_plane_or_field)
{
    static const double heights[] = {0.0, 1.0, 3.0, 2.0, -1.0, 0.5};
    const ik_terrain field = {.columns = 3,
                              .rows = 2,
                              .first_x = -1.0,
                              .first_z = 2.0,
                              .step_x = 0.5,
                              .step_z = 2.0,
                              .height = heights};
    double height;
    dvec3 normal;
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 3; k++) {
            ik_terrain_evaluate(&field, -1.0 + 0.5 * k, 2.0 + 2.0 * r, &height, &normal);
            cr_assert(fabs(height - heights[r * 3 + k]) < 1e-15);
        }
    ik_terrain_evaluate(&field, -0.75, 3.0, &height, &normal);
    cr_assert(fabs(height - 0.5) < 1e-15, "the middle of four: %g", height);
    ik_terrain_evaluate(&field, 99.0, -99.0, &height, &normal);
    cr_assert(height == 3.0 && normal.y == 1.0, "held outside");
    // Normals are across the differences over a whole step of each axis, held outside, too: at
    // (-1, 3) (0.5 - 1) / 0.5 and (2 - 0) / 2; at (-0.25, 2.5) 1.875 / 0.5 and (0.3125 - 2) / 2.
    static const struct {
        double x, z, height;
        dvec3 way;
    } points[] = {{-1.0, 3.0, 1.0, {1.0, 1.0, -1.0}}, {-0.25, 2.5, 1.4375, {-3.75, 1.0, 0.84375}}};
    for (int i = 0; i < 2; i++) {
        ik_terrain_evaluate(&field, points[i].x, points[i].z, &height, &normal);
        assert_near(dvec3_scale(normal, dvec3_length(points[i].way)), points[i].way, 1e-14, "n", 0);
        cr_assert(fabs(height - points[i].height) < 1e-15);
    }
    EACH_SEED (n, seed, 1000) {
        dvec3 up = random_direction(&seed);
        up.y = fabs(up.y) + 0.1;
        const ik_terrain plane = {.point = random_point(&seed, 5.0), .normal = up};
        const dvec3 at = random_point(&seed, 5.0);
        ik_terrain_evaluate(&plane, at.x, at.z, &height, &normal);
        const dvec3 on = {at.x, height, at.z};
        cr_assert(fabs(dvec3_dot(dvec3_sub(on, plane.point), up)) < 1e-11);
        cr_assert(fabs(dvec3_length(normal) - 1.0) < 1e-12);
    }
}

Test(ik, feet_stand_on_slopes)
{
    EACH_SEED (n, seed, 2000) {
        dvec3 up = random_direction(&seed);
        up.y = fabs(up.y) + 0.8; // at most 51 degrees
        dvec3_normalize(&up, 0.0);
        const ik_terrain plane = {.point = random_point(&seed, 2.0), .normal = up};
        ik_foot foot = {.ankle = random_point(&seed, 2.0),
                        .floor = -3.0,
                        .max_tilt_deg = 60.0,
                        .world_from_leg = dmat3_identity()};
        ik_foot_solve(&plane, &foot);
        const dvec3 sole = {0.0, -(foot.ankle.y + 3.0), 0.0}; // on the floor, below the ankle
        const dvec3 ankle = {foot.ankle.x, foot.ankle.y + foot.rise, foot.ankle.z};
        const dvec3 stands = dvec3_add(ankle, quat_rotate(foot.tilt, sole));
        cr_assert(fabs(dvec3_dot(dvec3_sub(stands, plane.point), up)) < 1e-9,
                  "off the ground by %g", dvec3_dot(dvec3_sub(stands, plane.point), up));
        foot.max_tilt_deg = 10.0;
        ik_foot_solve(&plane, &foot);
        const dvec3 y = {0.0, 1.0, 0.0};
        cr_assert(angle_by_libm(quat_rotate(foot.tilt, y), y) <=
                  fmin(10.0, angle_by_libm(up, y)) + 1e-9);
    }
    const ik_foot feet[2] = {{.rise = 0.3}, {.rise = -0.2}};
    cr_assert(ik_pelvis_rise(feet, 2, 1.0, 1.0) == -0.2);
    cr_assert(ik_pelvis_rise(feet, 2, 0.1, 1.0) == -0.1);
    cr_assert(ik_pelvis_rise(feet, 1, 0.1, 1.0) == 0.3);
    cr_assert(ik_pelvis_rise(feet, 1, 0.1, 0.0) == 0.0);
}

// ---- Anything -----------------------------------------------------------------------------------

/// Numbers of every size, zeros and repeats.
static double any_number(uint64_t *seed)
{
    static const double kinds[] = {0.0, 1.0, -1.0, 1e-30, 1e-7, 1e9, -1e9, 1e38, -1e38, 1e-45};
    const double pick = between(seed, 0.0, 20.0);
    return pick < 10.0 ? kinds[(int)pick] : between(seed, -2.0, 2.0);
}

static dvec3 any_point(uint64_t *seed)
{
    const double x = any_number(seed), y = any_number(seed);
    return (dvec3){x, y, any_number(seed)};
}

Test(ik, every_finite_input_gives_a_rotation)
{
    EACH_SEED (n, seed, 200000) {
        ik_reach limb =
            plain_reach(any_point(&seed), any_point(&seed), any_point(&seed), any_point(&seed));
        if (n % 5 == 0)
            limb.middle = limb.root;
        if (n % 7 == 0)
            limb.end = limb.middle;
        if (n % 11 == 0)
            limb.target = limb.root;
        limb.hinge = n % 2 ? any_point(&seed) : (dvec3){0};
        limb.fallback_hinge = any_point(&seed);
        limb.pole = n % 3 ? any_point(&seed) : (dvec3){0};
        limb.soft = between(&seed, 0.0, 1.0);
        limb.min_deg = between(&seed, 0.0, 180.0);
        limb.max_deg = between(&seed, limb.min_deg, 180.0);
        limb.cone_axis = any_point(&seed);
        limb.cone_deg = between(&seed, 0.0, 180.0);
        const ik_reach_rotations turns = ik_reach_solve(&limb);
        cr_assert(is_rotation(turns.root) && is_rotation(turns.middle), "reach, seed %d", (int)n);
        if (n % 8 == 0) {
            const dmat3 frame = {any_point(&seed), any_point(&seed), any_point(&seed)};
            const ik_reach_rotations sheared = ik_reach_solve_sheared(&limb, &frame);
            cr_assert(is_rotation(sheared.root) && is_rotation(sheared.middle), "sheared, seed %d",
                      (int)n);
        }

        dvec3 joint[3];
        double share[3] = {0.0, between(&seed, 0.0, 1.0), n % 2 ? 1.0 : 0.0};
        for (int i = 0; i < 3; i++)
            joint[i] = any_point(&seed);
        const ik_look_at look = {
            .count = 3,
            .joint = joint,
            .share = share,
            .eye = any_point(&seed),
            .forward = any_point(&seed),
            .target = any_point(&seed),
            .fallback_axis = any_point(&seed),
            .max_deg = between(&seed, 0.0, 180.0),
            .up = n % 2 ? any_point(&seed) : (dvec3){0},
            .yaw_deg = {between(&seed, 0.0, 180.0), between(&seed, 0.0, 180.0)},
            .pitch_deg = {between(&seed, 0.0, 180.0), between(&seed, 0.0, 180.0)}};
        quat out[IK_CHAIN_LIMIT];
        ik_look_at_solve(&look, out);
        for (int i = 0; i < 3; i++)
            cr_assert(is_rotation(out[i]), "look, seed %d", (int)n);
        cr_assert(is_rotation(ik_roll(look.eye, look.forward, look.target)));

        const ik_terrain ground = {.point = any_point(&seed), .normal = any_point(&seed)};
        ik_foot foot = {.ankle = any_point(&seed),
                        .floor = any_number(&seed),
                        .max_tilt_deg = between(&seed, 0.0, 80.0),
                        .world_from_leg = {any_point(&seed), any_point(&seed), any_point(&seed)}};
        ik_foot_solve(&ground, &foot);
        cr_assert(is_rotation(foot.tilt) && isfinite(foot.rise), "foot, seed %d", (int)n);
    }
}
