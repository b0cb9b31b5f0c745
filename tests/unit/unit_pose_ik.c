// SPDX-License-Identifier: MIT
/// Inverse kinematics on posed models: where the bones of our models are when a scene is solved,
/// weights that are exact at both ends, and random models with random solvers.
#include "pose_case.h"
#include "posed_scene.h"

TestSuite(pose_ik, .init = posed_setup, .fini = posed_teardown);

#define FIGURE "file: ../models/figure.glb, animation: wave"
#define WALKER "file: ../models/walker.glb, animation: walk"
#define ARM_R  "bones: [upper_arm_r, lower_arm_r, hand_r]"
#define ARM_L  "bones: [upper_arm_l, lower_arm_l, hand_l]"

/// Ways for a model to stand: turned, scaled, mirrored.
static const char *const placements[] = {
    "{}",
    "{ translate: [3, 1, -2], rotate: [20, 130, -40] }",
    "{ translate: [100, 0, 0], scale: 2.5 }",
    "{ rotate: [0, 70, 0], scale: [-1, 1, 1] }",
};

// ---- Solvers on bones ---------------------------------------------------------------------------

Test(pose_ik, hands_reach_where_they_can)
{
    for (size_t i = 0; i < sizeof placements / sizeof *placements; i++) {
        load_text("  - { " FIGURE ", transform: %s, ik: [ { reach: { " ARM_R
                  ", space: model, pole: [0, -1, -1], hinge: [-1, 0, 0], "
                  "target: [-0.3, 1.25, 0.35] } } ] }\n"
                  "  - { " FIGURE ", transform: %s }\n",
                  placements[i], placements[i]);
        for (int k = 0; k < 7; k++) {
            pose(k * 0.4);
            mat4 m;
            vec4 model = {-0.3f, 1.25f, 0.35f, 1.0f}, at;
            pose_instance_transform(&posed_scene, &posed_scene.instances[0],
                                    scene_shot_time(&posed_scene, 0.0), m);
            glm_mat4_mulv(m, model, at);
            const double scale = i == 2 ? 2.5 : 1.0;
            cr_assert(apart(world(0, "hand_r")[3], at) < 1e-5 * scale * (i == 2 ? 10.0 : 1.0),
                      "stand %zu: %g m off", i, apart(world(0, "hand_r")[3], at));
            // Bones keep their lengths, what is not the arm stays as it was.
            const double upper = apart(world(0, "upper_arm_r")[3], world(0, "lower_arm_r")[3]);
            cr_assert(fabs(upper - 0.31 * scale) < 1e-4);
            cr_assert(memcmp(world(0, "head"), world(1, "head"), sizeof(mat4)) == 0);
        }
    }
}

Test(pose_ik, children_follow_a_solved_bone)
{
    load("  - { " WALKER ", ik: [ { reach: { " ARM_R ", pole: [0, 0, -1], target: [-0.2, 1.3, 0.4] "
         "} } ] }\n  - { " WALKER " }\n");
    pose(0.3);
    const char *const fingers[] = {"thumb1_r", "thumb2_r", "index1_r", "index2_r"};
    cr_assert(apart(world(0, "hand_r")[3], world(1, "hand_r")[3]) > 0.2);
    for (int i = 0; i < 4; i++) {
        const double solved = apart(world(0, "hand_r")[3], world(0, fingers[i])[3]);
        const double posed = apart(world(1, "hand_r")[3], world(1, fingers[i])[3]);
        cr_assert(fabs(solved - posed) < 1e-6 &&
                  apart(world(0, fingers[i])[3], world(1, fingers[i])[3]) > 0.2);
    }
}

/// A model needs no bone to be a target: its origin is, where its transform and parent take it.
Test(pose_ik, a_target_is_a_model)
{
    load("  - { " FIGURE
         ", ik: [ { aim: { bone: hand_r, axis: [0, -1, 0], target: { model: ball } } },"
         "\n      { look_at: { bone: head, target: { model: ball, offset: [0, 0.2, 0], before: "
         "solvers } } },\n      { copy_rotation: { bone: hand_l, target: { model: ball } } } ] }\n"
         "  - { name: ball, file: ../models/ball.glb, parent: { model: cart },\n      transform: { "
         "translate: [0.5, 0, 0], rotate: [0, 0, 90] } }\n  - { name: cart, shape: box, transform: "
         "{ translate: [[0, [0, 1, 2]], [1, [1, 1, 2]]], rotate: [0, 90, 0] } }\n");
    for (double t = 0.0; t < 1.0; t += 0.4) {
        pose(t);
        // The cart turns x to -z; the ball turns its own x to y, and its y to -x of the cart.
        const double origin[3] = {t, 1.0, 1.5}, offset[3] = {t, 1.0, 1.7};
        cr_expect(angle_to(world(0, "hand_r"), 1, -1.0, origin) < 0.05);
        cr_expect(angle_to(world(0, "head"), 2, 1.0, offset) < 0.05);
        cr_expect_float_eq((double)world(0, "hand_l")[0][1], 1.0, 1e-5);
    }
}

Test(pose_ik, heads_look_and_tools_aim)
{
    const double target[3] = {0.8, 1.9, 1.5};
    for (size_t i = 0; i < 4; i++) {
        if (i == 2)
            continue; // far away the target is nowhere near the front
        load_text("  - { " FIGURE
                  ", transform: %s, ik: [ { look_at: { bones: [torso, head], shares: [1, 2], "
                  "target: [0.8, 1.9, 1.5] } }, { aim: { bone: hand_r, axis: [0, -1, 0], "
                  "up_axis: [0, 0, 1], up: [1, 0, 0], target: [0.8, 1.9, 1.5] } } ] }\n",
                  placements[i]);
        pose(1.1);
        const vec4 *head = world(0, "head"), *hand = world(0, "hand_r");
        cr_assert(angle_to(head, 2, 1.0, target) < 0.05, "%g", angle_to(head, 2, 1.0, target));
        cr_assert(angle_to(hand, 1, -1.0, target) < 0.05, "%g", angle_to(hand, 1, -1.0, target));
        // Its z lies in the plane of the line and +x, on the side of +x.
        const dvec3 line = dvec3_sub(dvec3_load(target), dvec3_from_floats(hand[3]));
        const dvec3 z = dvec3_from_floats(hand[2]);
        const double off = dvec3_dot(dvec3_cross(line, (dvec3){1.0, 0.0, 0.0}), z);
        cr_assert(fabs(off) < 1e-5 * dvec3_length(z) && z.x > 0.0, "%g", off);
    }
}

Test(pose_ik, two_hands_hold_a_rod_of_another_model)
{
    // The rod is the second model's forearm; the order of the file is not that of posing.
    load("  - { name: man, " FIGURE ", ik: [ { reach: { " ARM_R
         ", pole: [0, -1, 0], target: { model: rod, bone: lower_arm_l } } }, { reach: { " ARM_L
         ", pole: [0, -1, 0], target: { model: rod, bone: hand_l, offset: [0, 0.02, 0] } } } ] }\n"
         "  - { name: rod, " FIGURE
         ", transform: { translate: [-0.2, 0.35, 0.3] }, ik: [ { aim: { bone: torso, "
         "target: [0, 1.2, 5] } } ] }\n");
    cr_assert(scene_pose_run_at(&posed_scene, 0).instance == 1);
    for (int i = 0; i < 10; i++) {
        pose(i * 0.3);
        vec4 offset = {0.0f, 0.02f, 0.0f, 1.0f}, at;
        mat4 rod;
        memcpy(rod, world(1, "hand_l"), sizeof rod);
        glm_mat4_mulv(rod, offset, at);
        cr_assert(apart(world(0, "hand_r")[3], world(1, "lower_arm_l")[3]) < 1e-5, "%g",
                  apart(world(0, "hand_r")[3], world(1, "lower_arm_l")[3]));
        cr_assert(apart(world(0, "hand_l")[3], at) < 1e-5);
    }
}

/// The rod is in the right hand, which aims; the left grips it, and does not move the right.
Test(pose_ik, one_hand_holds_what_the_other_grips)
{
    load(
        "  - { name: man, " FIGURE ", ik: [ { aim: { bone: hand_r, axis: [0, -1, 0], target: [0.4, "
        "1.1, 3] } }, { reach: { " ARM_L ", soft: 0, pole: [1, -1, 0], target: { model: rod, bone: "
        "grip_l } } } ] }\n"
        "  - { name: rod, file: ../models/rod.glb, parent: { model: man, bone: hand_r }, "
        "transform: "
        "{ translate: [0, -0.05, 0.1], rotate: [0, 0, -90] } }\n"
        "  - { name: alone, " FIGURE
        ", ik: [ { aim: { bone: hand_r, axis: [0, -1, 0], target: [0.4, "
        "1.1, 3] } } ] }\n");
    for (int i = 0; i < 10; i++) {
        pose(i * 0.3);
        cr_assert(memcmp(world(0, "hand_r"), world(2, "hand_r"), sizeof(mat4)) == 0);
        const affine hand = affine_from_floats(world(0, "hand_r")[0]);
        const dvec3 rod = affine_point(&hand, (dvec3){0.0, -0.05, 0.1});
        cr_assert(dvec3_length(dvec3_sub(rod, joint(1, "rod"))) < 1e-6);
        const double off = apart(world(0, "hand_l")[3], world(1, "grip_l")[3]);
        const double far = apart(world(0, "upper_arm_l")[3], world(1, "grip_l")[3]);
        cr_assert(far > 0.55 || off < 1e-5, "the left hand is %g m off at %g s", off, i * 0.3);
    }
}

/// The figure's ankles are 0.08 m above the floor. The slope of 0.25 is a plane, and then a field
/// of heights whose rows are farther apart than its columns.
Test(pose_ik, feet_stand_on_a_slope)
{
    static const char *const slopes[] = {"point: [0, -0.02, 0], normal: [-0.25, 1, 0]",
                                         "heights: [[9, 9, 9], [-0.27, -0.02, 0.23], "
                                         "[-0.27, -0.02, 0.23]], first: [-1, -9], step: [1, 6]"};
    for (int i = 0; i < 2; i++) {
        char text[512];
        snprintf(
            text, sizeof text,
            "  - { file: ../models/figure.glb, ik: [ { plant: { pelvis: hips, feet: [[thigh_l, "
            "shin_l, foot_l], [thigh_r, shin_r, foot_r]], hinge: [1, 0, 0], soft: 0, ground: "
            "{ %s } } } ] }\n",
            slopes[i]);
        load(text);
        pose(0.0);
        const double length = sqrt(1.0 + 0.25 * 0.25);
        for (int side = 0; side < 2; side++) {
            const vec4 *foot = world(0, side ? "foot_r" : "foot_l");
            const double above = ((double)foot[3][1] + 0.02 - 0.25 * (double)foot[3][0]) / length;
            cr_assert(fabs(above - 0.08) < 1e-5, "%s at %g", side ? "right" : "left", above);
            cr_assert(fabs((double)foot[1][0] + 0.25 / length) < 1e-5, "tilted along the slope");
        }
        // The right foot stands lower: the pelvis drops for it, the left leg bends.
        cr_assert(world(0, "hips")[3][1] < 0.92f - 0.02f);
        cr_assert(world(0, "shin_l")[2][1] < -0.05f || world(0, "shin_l")[2][1] > 0.05f);
    }
}

/// The angle in degrees between one column of two matrices.
static double angle_between(const vec4 *a, const vec4 *b, int column)
{
    double to[3];
    for (int k = 0; k < 3; k++)
        to[k] = (double)a[3][k] + (double)b[column][k];
    return angle_to(a, column, 1.0, to);
}

Test(pose_ik, looks_keep_the_limits_of_the_scene)
{
    // The target is far to the side: more than 80 degrees from where the head looks.
    load("  - { " FIGURE " }\n"
         "  - { " FIGURE
         ", ik: [ { look_at: { bone: head, limit: 30, target: [50, 1.6, 0] } } ] }\n"
         "  - { " FIGURE ", ik: [ { look_at: { bones: [torso, head], shares: [1, 1], "
         "limits: [10, 25], target: [50, 1.6, 0] } } ] }\n"
         "  - { " FIGURE ", ik: [ { look_at: { bone: head, target: [50, 1.6, 0] } } ] }\n");
    pose(0.0);
    const double head = angle_between(world(0, "head"), world(1, "head"), 2);
    cr_assert(fabs(head - 30.0) < 0.01, "limit 30: the head turns by %g", head);
    const double torso = angle_between(world(0, "torso"), world(2, "torso"), 2);
    const double both = angle_between(world(0, "head"), world(2, "head"), 2);
    cr_assert(fabs(torso - 10.0) < 0.01, "limits 10, 25: the torso turns by %g", torso);
    cr_assert(both > 34.0 && both < 35.01, "limits 10, 25: the head turns by %g", both);
    cr_assert(angle_between(world(0, "head"), world(3, "head"), 2) > 75.0, "without limits");
}

#define PLANTED(rest)                                                                              \
    "  - { file: ../models/figure.glb, ik: [ { plant: { pelvis: hips, feet: [[thigh_l, shin_l, "   \
    "foot_l], [thigh_r, shin_r, foot_r]], hinge: [1, 0, 0], soft: 0, " rest " } } ] }\n"

Test(pose_ik, feet_keep_the_limits_of_the_scene)
{
    // A slope of 0.25, 14 degrees; and a floor that is lower by 0.1 m, or higher.
    load("  - { file: ../models/figure.glb }\n" PLANTED(
        "tilt: 5, ground: { point: [0, -0.02, 0], normal: [-0.25, 1, 0] }")
             PLANTED("ground: { height: -0.1 }") PLANTED("drop: 0.04, ground: { height: -0.1 }")
                 PLANTED("ground: { height: 0.1 }") PLANTED("rise: 0.03, ground: { height: 0.1 }"));
    pose(0.0);
    for (int side = 0; side < 2; side++) {
        const char *name = side ? "foot_r" : "foot_l";
        const double tilt = angle_between(world(0, name), world(1, name), 1);
        cr_assert(fabs(tilt - 5.0) < 0.01, "%s is tilted by %g", name, tilt);
    }
    static const double lifts[6] = {0.0, 0.0, -0.1, -0.04, 0.0, 0.03};
    const double hips = (double)world(0, "hips")[3][1];
    for (uint32_t i = 2; i < 6; i++) {
        const double lift = (double)world(i, "hips")[3][1] - hips;
        cr_assert(fabs(lift - lifts[i]) < 1e-5, "model %u: the hips rise by %g", i, lift);
    }
}

// ---- Weights ------------------------------------------------------------------------------------

Test(pose_ik, weights_are_exact_at_both_ends)
{
    load("  - { name: none, " WALKER " }\n"
         "  - { name: nothing, " WALKER ", ik: [ { reach: { " ARM_R
         ", target: [0, 1, 1], weight: 0 } }, { look_at: { bone: head, "
         "target: [1, 1, 1], weight: 0 } }, { plant: { pelvis: pelvis, feet: [[thigh_l, calf_l, "
         "foot_l]], ground: { height: 0.1 }, weight: 0 } } ] }\n"
         "  - { name: whole, " WALKER ", ik: [ { reach: { " ARM_R ", target: [0, 1, 1] } } ] }\n"
         "  - { name: keyed, " WALKER ", ik: [ { reach: { " ARM_R
         ", target: [0, 1, 1], weight: [[0, 0], [1, 1]] } } ] }\n");
    const size_t size = posed_scene.instances[0].model->node_count * sizeof(mat4);
    pose(0.4);
    cr_assert(memcmp(worlds[0], worlds[1], size) == 0, "weight 0 is no solver");
    cr_assert(memcmp(worlds[0], worlds[2], size) != 0);
    pose(1.0);
    cr_assert(memcmp(worlds[2], worlds[3], size) == 0, "weight 1 is the solved pose");
    pose(0.0);
    cr_assert(memcmp(worlds[0], worlds[3], size) == 0);
    // In between the hand goes from one to the other without a step.
    float before[3];
    pose(0.0);
    memcpy(before, world(3, "hand_r")[3], sizeof before);
    for (int i = 1; i <= 1000; i++) {
        arena_reset(&posed_scratch);
        pose(i * 1e-3);
        cr_assert(apart(before, world(3, "hand_r")[3]) < 0.01);
        memcpy(before, world(3, "hand_r")[3], sizeof before);
    }
}

#define WALKS(ground, more)                                                                        \
    "  - { file: ../models/walker.glb, animation: { clip: walk, root_motion: { speed: from_feet "  \
    "} }, "                                                                                        \
    "ik: [ { plant: { pelvis: pelvis, feet: [[thigh_l, calf_l, foot_l], [thigh_r, calf_r, "        \
    "foot_r]], "                                                                                   \
    "hinge: [1, 0, 0], pole: [0, 0, 1], ground: " ground more " } } ] }\n"
/// Stones of 0.18 m.
#define STONES                                                                                     \
    "{ first: [-1, 0], step: [2, 0.2], heights: ["                                                 \
    "[0, 0], [-0.18, -0.18], [-0.02, -0.02], [-0.15, -0.15], [0, 0], [-0.17"                       \
    ", -0.17], [-0.05, -0.05], [-0.18, -0.18], [-0.01, -0.01], [-0.12, -0.1"                       \
    "2], [-0.18, -0.18], [0, 0], [-0.16, -0.16], [-0.03, -0.03], [-0.18, -0"                       \
    ".18], [-0.02, -0.02], [-0.14, -0.14]"                                                         \
    "] }"

/// The largest step of the pelvis up or down in 1/30 s.
static double pelvis_step(const char *models)
{
    double largest = 0.0;
    float before[3];
    load(models);
    for (int i = 0; i <= 75; i++) {
        arena_reset(&posed_scratch);
        pose(i / 30.0);
        const float *at = world(0, "pelvis")[3];
        largest = i > 0 ? fmax(largest, fabs((double)at[1] - (double)before[1])) : 0.0;
        memcpy(before, at, sizeof before);
    }
    return largest;
}

Test(pose_ik, a_planted_pelvis_is_smooth)
{
    static const char slope[] = WALKS("{ normal: [0, 0.9397, -0.342] }", "");
    const double rough = pelvis_step(WALKS(STONES, "")), uphill = pelvis_step(slope);
    cr_expect(rough < 0.015 && uphill < 0.015, "%g %g", rough, uphill);
    const double followed = pelvis_step(WALKS(STONES, ", smooth: 0"));
    cr_expect(followed > 3.0 * rough, "%g", followed);
    // Soles stay on the slope as they are on the floor.
    static float heights[2][76];
    for (int hill = 0; hill < 2; hill++) {
        load(hill ? slope
                  : "  - { file: ../models/walker.glb, animation: { clip: walk, "
                    "root_motion: { speed: from_feet } } }\n");
        for (int i = 0; i <= 75; i++) {
            arena_reset(&posed_scratch);
            pose(i / 30.0);
            const float *at = world(0, "foot_r")[3];
            heights[hill][i] = at[1] - (hill ? at[2] * 0.342f / 0.9397f : 0.0f);
        }
    }
    for (int i = 0; i <= 75; i++) // an ankle tilts with its sole
        cr_expect(fabsf(heights[1][i] * 0.9397f - heights[0][i]) < 2e-3f, "frame %d: %g %g", i,
                  (double)heights[1][i], (double)heights[0][i]);
}

/// The way that an ankle slides while it is planted: slower over the ground than 0.24 m/s.
static double slip(const char *models)
{
    double largest = 0.0;
    load(models);
    for (int side = 0; side < 2; side++) {
        float landed[3] = {0}, before[3] = {0};
        bool planted = false;
        for (int i = 0; i <= 300; i++) {
            arena_reset(&posed_scratch);
            pose(i / 120.0);
            const float *at = world(0, side ? "foot_r" : "foot_l")[3];
            const double dx = (double)at[0] - (double)before[0],
                         dz = (double)at[2] - (double)before[2];
            const bool slow = i > 0 && sqrt(dx * dx + dz * dz) * 120.0 < 0.24;
            if (slow && !planted)
                memcpy(landed, at, sizeof landed);
            if (slow)
                largest = fmax(largest, hypot((double)at[0] - (double)landed[0],
                                              (double)at[2] - (double)landed[2]));
            planted = slow;
            memcpy(before, at, sizeof before);
        }
    }
    return largest;
}

/// From a walk into a run, whose strides differ.
#define FADES(lock)                                                                                \
    "  - { file: ../models/walker.glb, animation: [ { clip: walk, root_motion: { speed: "          \
    "from_feet }, "                                                                                \
    "until: 1.5, fade: 0.6 }, { clip: run, at: 1.2, fade: 0.6, root_motion: { speed: from_feet } " \
    "} ], "                                                                                        \
    "ik: [ { plant: { pelvis: pelvis, feet: [[thigh_l, calf_l, foot_l], [thigh_r, calf_r, "        \
    "foot_r]], "                                                                                   \
    "hinge: [1, 0, 0], pole: [0, 0, 1], ground: { height: 0 }" lock " } } ] }\n"

Test(pose_ik, locked_feet_stay_where_they_land)
{
    const double free = slip(FADES("")), locked = slip(FADES(", lock: true"));
    cr_expect(locked < 0.005 && free > 6.0 * locked, "%g m, and %g m without the lock", locked,
              free);
    cr_expect(slip(WALKS("{ height: 0 }", ", lock: true")) < 0.002);
    // Nothing jumps where a foot is let go.
    double largest = 0.0;
    float before[3];
    load(FADES(", lock: true"));
    for (int i = 0; i <= 1200; i++) {
        arena_reset(&posed_scratch);
        pose(i / 480.0);
        largest = i > 0 ? fmax(largest, apart(before, world(0, "foot_l")[3])) : 0.0;
        memcpy(before, world(0, "foot_l")[3], sizeof before);
    }
    cr_expect(largest * 480.0 < 12.0, "%g m/s", largest * 480.0);
}

/// Two that look at each other see what they would if the other did not look.
Test(pose_ik, targets_before_solvers)
{
#define LOOKS(name, other, x, before)                                                              \
    "  - { name: " name ", " WALKER ", transform: { translate: [" x ", 0, 0] }, ik: [ { look_at: " \
    "{ bones: [spine3, head], forward: [0, 0, 1], target: { model: " other ", bone: head" before   \
    " } } } ] }\n"
    static mat4 want[2][64];
    load(LOOKS("a", "b", "0", "") "  - { name: b, " WALKER
                                  ", transform: { translate: [2, 0, 0] } }\n");
    const size_t size = posed_scene.instances[0].model->node_count * sizeof(mat4);
    cr_assert(size <= sizeof want[0]);
    pose(0.3);
    memcpy(want[0], worlds[0], size);
    load(LOOKS("b", "a", "2", "") "  - { name: a, " WALKER
                                  ", transform: { translate: [0, 0, 0] } }\n");
    pose(0.3);
    memcpy(want[1], worlds[0], size);
    load(LOOKS("a", "b", "0", ", before: solvers") LOOKS("b", "a", "2", ", before: solvers"));
    pose(0.3);
    cr_expect(memcmp(worlds[0], want[0], size) == 0 && memcmp(worlds[1], want[1], size) == 0);
    load(LOOKS("b", "a", "2", "") LOOKS("a", "b", "0", ", before: solvers"));
    pose(0.3);
    cr_expect(memcmp(worlds[1], want[0], size) == 0, "one of them is enough");
    cr_expect(memcmp(worlds[0], want[1], size) != 0, "the other one sees the head that turned");
}

// ---- Over time ----------------------------------------------------------------------------------

/// Joints of the demonstration scenes move by no more than 12 m/s: nothing pops, also where a
/// target passes behind, leaves the reach or is let go.
Test(pose_ik, scenes_move_without_jumps)
{
    static const char *const names[] = {"look",  "door",  "soft",   "stairs",  "rod",  "limits",
                                        "rifle", "chain", "orient", "strider", "twist"};
    enum { RATE = 480, STEPS = 4 * RATE, JOINTS = 64 };
    static float before[8][JOINTS][3];
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        PRINTED(name, 32, "ik_%s", names[n]);
        load_file(name);
        cr_assert(posed_scene.instance_count <= 8);
        for (int i = 0; i <= STEPS; i++) {
            arena_reset(&posed_scratch);
            pose((double)i / RATE);
            for (uint32_t k = 0; k < posed_scene.instance_count; k++) {
                // The clip of the door itself jumps when it begins again.
                const bool repeats = strcmp(names[n], "door") == 0 && i >= 3 * RATE;
                for (uint32_t j = 0; j < posed_scene.instances[k].model->node_count; j++) {
                    const float *at = worlds[k][j][3];
                    cr_assert(j < JOINTS);
                    if (i > 0 && !repeats)
                        cr_assert(apart(before[k][j], at) < 12.0 / RATE,
                                  "%s: %s moves %g m in 1/480 s at %g s", names[n],
                                  posed_scene.instances[k].model->nodes[j].name,
                                  apart(before[k][j], at), (double)i / RATE);
                    memcpy(before[k][j], at, sizeof before[k][j]);
                }
            }
        }
    }
}

// ---- Anything -----------------------------------------------------------------------------------

enum { SOLVERS = 6 };

static track random_track(oracle_case *c, uint32_t width, double low, double high)
{
    double *value = ARENA_ARRAY(&c->model.arena, double, 1 + width);
    for (uint32_t k = 1; k <= width; k++)
        value[k] = oracle_between(&c->seed, low, high);
    return (track){.key_count = 1, .width = width, .time_s = value, .value = value + 1};
}

static void random_vector(oracle_case *c, double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = oracle_between(&c->seed, 0.0, 1.0) < 0.2 ? 0.0 : oracle_between(&c->seed, -2, 2);
}

static int32_t random_node(oracle_case *c)
{
    return (int32_t)(oracle_between(&c->seed, 0.0, 0.9999) * ORACLE_NODES);
}

/// Any nodes, whether they hang on each other or not, and any numbers that a scene may hold.
static void random_solver(oracle_case *c, uint32_t instance, scene_ik *out)
{
    static const double shares[6] = {1.0, 0.0, 3.0, 1.0, 1.0, 1.0};
    static const double limits[6] = {30.0, 0.0, 50.0, 180.0, 90.0, 10.0};
    int32_t *bones = ARENA_ARRAY(&c->model.arena, int32_t, 6);
    const int kind = (int)oracle_between(&c->seed, 0.0, SCENE_IK_GAZE - 1e-4); // before it
    for (int i = 0; i < 6; i++)
        bones[i] = random_node(c);
    *out = (scene_ik){
        .kind = (scene_ik_kind)kind,
        .weight = random_track(c, 1, -0.2, 1.2),
        .model_space = oracle_between(&c->seed, 0.0, 1.0) < 0.5,
        .bone_count = kind == SCENE_IK_LOOK_AT ? 1 + (uint32_t)oracle_between(&c->seed, 0.0, 5.9)
                      : kind == SCENE_IK_REACH ? 3
                      : kind == SCENE_IK_PLANT ? 6
                      : kind == SCENE_IK_TWIST ? 4
                      : kind == SCENE_IK_CHAIN ? 3 + (uint32_t)oracle_between(&c->seed, 0.0, 3.9)
                                               : 1,
        .bones = bones,
        .target = {.instance = (int32_t)oracle_between(&c->seed, -2.9, (double)instance + 0.9),
                   .node = random_node(c),
                   .point = random_track(c, 3, -5.0, 5.0)},
        .limit_deg = oracle_between(&c->seed, 0.0, 180.0),
        .shares = shares,
        .up = random_track(c, 3, -1.0, 1.0),
        .soft = oracle_between(&c->seed, 0.0, 1.0),
        .min_deg = oracle_between(&c->seed, 0.0, 90.0),
        .max_deg = oracle_between(&c->seed, 90.0, 180.0),
        .cone_deg = oracle_between(&c->seed, 0.0, 360.0),
        .iterations = 4,
        .limits_deg = oracle_between(&c->seed, 0.0, 1.0) < 0.5 ? NULL : limits,
        .pelvis = random_node(c),
        .terrain = {.normal = {0.1, 1.0, -0.2}},
        .tilt_deg = oracle_between(&c->seed, 0.0, 80.0),
        .drop_m = oracle_between(&c->seed, 0.0, 2.0),
    };
    random_vector(c, out->forward);
    random_vector(c, out->offset);
    random_vector(c, out->up_axis);
    random_vector(c, out->hinge);
    random_vector(c, out->cone_axis);
    out->orient = (scene_orientation){
        .given = kind == SCENE_IK_COPY_ROTATION || oracle_between(&c->seed, 0.0, 1.0) < 0.5,
        .target = {.instance = (int32_t)oracle_between(&c->seed, -2.9, (double)instance + 0.9),
                   .node = random_node(c)},
        .rotation = random_track(c, 4, -1.0, 1.0),
        .rotate = random_track(c, 3, -200.0, 200.0),
        .weight = random_track(c, 1, 0.0, 1.0)};
    if (oracle_between(&c->seed, 0.0, 1.0) < 0.5)
        out->pole = random_track(c, 3, -1.0, 1.0);
}

static void check_pose(oracle_case *c, uint32_t instance, const pose_scratch *memory,
                       const mat4 *got)
{
    trs local[ORACLE_NODES];
    mat4 model, want[POSE_LANES];
    for (int n = 0; n < ORACLE_NODES; n++) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            local[n].t[k] = memory->local->t[k][n];
            local[n].s[k] = memory->local->s[k][n];
        }
        for (int k = 0; k < 4; k++) {
            local[n].r[k] = memory->local->r[k][n];
            square += (double)local[n].r[k] * (double)local[n].r[k];
        }
        NEAR(square, 1.0, 3e-6, "seed %llu: a rotation of length^2", (unsigned long long)c->seed);
        cr_assert_not(memory->changed[n]);
    }
    pose_instance_transform(&c->scene, &c->instances[instance], scene_shot_time(&c->scene, 0.7),
                            model);
    pose_to_world(&c->model, model, local, want);
    cr_assert(memcmp(want, got, ORACLE_NODES * sizeof *want) == 0, "the matrices of the rotations");
    for (int n = 0; n < ORACLE_NODES; n++)
        for (int k = 0; k < 16; k++)
            cr_assert(isfinite(got[n][k / 4][k % 4]));
}

Test(pose_ik, random_solvers_on_random_models_give_poses)
{
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        mat4 posed[2][POSE_LANES];
        const mat4 *all[2] = {(const mat4 *)posed[0], (const mat4 *)posed[1]};
        pose_scratch memory;
        ORACLE_CASE(c, seed * 0x9E3779B97F4A7C15u);
        cr_assert(pose_scratch_init(&c.scene, &c.scratch, &memory));
        for (uint32_t i = 0; i < 2; i++) {
            scene_ik solvers[SOLVERS];
            for (int k = 0; k < SOLVERS; k++)
                random_solver(&c, i, &solvers[k]);
            c.instances[i].ik = solvers;
            c.instances[i].ik_count = SOLVERS;
            pose_instance(kernels_for(ZT_ISA_SCALAR)->pose, &c.scene, &c.instances[i],
                          scene_shot_time(&c.scene, 0.7), &memory, all, NULL, posed[i]);
            check_pose(&c, i, &memory, all[i]);
            EACH_KERNEL_TABLE (isa, k) {
                mat4 again[POSE_LANES];
                if (seed % 50 != 0)
                    continue;
                pose_instance(k->pose, &c.scene, &c.instances[i], scene_shot_time(&c.scene, 0.7),
                              &memory, all, NULL, again);
                cr_assert(memcmp(again, posed[i], ORACLE_NODES * sizeof *again) == 0);
            }
        }
    }
}
