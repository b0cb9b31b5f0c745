// SPDX-License-Identifier: MIT
/// Springs: one link by the specification's pseudocode and by physics, and chains of our models in
/// scenes: at rest, alone and in sequences, with what they carry.
#include "pose/pose_springs.h"
#include "posed_scene.h"
#include "random_numbers.h"

static zt_error err;

TestSuite(springs, .init = posed_setup, .fini = posed_teardown);

#define TWO_PI 6.28318530717958647692

/// In a ball.
static dvec3 random_point(uint64_t *seed, double radius)
{
    return dvec3_scale(random_direction(seed), between(seed, 0.0, radius));
}

// ---- One link -----------------------------------------------------------------------------------

/// A pendulum or a spring at the origin, while it moves.
typedef struct swing {
    spring_link link;
    spring_body body;
    dvec3 now, before;
    double rate;
} swing;

static swing swing_at(dvec3 tail, double length, double rate)
{
    return (swing){.link = {.tail = -1, .center = -1},
                   .body = {.rest = {0.0, 1.0, 0.0}, .length = length},
                   .now = tail,
                   .before = tail,
                   .rate = rate};
}

static void swing_step(swing *s)
{
    const dvec3 d = spring_swing(&s->link, &s->body, spring_factors_of(&s->link, 1.0 / s->rate),
                                 1.0, s->now, s->before);
    s->before = s->now;
    s->now = dvec3_add(s->body.head, dvec3_scale(d, s->body.length));
}

/// The pseudocode of the specification, at 60 frames per second.
static dvec3 specified(const swing *s)
{
    const double delta = 1.0 / 60.0;
    const double inertia = 1.0 - s->link.drag;
    const double next[3] = {
        s->now.x + (s->now.x - s->before.x) * inertia + delta * s->body.rest.x * s->link.stiffness +
            delta * s->link.gravity[0],
        s->now.y + (s->now.y - s->before.y) * inertia + delta * s->body.rest.y * s->link.stiffness +
            delta * s->link.gravity[1],
        s->now.z + (s->now.z - s->before.z) * inertia + delta * s->body.rest.z * s->link.stiffness +
            delta * s->link.gravity[2],
    };
    const dvec3 from_head = dvec3_sub(dvec3_load(next), s->body.head);
    const double scale = s->body.length / dvec3_length(from_head);
    return dvec3_add(s->body.head, dvec3_scale(from_head, scale));
}

Test(springs, sixtieths_of_a_second_are_those_of_the_specification)
{
    uint64_t seed = 5;
    for (int i = 0; i < 200; i++) {
        swing s = swing_at(random_point(&seed, 1.0), between(&seed, 0.01, 1.0), 60.0);
        s.body.head = random_point(&seed, 0.2);
        s.body.rest = random_direction(&seed);
        s.link.stiffness = between(&seed, 0.0, 4.0);
        s.link.drag = between(&seed, 0.0, 1.0);
        dvec3_store(random_point(&seed, 2.0), s.link.gravity);
        for (int step = 0; step < 30; step++) {
            const dvec3 want = specified(&s);
            swing_step(&s);
            cr_assert_lt(dvec3_length(dvec3_sub(want, s.now)), 1e-12);
        }
    }
}

/// Seconds of a small oscillation, from the crossings of the middle.
static double period_of(swing s)
{
    double first = -1.0, last = 0.0;
    int crossings = 0;
    for (int step = 1; crossings < 21; step++) {
        const double x = s.now.x;
        swing_step(&s);
        if ((x < 0.0) == (s.now.x < 0.0))
            continue;
        last = ((double)step - s.now.x / (s.now.x - x)) / s.rate;
        first = first < 0.0 ? last : first;
        crossings++;
    }
    return (last - first) / 10.0;
}

Test(springs, a_small_pendulum_has_its_period)
{
    static const double rates[] = {60.0, 120.0, 240.0, 480.0, 1000.0};
    for (size_t i = 0; i < 5; i++) {
        // Earth's gravity as a power; half a metre; a hundredth of a radian.
        swing s = swing_at((dvec3){0.005, -0.5, 0.0}, 0.5, rates[i]);
        s.link.gravity[1] = -9.81 / 60.0;
        const double want = TWO_PI * sqrt(0.5 / 9.81);
        // Keeping the distance after forces damps a little: by the square of the step.
        const double within = want * (2e-3 * 3600.0 / (rates[i] * rates[i]) + 2e-5);
        NEAR(period_of(s), want, within, "%g steps a second", rates[i]);
        // Stiffness is gravity towards the rest: the same period.
        s = swing_at((dvec3){0.005, 0.5, 0.0}, 0.5, rates[i]);
        s.link.stiffness = 9.81 / 60.0;
        cr_expect_float_eq(period_of(s), want, within, "stiffness: %g", period_of(s));
    }
}

Test(springs, drag_takes_the_energy)
{
    static const double rates[] = {60.0, 120.0, 1000.0};
    for (size_t i = 0; i < 3; i++) {
        swing s = swing_at((dvec3){0.4, 0.3, 0.0}, 0.5, rates[i]);
        s.link.gravity[1] = -0.3;
        s.link.drag = 0.05;
        double before = 18.0 * 0.3;                // per kilogram
        for (int swung = 0; swung < 12; swung++) { // quarters of a second
            for (int step = 0; step < (int)(rates[i] / 4.0); step++)
                swing_step(&s);
            const double speed = dvec3_length(dvec3_sub(s.now, s.before)) * rates[i];
            const double energy = 0.5 * speed * speed + 18.0 * s.now.y;
            cr_expect_lt(energy, before + 0.1, "%g steps a second: %g after %g", rates[i], energy,
                         before);
            before = energy;
        }
        cr_expect_float_eq(before, -9.0, 0.02, "%g steps a second: at rest, %g", rates[i], before);
    }
    // The rest after a second is the same, whatever the rate: the drag of sixty sixtieths.
    for (size_t i = 0; i < 3; i++) {
        swing s = swing_at((dvec3){0.0, 1.0, 0.0}, 1.0, rates[i]);
        s.link.drag = 0.05;
        s.before.x = -1e-4 / rates[i];
        const double speed = (s.now.x - s.before.x) * rates[i];
        for (int step = 0; step < (int)rates[i]; step++)
            swing_step(&s);
        cr_expect_float_eq((s.now.x - s.before.x) * rates[i], speed * pow(0.95, 60.0),
                           speed * 1e-3);
    }
}

/// Depth of a tail in a collider.
static double depth_in(const spring_obstacle *o, dvec3 tail, double radius)
{
    const dvec3 axis = dvec3_sub(o->to, o->from), from = dvec3_sub(tail, o->from);
    const double square = dvec3_dot(axis, axis);
    double s = square > 0.0 ? dvec3_dot(from, axis) / square : 0.0;
    s = fmin(fmax(s, 0.0), 1.0);
    return o->radius + radius - dvec3_length(dvec3_sub(from, dvec3_scale(axis, s)));
}

Test(springs, one_collider_is_never_entered)
{
    static const uint32_t first = 0;
    uint64_t seed = 11;
    int touched = 0, held = 0;
    double worst = 0.0;
    for (int i = 0; i < 2000; i++) {
        swing s = swing_at(random_point(&seed, 1.0), between(&seed, 0.1, 1.0), 120.0);
        spring_obstacle ball = {.radius = between(&seed, 0.05, 0.8)};
        ball.from = ball.to = random_point(&seed, 1.0);
        s.body.radius = between(&seed, 0.0, 0.2);
        s.body.obstacles = &ball;
        s.link.colliders = &first;
        s.link.collider_count = 1;
        s.link.stiffness = 1.0;
        s.link.gravity[1] = -0.5;
        const double distance = dvec3_length(ball.from);
        for (int step = 0; step < 20; step++) {
            swing_step(&s);
            const double depth = depth_in(&ball, s.now, s.body.radius);
            if (distance + s.body.length < ball.radius + s.body.radius) { // holds all of its places
                held++;
                cr_assert_float_eq(depth, ball.radius + s.body.radius - distance - s.body.length,
                                   1e-9);
                continue;
            }
            worst = fmax(worst, depth);
            touched += depth > -1e-9;
        }
    }
    cr_expect_lt(worst, 1e-9, "%g deep", worst);
    cr_expect(touched > 1000 && held > 100, "%d touched, %d held", touched, held);
}

Test(springs, several_colliders_are_hardly_entered)
{
    static const uint32_t all[3] = {0, 1, 2};
    uint64_t seed = 12;
    double worst = 0.0;
    for (int i = 0; i < 2000; i++) {
        // A skirt between two legs and a hip: capsules and a ball, off the head of the link.
        swing s = swing_at(random_point(&seed, 1.0), 1.0, 120.0);
        spring_obstacle o[3];
        for (int k = 0; k < 3; k++) {
            o[k] = (spring_obstacle){.radius = between(&seed, 0.05, 0.2)};
            o[k].from = dvec3_scale(random_direction(&seed), between(&seed, 0.6, 1.2));
            o[k].to = k < 2 ? dvec3_add(o[k].from, random_point(&seed, 0.4)) : o[k].from;
        }
        s.body.radius = 0.02;
        s.body.obstacles = o;
        s.link.colliders = all;
        s.link.collider_count = 3;
        s.link.stiffness = 1.0;
        for (int step = 0; step < 20; step++) {
            swing_step(&s);
            for (int k = 0; k < 3; k++)
                worst = fmax(worst, depth_in(&o[k], s.now, s.body.radius));
        }
    }
    cr_expect_lt(worst, 1e-3, "%g m deep", worst);
}

Test(springs, no_number_breaks_a_link)
{
    static const double odd[] = {0.0, 1e-300, 1e300, (double)INFINITY, (double)NAN, -1.0};
    for (size_t i = 0; i < 6 * 6 * 6; i++) {
        static const uint32_t first = 0;
        swing s = swing_at((dvec3){odd[i % 6], 1.0, 0.0}, 1.0, 120.0);
        const spring_obstacle o = {.from = {odd[i / 6 % 6], 0.0, 0.0}, .radius = odd[i / 36]};
        s.link.stiffness = odd[i / 6 % 6];
        s.link.gravity[1] = odd[i / 36];
        s.before.y = odd[i / 36];
        s.body.obstacles = &o;
        s.link.colliders = &first;
        s.link.collider_count = 1;
        const dvec3 d = spring_swing(&s.link, &s.body, spring_factors_of(&s.link, 1.0 / 120.0), 1.0,
                                     s.now, s.before);
        cr_assert_float_eq(dvec3_length(d), 1.0, 1e-9, "case %zu: %g %g %g", i, d.x, d.y, d.z);
    }
}

// ---- Chains in scenes ---------------------------------------------------------------------------

#define TENTACLE(keys) "  - { name: t, file: ../models/tentacle.glb,\n      " keys " }\n"

/// Copies of the last pose, of at most two instances.
typedef struct pose_copy {
    mat4 m[128];
    size_t count;
} pose_copy;

static pose_copy copy_pose(void)
{
    pose_copy out = {.count = 0};
    for (uint32_t i = 0; i < posed_scene.instance_count; i++)
        for (uint32_t n = 0; n < posed_scene.instances[i].model->node_count; n++)
            memcpy(out.m[out.count++], worlds[i][n], sizeof(mat4));
    cr_assert_leq(out.count, 128);
    return out;
}

static pose_copy pose_of(const char *models, double time_s)
{
    load(models);
    pose(time_s);
    return copy_pose();
}

static bool is_same(const pose_copy *a, const pose_copy *b)
{
    return memcmp(a->m, b->m, a->count * sizeof(mat4)) == 0;
}

static double largest_difference(const pose_copy *a, const pose_copy *b)
{
    double worst = 0.0;
    for (size_t i = 0; i < a->count * 16; i++)
        worst = fmax(worst, fabs((double)(&a->m[0][0][0])[i] - (double)(&b->m[0][0][0])[i]));
    return worst;
}

Test(springs, a_chain_in_balance_stays_where_it_is)
{
    const pose_copy still = pose_of(TENTACLE("transform: { rotate: [0, 0, 180] }"), 0.0);
    // It hangs down, along gravity; and stands up, held by its stiffness alone.
    for (int k = 0; k < 2; k++) {
        load(k ? TENTACLE("transform: { rotate: [0, 0, 180] }, springs: [ { bone: eight_0, "
                          "stiffness: 0.3, drag: 0, tip: 0.1 } ]")
               : TENTACLE("transform: { rotate: [0, 0, 180] }, springs: [ { bone: eight_0, "
                          "stiffness: 0, gravity: 1, drag: 0.1, tip: 0.1 } ]"));
        for (double t = 0.0; t < 4.0; t += 0.37) {
            pose(t);
            const pose_copy now = copy_pose();
            cr_expect_lt(largest_difference(&still, &now), 2e-6, "case %d at %g", k, t);
        }
    }
}

#define SWINGING                                                                                   \
    TENTACLE("transform: { translate: [[0, [0, 0, 0]], [0.5, [1, 0, 0]], [1, [0, 0.5, 0]]], "      \
             "rotate: [[0, [0, 0, 0]], [1, [0, 160, 30]]] }, animation: curl,\n      "             \
             "springs: [ { bone: eight_0, stiffness: 0.6, drag: 0.2, gravity: 0.2, radius: 0.05, " \
             "colliders: [ { bone: four_4, radius: 0.5 }, { bone: four_8, tail: [0, -1, 0], "      \
             "radius: 0.3 } ] }, { bones: [four_6, four_8, four_11], center: root, drag: 0.1, "    \
             "gravity: 0.5, gravity_dir: [1, 0, 0], tip: 0.2 } ]")
/// A ball on the tip, from 0.7 s on another one, and from 1.3 s on free.
#define CARRIED                                                                                    \
    "  - { name: ball, file: ../models/ball.glb, parent: [[0, { model: t, bone: eight_11 }], "     \
    "[0.7, { model: t, bone: four_11, blend: 0.3 }], [1.3, none]] }\n"

static spring_trail trail_until(double until_s)
{
    spring_trail out;
    MUST(spring_trail_build(kernels_for(ZT_ISA_SCALAR)->pose, &posed_scene, until_s, &posed_scratch,
                            &out, &err),
         err);
    return out;
}

static pose_copy pose_along(const spring_trail *trail, double time_s)
{
    frame_time time = scene_shot_time(&posed_scene, time_s);
    time.trail = trail;
    MUST(pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, &posed_scene, time, &posed_scratch,
                    &(pose_sharing){0}, &worlds, &err),
         err);
    return copy_pose();
}

Test(springs, a_frame_alone_is_that_of_its_sequence)
{
    static const double untils[] = {0.0, 0.3, 1.0, 3.0};
    load(SWINGING CARRIED);
    for (int u = 0; u < 4; u++) {
        const spring_trail trail = trail_until(untils[u]);
        cr_expect_eq(trail.scene, &posed_scene);
        for (int k = 0; k < 24; k++) { // at steps, between them, before the start, not in order
            const double t = (k * 7 % 24 - 1) * 0.0933333;
            const pose_copy alone = pose_along(NULL, t), along = pose_along(&trail, t);
            cr_assert(is_same(&alone, &along), "at %g", t);
        }
    }
}

Test(springs, all_instruction_sets_agree)
{
    load(SWINGING CARRIED);
    const pose_copy scalar = pose_along(NULL, 1.7);
    EACH_KERNEL_TABLE (isa, k) {
        pose_with(k, 1.7);
        const pose_copy other = copy_pose();
        cr_expect(is_same(&scalar, &other), "%s", k->name);
    }
}

Test(springs, a_trail_of_another_scene_is_not_used)
{
    load(SWINGING);
    const spring_trail trail = trail_until(2.0);
    const pose_copy before = pose_along(&trail, 1.0);
    posed_scene.springs.rate = 60.0;
    posed_scene.edit_stamp++;
    const pose_copy after = pose_along(&trail, 1.0), alone = pose_along(NULL, 1.0);
    cr_expect(is_same(&after, &alone) && !is_same(&after, &before));
}

/// Before the shot everything stands as in its first frame, also what a clip moves: here at 1 s.
Test(springs, swing_from_the_start_of_the_shot_on)
{
#define HANGING(clip)                                                                              \
    TENTACLE("animation: { clip: curl, " clip                                                      \
             " }, springs: [ { bone: four_2, gravity: 0.5, drag: "                                 \
             "0.1, stiffness: 0.2, tip: 0.1 } ]")                                                  \
    "output: { frames: 30-60, fps: 30 }\n"
    const pose_copy moving = pose_of(HANGING("speed: 0.5"), 1.0);
    const pose_copy later = pose_of(HANGING("speed: 0.5"), 1.5);
    const pose_copy still = pose_of(HANGING("speed: 0, start: 0.5"), 1.0);
    cr_expect_lt(largest_difference(&moving, &still), 1e-6, "%g",
                 largest_difference(&moving, &still));
    cr_expect_gt(largest_difference(&moving, &later), 0.01);
}

Test(springs, motion_is_continuous)
{
    static const double rates[] = {120.0, 100.0}; // 0.58 s times 100 is less than 58 in doubles
    for (int r = 0; r < 2; r++) {
        load(SWINGING CARRIED);
        posed_scene.springs.rate = rates[r];
        const spring_trail trail = trail_until(2.0);
        for (int step = 2; step < 200; step += 7) { // at a step, and a nanosecond around it
            const double t = step / rates[r];
            const pose_copy below = pose_along(&trail, t - 1e-9), at = pose_along(&trail, t);
            const pose_copy above = pose_along(&trail, t + 1e-9);
            cr_expect_lt(largest_difference(&below, &at), 1e-5, "before %g", t);
            cr_expect_lt(largest_difference(&above, &at), 1e-5, "after %g", t);
        }
    }
}

Test(springs, bones_keep_their_lengths_and_carry_others)
{
    load(SWINGING CARRIED);
    for (double t = 0.05; t < 0.7; t += 0.13) {
        pose(t);
        for (int b = 0; b < 11; b++) {
            PRINTED(from, 16, "eight_%d", b);
            PRINTED(to, 16, "eight_%d", b + 1);
            cr_expect_float_eq(dvec3_length(dvec3_sub(joint(0, from), joint(0, to))), 0.15, 1e-6);
        }
        cr_expect_lt(dvec3_length(dvec3_sub(joint(0, "eight_11"), joint(1, "ball"))), 1e-6);
    }
}

Test(springs, what_they_carry_waits_for_them)
{
    // Each on the one after it: the last comes first.
    load("  - { name: hat, file: ../models/ball.glb, parent: { model: ball, bone: ball } }\n"
         "  - { name: ball, file: ../models/ball.glb, parent: { model: t, bone: eight_11 } "
         "}\n" SWINGING);
    pose(0.5);
    cr_expect_lt(dvec3_length(dvec3_sub(joint(2, "eight_11"), joint(1, "ball"))), 1e-6);
    cr_expect_lt(dvec3_length(dvec3_sub(joint(2, "eight_11"), joint(0, "ball"))), 1e-6);
}

Test(springs, each_instance_swings_by_its_own_motion)
{
#define MOVING(x) "{ transform: { translate: [[0, [" x ", 0, 0]], [1, [" x ", 0, 2]]] } }"
    load("  - { file: ../models/tentacle.glb, springs: [ { bone: eight_0, gravity: 0.5, drag: 0.2 "
         "} ], instances: [ " MOVING("0") ", { transform: { translate: [4, 0, 0] } } ] }\n");
    pose(0.5);
    const float behind = worlds[0][find(0, "eight_11")][3][2] - worlds[0][find(0, "root")][3][2];
    cr_expect_lt(behind, -0.1f, "the moving one lags: %g", (double)behind);
    cr_expect_lt(fabsf(worlds[1][find(1, "eight_11")][3][2]), 1e-3f, "the other one does not");
}

Test(springs, a_centre_takes_its_motion_along)
{
    for (int k = 0; k < 2; k++) {
        load(k ? TENTACLE("transform: { translate: [[0, [0, 0, 0]], [1, [5, 0, 0]]] }, springs: "
                          "[ { bone: eight_0, drag: 0.2, center: root } ]")
               : TENTACLE("transform: { translate: [[0, [0, 0, 0]], [1, [5, 0, 0]]] }, springs: "
                          "[ { bone: eight_0, drag: 0.2 } ]"));
        pose(0.5);
        const dvec3 tip = dvec3_sub(joint(0, "eight_11"), joint(0, "root"));
        if (k)
            cr_expect(fabs(tip.x + 0.9) < 1e-4 && fabs(tip.y - 1.65) < 1e-4, "%g %g", tip.x, tip.y);
        else
            cr_expect_lt(tip.x, -1.2, "without one it lags: %g", tip.x);
    }
}

Test(springs, come_after_the_solvers_that_others_need)
{
#define RIFLE                                                                                      \
    "  - name: rifle\n    file: ../models/rifle.glb\n    parent: { model: explorer, bone: hand_r " \
    "}\n    transform: { translate: [-0.03, -0.08, 0], rotate: [90, -40, 0] }\n"
#define EXPLORER(springs)                                                                          \
    "  - name: explorer\n    file: ../models/walker.glb\n    animation: walk\n    transform: { "   \
    "translate: [[0, [0, 0, 0]], [1, [0, 0, 2]]] }\n    ik:\n      - { reach: { bones: "           \
    "[upper_arm_r, lower_arm_r, hand_r], target: { bone: spine3, offset: [-0.13, 0.08, 0.3] } } "  \
    "}\n      - { reach: { bones: [upper_arm_l, lower_arm_l, hand_l], target: { model: rifle, "    \
    "bone: grip_l } } }\n    springs: " springs "\n"
    // The explorer is posed in two parts, the rifle between them, and its springs with the second.
    load(EXPLORER("none") RIFLE);
    pose(0.7);
    mat4 hand, grip, pack;
    memcpy(hand, world(0, "hand_l"), sizeof hand);
    memcpy(grip, world(1, "grip_l"), sizeof grip);
    memcpy(pack, world(0, "pack"), sizeof pack);
    load(EXPLORER("[ { bones: [pack], tip: 0.3, gravity: 1, drag: 0.1, stiffness: 0.5 } ]") RIFLE);
    cr_expect_gt(posed_scene.pose_run_count, 2);
    pose(0.7);
    cr_expect(memcmp(hand, world(0, "hand_l"), sizeof hand) == 0);
    cr_expect(memcmp(grip, world(1, "grip_l"), sizeof grip) == 0);
    cr_expect_gt(apart(pack[1], world(0, "pack")[1]), 0.05, "the pack swings");
    cr_expect_lt(apart(pack[3], world(0, "pack")[3]), 1e-6, "about its joint");
}

Test(springs, members_of_a_crowd_swing)
{
    load(
        "  - { file: ../models/tentacle.glb, transform: { translate: [[0, [0, 0, 0]], [1, [0, 0, "
        "2]]] },\n      springs: [ { bone: eight_0, gravity: 0.5, drag: 0.2 } ],\n      instances: "
        "{ grid: { count: [3, 1], step: [4, 1] } } }\n");
    cr_assert_eq(posed_scene.instance_count, 3);
    pose(0.5);
    for (uint32_t i = 0; i < 3; i++) {
        const dvec3 tip = dvec3_sub(joint(i, "eight_11"), joint(i, "root"));
        const dvec3 first = dvec3_sub(joint(0, "eight_11"), joint(0, "root"));
        cr_expect_lt(tip.z, -0.1);
        cr_expect_lt(dvec3_length(dvec3_sub(tip, first)), 1e-4);
    }
    pose_sharing sharing;
    MUST(pose_sharing_build(&posed_scene, scene_shot_time(&posed_scene, 0.5), &posed_scratch,
                            &sharing, &err),
         err);
    cr_expect_eq(sharing.count, 0, "no pose is shared");
}

Test(springs, scale_leaves_their_direction)
{
    // Twice as large: lengths are, forces are not, and the place of rest is the same direction.
    load(TENTACLE("transform: { scale: 2 }, springs: [ { bones: [eight_0, eight_1], gravity: 1, "
                  "gravity_dir: [1, 0, 0], drag: 0.3 } ]"));
    pose(6.0);
    const dvec3 link = dvec3_sub(joint(0, "eight_1"), joint(0, "eight_0"));
    cr_expect_float_eq(link.x, 0.3 * sqrt(0.5), 1e-4);
    cr_expect_float_eq(link.y, 0.3 * sqrt(0.5), 1e-4);
    // Sheared: the direction is that of the forces all the same.
    load(TENTACLE(
        "transform: { scale: [1, 3, 1], rotate: [0, 0, 0] }, springs: [ { bones: [eight_0, "
        "eight_1], gravity: 1, gravity_dir: [1, 0, 0], drag: 0.3 } ]"));
    pose(6.0);
    const dvec3 sheared = dvec3_sub(joint(0, "eight_1"), joint(0, "eight_0"));
    cr_expect_float_eq(sheared.x, sheared.y, 1e-4, "%g %g", sheared.x, sheared.y);
}

Test(springs, begin_anew_when_they_get_a_length)
{
    // From nothing at [5, 0, 0]: no tail comes from another place.
    load(TENTACLE("transform: { translate: [5, 0, 0], scale: [[0, 0], [0.5, 0], [0.501, 1]] }, "
                  "animation: none, "
                  "springs: [ { bone: eight_0, stiffness: 0.3, drag: 0.5, tip: 0.1 } ]"));
    for (double t = 0.505; t < 0.7; t += 0.01) {
        pose(t);
        const dvec3 link = dvec3_sub(joint(0, "eight_1"), joint(0, "eight_0"));
        cr_expect_lt(fabs(link.x), 1e-3 * link.y, "%g %g at %g", link.x, link.y, t);
    }
}

Test(springs, rest_before_their_start)
{
    const pose_copy without =
        pose_of(TENTACLE("transform: { translate: [[0, [0, 0, 0]], [5, [5, 0, 0]]] }"), 1.0);
    const pose_copy with = pose_of(
        "  - { file: ../models/tentacle.glb, transform: { translate: [[0, [0, 0, 0]], [5, [5, 0, "
        "0]]] }, springs: [ { bone: eight_0, tip: 0.1 } ] }\nsprings: { start: 5 }\n",
        1.0);
    cr_expect(is_same(&without, &with));
}

Test(springs, none_turns_them_off)
{
    const pose_copy without = pose_of(TENTACLE("transform: { scale: 2 }"), 0.4);
    const pose_copy none = pose_of(TENTACLE("transform: { scale: 2 }, springs: none"), 0.4);
    cr_expect(is_same(&without, &none));
}

Test(springs, steps_are_limited)
{
    const zt_scene *scene = &posed_scene;
    load(SWINGING);
    cr_expect_eq(pose_scene(kernels_for(ZT_ISA_SCALAR)->pose, scene, scene_shot_time(scene, 1e6),
                            &posed_scratch, &(pose_sharing){0}, &worlds, &err),
                 ZT_ERR_LIMIT);
    SAYS(err.message, "a later start, a lower rate, or springs: none");
    // With a start near to it, a late frame is one as any other.
    posed_scene.springs.has_start = true;
    posed_scene.springs.start_s = 1e6 - 1.0;
    pose(1e6);
    cr_expect(isfinite(worlds[0][find(0, "eight_11")][3][0]));
}
