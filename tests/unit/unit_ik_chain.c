// SPDX-License-Identifier: MIT
/// Chains of bones: goals met, bones that keep their lengths, limits kept, and no jumps.
#include "pose/ik.h"
#include "random_paths.h"

enum { BONES = 10 };

typedef struct rig {
    ik_chain chain;
    dvec3 joint[BONES + 1];
    double limit[BONES], length[BONES], whole;
} rig;

/// 3 to 10 bones, each bent by up to `bend_deg` against the one before.
static void random_rig(rig *out, uint64_t *seed, double bend_deg)
{
    *out = (rig){.chain = {.count = 3 + (uint32_t)between(seed, 0.0, 7.999),
                           .fallback_axis = {0.0, 0.0, 1.0},
                           .iterations = 48}};
    dvec3 direction = random_direction(seed);
    for (uint32_t k = 0; k < out->chain.count; k++) {
        out->length[k] = between(seed, 0.1, 0.3);
        out->whole += out->length[k];
        out->limit[k] = between(seed, 35.0, 80.0);
        out->joint[k + 1] = dvec3_add(out->joint[k], dvec3_scale(direction, out->length[k]));
        const dvec3 axis = dvec3_perpendicular(direction, random_direction(seed));
        direction = quat_rotate(quat_from_axis_deg(axis, between(seed, 0.0, bend_deg)), direction);
    }
    out->chain.joint = out->joint;
    out->chain.soft = between(seed, 0.03, 0.1);
}

static void solve(const rig *r, dvec3 *joint)
{
    quat rotation[BONES];
    ik_chain_solve(&r->chain, rotation);
    joint[0] = r->joint[0];
    for (uint32_t k = 0; k < r->chain.count; k++)
        joint[k + 1] =
            dvec3_add(joint[k], quat_rotate(rotation[k], dvec3_sub(r->joint[k + 1], r->joint[k])));
}

/// The largest movement of any joint.
static double movement(const rig *r, const dvec3 *before, const dvec3 *now)
{
    double most = 0.0;
    for (uint32_t k = 0; k <= r->chain.count; k++)
        most = fmax(most, dvec3_length(dvec3_sub(now[k], before[k])));
    return most;
}

/// Joints move at most so many times as far as a target that is met.
#define MET_FACTOR 16.0
/// With limits, and most often as far as one that limits do not let them meet.
#define LIMITED_FACTOR 60.0
#define UNMET_FACTOR   30.0

/// Near one of the singularities: the target at the root, or opposite to the posed end.
static bool near_singularity(const rig *r)
{
    const dvec3 line = dvec3_sub(r->chain.target, r->joint[0]);
    const dvec3 posed = dvec3_sub(r->joint[r->chain.count], r->joint[0]);
    return dvec3_length(line) < 0.2 * r->whole || dvec3_angle_deg(line, posed) > 150.0;
}

Test(ik_chain, meets_targets_without_jumps)
{
    enum { RIGS = 50, STEPS = 1000 };
    step_check steps = {0};
    int64_t met = 0;
    for (uint64_t n = 0; n < rigs(RIGS); n++) {
        uint64_t seed = n;
        rig r;
        random_rig(&r, &seed, 40.0);
        const ellipse path = random_path(&seed, r.joint[0], 0.8 * r.whole);
        dvec3 before[BONES + 1], now[BONES + 1];
        steps.follows = false;
        for (int k = 0; k <= STEPS; k++) {
            r.chain.target = on_path(&path, (double)k / STEPS);
            solve(&r, now);
            const bool skip = near_singularity(&r);
            const double moved = steps.follows ? movement(&r, before, now) : 0.0;
            check_step(&steps, r.chain.target, skip, moved, MET_FACTOR, n, k);
            if (!skip && dvec3_length(r.chain.target) < (1.0 - r.chain.soft) * r.whole) {
                const double off = dvec3_length(dvec3_sub(now[r.chain.count], r.chain.target));
                cr_assert(off < 1e-9, "rig %d, step %d: %g m off", (int)n, k, off);
                met++;
            }
            for (uint32_t i = 0; i < r.chain.count; i++)
                cr_assert(fabs(dvec3_length(dvec3_sub(now[i + 1], now[i])) - r.length[i]) < 1e-12);
            memcpy(before, now, sizeof before);
        }
    }
    cr_assert(steps.checked > (int64_t)rigs(RIGS) * STEPS / 2 && met > steps.checked / 2,
              "%lld steps, %lld met", (long long)steps.checked, (long long)met);
}

/// A chain that a near target compresses bends to the side to which it is bent, though by little
/// and small; one that is straight bends along its fallback axis.
Test(ik_chain, compressed_chains_keep_their_side)
{
    for (int side = -1; side <= 1; side++) {
        rig r = {.chain = {.count = 4, .fallback_axis = {0.0, 1.0, 0.0}, .iterations = 48}};
        dvec3 now[BONES + 1];
        r.chain.joint = r.joint;
        for (uint32_t k = 0; k <= r.chain.count; k++)
            r.joint[k] = (dvec3){side * 0.002 * k * (4.0 - k), 0.0, 0.1 * k};
        r.chain.target = (dvec3){0.0, 0.0, 0.3};
        solve(&r, now);
        const double across = side ? now[2].x * side : fabs(now[2].y);
        cr_expect(across > 0.02, "side %d: %g m", side, across);
        const double other = fabs(side ? now[2].y : now[2].x);
        cr_expect(other < 0.1 * across, "side %d: %g m of %g", side, other, across);
    }
}

/// The end of a chain that is bent smoothly within its limits: a target that it can meet.
static dvec3 end_within_limits(const rig *r, double turn, uint64_t seed)
{
    dvec3 end = r->joint[0], before = dvec3_sub(r->joint[1], r->joint[0]);
    dvec3_normalize(&before, 0.0);
    for (uint32_t k = 0; k < r->chain.count; k++) {
        const dvec3 u = dvec3_perpendicular(before, (dvec3){0.3, 0.5, 0.8});
        const double phase = between(&seed, 0.0, 6.28), most = between(&seed, 0.0, 0.9);
        const double waves = 1.0 + floor(between(&seed, 0.0, 1.99));
        const double part = 0.5 + 0.5 * sin(6.283185307179586 * waves * turn + phase);
        const double around = 3.0 * phase + 0.7 * sin(6.283185307179586 * turn + phase);
        const dvec3 axis = dvec3_add(dvec3_scale(u, cos(around)),
                                     dvec3_scale(dvec3_cross(before, u), sin(around)));
        before = quat_rotate(quat_from_axis_deg(axis, r->limit[k] * most * part), before);
        end = dvec3_add(end, dvec3_scale(before, r->length[k]));
    }
    return end;
}

static void check_limits(const rig *r, const dvec3 *joint, int n, int step)
{
    dvec3 before = dvec3_sub(r->joint[1], r->joint[0]);
    for (uint32_t i = 0; i < r->chain.count; i++) {
        const dvec3 bone = dvec3_sub(joint[i + 1], joint[i]);
        cr_assert(dvec3_angle_deg(before, bone) < r->limit[i] + 1e-6,
                  "rig %d, step %d: bone %u is bent by %g degrees", n, step, i,
                  dvec3_angle_deg(before, bone));
        before = bone;
    }
}

Test(ik_chain, keeps_limits_and_meets_targets)
{
    enum { RIGS = 24, STEPS = 800 };
    step_check steps = {0};
    int64_t near = 0;
    double worst = 0.0;
    for (uint64_t n = 0; n < rigs(RIGS); n++) {
        uint64_t seed = n;
        rig r;
        random_rig(&r, &seed, 30.0);
        r.chain.limit_deg = r.limit;
        dvec3 before[BONES + 1], now[BONES + 1];
        steps.follows = false;
        for (int k = 0; k <= STEPS; k++) {
            r.chain.target = end_within_limits(&r, (double)k / STEPS, n);
            solve(&r, now);
            check_limits(&r, now, (int)n, k);
            const double off = dvec3_length(dvec3_sub(now[r.chain.count], r.chain.target));
            const bool skip = near_singularity(&r) ||
                              dvec3_length(r.chain.target) > (1.0 - r.chain.soft) * r.whole;
            const double moved = steps.follows ? movement(&r, before, now) : 0.0;
            if (check_step(&steps, r.chain.target, skip, moved, LIMITED_FACTOR, n, k))
                near += off < 1e-3 * r.whole;
            worst = skip ? worst : fmax(worst, off / r.whole);
            memcpy(before, now, sizeof before);
        }
    }
    const int64_t checked = steps.checked;
    cr_assert(checked > (int64_t)rigs(RIGS) * STEPS / 6, "%lld steps", (long long)checked);
    cr_assert(near > checked - checked / 500 && worst < 0.05,
              "%lld of %lld within 0.1 %%, up to %g", (long long)near, (long long)checked, worst);
}

/// Limits of 15 to 60 degrees, targets anywhere: whether limits let the end meet them or not, the
/// chain follows. Where two poses are equally near, it may pass from one to the other faster.
Test(ik_chain, limited_chains_do_not_jump)
{
    enum { RIGS = 32, STEPS = 2000 };
    int64_t met_steps = 0, other_steps = 0, fast = 0;
    for (uint64_t n = 0; n < rigs(RIGS); n++) {
        uint64_t seed = n + 1000;
        rig r;
        random_rig(&r, &seed, n % 3 ? 25.0 : 0.0);
        const double same = between(&seed, 15.0, 60.0);
        for (uint32_t k = 0; k < r.chain.count; k++)
            r.limit[k] = n % 2 ? same : between(&seed, 15.0, 60.0);
        r.chain.limit_deg = r.limit;
        r.chain.pole = n % 4 ? (dvec3){0.0, 0.0, 0.0} : random_direction(&seed);
        const ellipse path = random_path(&seed, r.joint[0], 0.8 * r.whole);
        dvec3 before[BONES + 1], now[BONES + 1], target_before = {0};
        bool skipped = true, met_before = false;
        for (int k = 0; k <= STEPS; k++) {
            r.chain.target = on_path(&path, (double)k / STEPS);
            solve(&r, now);
            check_limits(&r, now, (int)n, k);
            const double off = dvec3_length(dvec3_sub(now[r.chain.count], r.chain.target));
            const bool met = off < 1e-3 * r.whole;
            const double step = dvec3_length(dvec3_sub(r.chain.target, target_before));
            const double factor =
                skipped || near_singularity(&r) ? 0.0 : movement(&r, before, now) / step;
            if (factor > 0.0 && met && met_before) {
                met_steps++;
                cr_assert(factor < LIMITED_FACTOR, "rig %d, step %d: %g times the target", (int)n,
                          k, factor);
            } else if (factor > 0.0) {
                other_steps++;
                fast += factor > UNMET_FACTOR;
            }
            skipped = near_singularity(&r);
            met_before = met;
            memcpy(before, now, sizeof before);
            target_before = r.chain.target;
        }
    }
    cr_assert(met_steps > (int64_t)rigs(RIGS) * STEPS / 5 && other_steps > met_steps / 5);
    cr_assert(fast <= other_steps / 2000, "%lld of %lld steps", (long long)fast,
              (long long)other_steps);
}

/// Any target at all, also behind and inside: limits and lengths hold.
Test(ik_chain, keeps_limits_wherever_the_target_is)
{
    for (uint64_t n = 0; n < 1000; n++) {
        uint64_t seed = n;
        rig r;
        dvec3 now[BONES + 1];
        random_rig(&r, &seed, 60.0);
        for (uint32_t k = 0; k < r.chain.count; k++)
            r.limit[k] = between(&seed, 0.0, 180.0);
        r.chain.limit_deg = r.limit;
        r.chain.iterations = 1 + (uint32_t)(n % 64);
        r.chain.target = dvec3_scale(random_direction(&seed), between(&seed, 0.0, 2.0 * r.whole));
        solve(&r, now);
        check_limits(&r, now, (int)n, 0);
        for (uint32_t i = 0; i < r.chain.count; i++)
            cr_assert(fabs(dvec3_length(dvec3_sub(now[i + 1], now[i])) - r.length[i]) < 1e-12);
    }
}

/// A straight chain along y, and where its end is when its first bone is bent in the plane by one
/// angle, the second by another one and the others by a third.
static dvec3 straight_rig(rig *r, uint32_t count, double limit, const double deg[3])
{
    dvec3 end = {0.0, 0.0, 0.0};
    double angle = 0.0;
    *r = (rig){.chain = {.count = count, .fallback_axis = {0.0, 0.0, 1.0}, .iterations = 48}};
    for (uint32_t k = 0; k < count; k++) {
        angle += deg[k < 2 ? k : 2] * 0.017453292519943295;
        end = dvec3_add(end, (dvec3){0.15 * sin(angle), 0.15 * cos(angle), 0.0});
        r->joint[k + 1] = (dvec3){0.0, 0.15 * (k + 1), 0.0};
        r->limit[k] = limit;
    }
    r->chain.joint = r->joint;
    r->chain.limit_deg = r->limit;
    return end;
}

static double distance_left(rig *r, dvec3 target)
{
    dvec3 joint[BONES + 1];
    r->chain.target = target;
    solve(r, joint);
    return dvec3_length(dvec3_sub(joint[r->chain.count], target)) / (0.15 * r->chain.count);
}

/// Arcs of all joints near their limits, the first one to either side.
Test(ik_chain, limited_chains_meet_the_ends_of_arcs)
{
    static const double limits[] = {20.0, 45.0, 70.0, 95.0, 120.0},
                        parts[] = {0.8, 0.9, 0.95, 0.99};
    int met = 0, all = 0;
    for (int i = 0; i < 6 * 5 * 4 * 2 * 3; i++) {
        rig r;
        const double limit = limits[i / 6 % 5], bend = limit * parts[i / 30 % 4];
        const double deg[3] = {i / 120 % 2 ? bend : -bend, bend, bend};
        const dvec3 end = straight_rig(&r, 3 + (uint32_t)(i % 6), limit, deg);
        r.chain.pole = (dvec3){i / 240 == 1, 0.0, i / 240 == 2};
        r.chain.target = end;
        if (near_singularity(&r))
            continue;
        const double left = distance_left(&r, end);
        met += left < 0.01;
        all++;
        cr_expect_lt(left, 0.04, "%u bones, %g of %g degrees, pole %d: %g", r.chain.count, bend,
                     limit, i / 240, left);
    }
    cr_assert(all > 450 && met > all - all / 50, "%d of %d", met, all);
}

/// No pose of a grid is nearer by more than 1 % to targets in and out of reach.
Test(ik_chain, limited_chains_come_as_near_as_they_can)
{
    enum { GRID = 25 };
    for (int i = 0; i < 4 * 5 * 5; i++) {
        rig r;
        const double limit = 20.0 + 25.0 * (i % 4), radius = 0.45 * (0.3 + 0.2 * (i / 4 % 5));
        const double angle = 0.1 + 0.5 * (i / 20), part = 2.0 * limit / (GRID - 1);
        const dvec3 target = {radius * sin(angle), radius * cos(angle), 0.0};
        double nearest = 1e9;
        for (int k = 0; k < GRID * GRID * GRID; k++) {
            const double deg[3] = {part * (k % GRID) - limit, part * (k / GRID % GRID) - limit,
                                   part * (k / GRID / GRID) - limit};
            const dvec3 end = straight_rig(&r, 3, limit, deg);
            nearest = fmin(nearest, dvec3_length(dvec3_sub(end, target)) / 0.45);
        }
        const double left = distance_left(&r, target);
        cr_expect_lt(left, nearest + 0.01, "%g degrees, %g, %g: %g, grid %g", limit, radius, angle,
                     left, nearest);
    }
}

/// Targets at half of the length from side to side, in the plane of the pole. With one in front all
/// joints share the bend of an arc, within 6 %.
Test(ik_chain, limited_chains_turn_over_where_their_side_changes)
{
    for (uint32_t count = 4; count <= BONES; count++) {
        rig r;
        step_check steps = {0};
        dvec3 before[BONES + 1], now[BONES + 1];
        straight_rig(&r, count, 100.0, (double[3]){0.0, 0.0, 0.0});
        r.chain.pole = (dvec3){1.0, 0.0, 0.0};
        for (int k = -1000; k <= 1000; k++) {
            const double x = sin(0.001 * k), y = cos(0.001 * k);
            double least = 180.0, most = 0.0;
            r.chain.target = (dvec3){0.075 * count * x, 0.075 * count * y, 0.0};
            solve(&r, now);
            const double moved = steps.follows ? movement(&r, before, now) : 0.0;
            check_step(&steps, r.chain.target, false, moved, MET_FACTOR, count, k);
            const double side = now[count / 2].x * y - now[count / 2].y * x;
            cr_assert(k > 0 || side > 0.0, "%u bones, step %d: %g m", count, k, side);
            for (uint32_t i = 1; i < count && k == 0; i++) {
                const double bend =
                    dvec3_angle_deg(dvec3_sub(now[i], now[i - 1]), dvec3_sub(now[i + 1], now[i]));
                least = fmin(least, bend);
                most = fmax(most, bend);
            }
            cr_expect_leq(most, 1.06 * least, "%u bones: %g to %g", count, least, most);
            memcpy(before, now, sizeof before);
        }
    }
}

Test(ik_chain, straight_chains_bend_to_their_pole)
{
    dvec3 joint[6], out[BONES + 1];
    for (int k = 0; k < 6; k++)
        joint[k] = (dvec3){0.0, 0.2 * k, 0.0};
    rig r = {.chain = {.count = 5,
                       .pole = {1.0, 0.0, 0.0},
                       .fallback_axis = {0.0, 0.0, 1.0},
                       .target = {0.0, 0.4, 0.0},
                       .iterations = 48}};
    memcpy(r.joint, joint, sizeof joint);
    r.chain.joint = r.joint;
    solve(&r, out);
    cr_assert(dvec3_length(dvec3_sub(out[5], r.chain.target)) < 1e-9);
    for (int k = 1; k < 5; k++)
        cr_assert(out[k].x > 0.02 && fabs(out[k].z) < 1e-9, "joint %d at %g, %g", k, out[k].x,
                  out[k].z);
    r.chain.pole = (dvec3){0.0, 0.0, 0.0};
    solve(&r, out);
    cr_assert(out[2].z > 0.1 && fabs(out[2].x) < 1e-9, "along the fallback axis");
    r.chain.target = (dvec3){3.0, 4.0, 0.0}; // out of reach: straight at it
    solve(&r, out);
    cr_assert(dvec3_length(dvec3_sub(out[5], (dvec3){0.6, 0.8, 0.0})) < 2e-3);
    r.chain.target = r.joint[0];
    solve(&r, out);
    cr_assert(isfinite(out[5].x) && dvec3_length(out[5]) < 0.2);
}

/// Limits of a straight chain of equal bones: the nearest end is that of an arc on which
/// all joints are at them, and the line to it rotates by that of the first and half of the others.
Test(ik_chain, limits_bound_the_end)
{
    enum { COUNT = 8 };
    for (double limit = 4.0; limit < 15.0; limit += 2.0) {
        rig r = {.chain = {.count = COUNT, .fallback_axis = {0.0, 0.0, 1.0}, .iterations = 256}};
        dvec3 out[BONES + 1];
        for (int k = 0; k <= COUNT; k++)
            r.joint[k] = (dvec3){0.0, k / (double)COUNT, 0.0};
        for (int k = 0; k < COUNT; k++)
            r.limit[k] = k == 0 ? 12.0 : limit;
        r.chain.joint = r.joint;
        r.chain.limit_deg = r.limit;
        const double half = 0.5 * (COUNT - 1) * limit, half_rad = half * 0.017453292519943295;
        r.chain.target = (dvec3){0.0, 0.01, 0.0};
        solve(&r, out);
        const double nearest = dvec3_length(out[COUNT]) - sin(half_rad) / half_rad;
        cr_expect(nearest > -0.04 && nearest < 0.06, "limits of %g: %g", limit, nearest);
        r.chain.target = (dvec3){0.95, 0.0, 0.0};
        solve(&r, out);
        const double angle = dvec3_angle_deg((dvec3){0.0, 1.0, 0.0}, out[COUNT]) / (12.0 + half);
        cr_expect(angle > 0.8 && angle < 1.001, "limits of %g: %g of the sum", limit, angle);
    }
}
