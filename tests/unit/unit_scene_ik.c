// SPDX-License-Identifier: MIT
/// `ik` in scene files: every key and its default, targets on bones of other models and the order
/// of posing that follows.
#include "scene/scene_follow.h"
#include "scene/scene_ik.h"
#include "scene/scene_links.h"
#include "scene_fixture.h"

#define FIGURE "file: ../models/figure.glb"
#define START  "format: 1\nmodels:\n  - " FIGURE "\n    ik:\n      - "
#define ARM    "bones: [upper_arm_r, lower_arm_r, hand_r]"
#define LEGS   "pelvis: hips, feet: [[thigh_l, shin_l, foot_l], [thigh_r, shin_r, foot_r]]"

static void set_up(void)
{
    fixture_folder = ZT_SOURCE_DIR "/scenes/tests/";
    setup();
}

TestSuite(scene_ik, .init = set_up, .fini = teardown);

static const scene_ik *must_solve(const char *text)
{
    must_read(text);
    cr_assert(scene.instances[0].ik_count > 0);
    return &scene.instances[0].ik[0];
}

static const char *bone(const scene_ik *ik, uint32_t i)
{
    return scene.instances[0].model->nodes[ik->bones[i]].name;
}

static void expect_run(uint32_t index, uint32_t instance, uint32_t first, uint32_t end)
{
    const scene_pose_run run = scene_pose_run_at(&scene, index);
    cr_assert(run.instance == instance && run.first_step == first && run.end_step == end,
              "run %u: steps %u to %u of %u", index, run.first_step, run.end_step, run.instance);
}

// ---- Keys and defaults --------------------------------------------------------------------------

Test(scene_ik, look_at_of_a_bone)
{
    const scene_ik *ik =
        must_solve(START "{ look_at: { bone: head, forward: [0, 0, 2], target: [1, "
                         "1.6, 2], limit: 70, weight: 0.8 } }\n");
    cr_assert(ik->kind == SCENE_IK_LOOK_AT && ik->bone_count == 1);
    cr_assert_str_eq(bone(ik, 0), "head");
    cr_assert(ik->forward[2] == 2.0 && ik->limit_deg == 70.0 && !ik->model_space);
    cr_assert_eq(ik->target.instance, SCENE_TARGET_POINT);
    cr_assert(at(&ik->target.point, 3.0, 1) == 1.6 && at(&ik->weight, 0.0, 0) == 0.8);
    cr_assert(ik->shares[0] == 1.0 && !ik->limits_deg);
}

Test(scene_ik, look_at_of_a_chain)
{
    const scene_ik *ik = must_solve(
        START "{ look_at: { bones: [torso, head], shares: [1, 3], limits: [20, 50], offset: [0, "
              "0.1, 0.1], space: model, target: [[0, [0, 1, 2]], [1, [2, 1, 0]]], weight: [[0, 0], "
              "[1, 1]] } }\n");
    cr_assert_eq(ik->bone_count, 2);
    cr_assert_str_eq(bone(ik, 0), "torso");
    cr_assert(ik->shares[1] == 3.0 && ik->limits_deg[1] == 50.0 && ik->offset[1] == 0.1);
    cr_assert(ik->model_space && at(&ik->target.point, 0.5, 0) == 1.0);
    cr_assert(at(&ik->weight, 0.25, 0) == 0.25 && ik->limit_deg == 180.0);
    cr_assert(ik->forward[2] == 1.0);
}

Test(scene_ik, look_at_with_yaw_pitch_and_up)
{
    const scene_ik *ik = must_solve(
        START "{ look_at: { bone: head, target: [0, 0, 1] } }\n"
              "      - { look_at: { bone: head, yaw: 70, pitch: [30, 20], target: [0, 0, 1] } }\n"
              "      - { look_at: { bone: head, up: [0, 0, 1], target: [0, 0, 1] } }\n");
    cr_assert(ik[0].up.key_count == 0 && ik[0].yaw_deg[1] == 180.0 && ik[0].pitch_deg[0] == 180.0);
    cr_assert(ik[1].yaw_deg[0] == 70.0 && ik[1].yaw_deg[1] == 70.0);
    cr_assert(ik[1].pitch_deg[0] == 30.0 && ik[1].pitch_deg[1] == 20.0);
    cr_assert(at(&ik[1].up, 0.0, 1) == 1.0 && at(&ik[2].up, 0.0, 2) == 1.0);
}

Test(scene_ik, reach_for_a_door)
{
    const scene_ik *ik = must_solve(
        "format: 1\nmodels:\n  - " FIGURE "\n    name: man\n    ik:\n"
        "      - { reach: { " ARM ", pole: [0, 0, -1], target: { model: door, bone: hand_l }, "
        "weight: [[0.2, 0], [0.6, 1]] } }\n  - { name: door, " FIGURE " }\n");
    cr_assert(ik->kind == SCENE_IK_REACH && ik->bone_count == 3);
    cr_assert_str_eq(bone(ik, 2), "hand_r");
    cr_assert(ik->target.instance == 1 && at(&ik->pole, 0.0, 2) == -1.0);
    cr_assert_str_eq(scene.instances[1].model->nodes[ik->target.node].name, "hand_l");
    cr_assert(ik->soft == 0.03 && ik->min_deg == 0.0 && ik->max_deg == 180.0);
    cr_assert(ik->cone_deg == 180.0 && ik->hinge[0] == 0.0);
    cr_assert(scene.ordered_count == 2 && scene_pose_run_count(&scene) == 2);
    expect_run(0, 1, 0, 1); // the door has no solvers
    expect_run(1, 0, 0, 2);
}

Test(scene_ik, reach_with_all_its_limits)
{
    const scene_ik *ik = must_solve(
        START "{ reach: { " ARM ", target: { bone: head, offset: [0, 0.2, 0] }, hinge: "
              "[-1, 0, 0], soft: 0.1, angle: [30, 170], cone: { axis: [0, -1, 0], angle: "
              "80 } } }\n");
    cr_assert_eq(ik->target.instance, SCENE_TARGET_SELF);
    cr_assert_str_eq(scene.instances[0].model->nodes[ik->target.node].name, "head");
    cr_assert(ik->target.offset[1] == 0.2 && ik->hinge[0] == -1.0 && ik->soft == 0.1);
    cr_assert(ik->min_deg == 30.0 && ik->max_deg == 170.0);
    cr_assert(ik->cone_axis[1] == -1.0 && ik->cone_deg == 80.0);
    cr_assert(at(&ik->weight, 0.0, 0) == 1.0 && ik->pole.key_count == 0);
}

Test(scene_ik, orientations)
{
    const scene_ik *ik = must_solve(
        "format: 1\nmodels:\n  - " FIGURE "\n    name: man\n    ik:\n"
        "      - { copy_rotation: { bone: head, target: { model: rod, bone: grip_l }, rotate: [0, "
        "90, 0], weight: 0.5 } }\n"
        "      - { copy_rotation: { bone: head, target: [[0, [0, 0, 0]], [1, [90, 0, 0]]], space: "
        "model } }\n"
        "      - { reach: { " ARM ", target: { model: rod, bone: grip_l }, orient: { target: { "
        "bone: head }, weight: [[0, 0], [1, 1]] } } }\n"
        "      - { reach: { " ARM ", target: [0, 1, 1] } }\n"
        "  - { name: rod, file: ../models/rod.glb }\n");
    cr_assert(ik->kind == SCENE_IK_COPY_ROTATION && ik->bone_count == 1 && ik->orient.given);
    cr_assert(ik->orient.target.instance == 1 && at(&ik->orient.rotate, 0.0, 1) == 90.0);
    cr_assert(at(&ik->weight, 0.0, 0) == 0.5 && ik->target.instance == SCENE_TARGET_POINT);
    cr_assert(ik[1].orient.target.instance == SCENE_TARGET_POINT && ik[1].model_space);
    cr_assert(at(&ik[1].orient.rotation, 0.5, 0) == 45.0);
    cr_assert(ik[2].orient.given && ik[2].orient.target.instance == SCENE_TARGET_SELF);
    cr_assert(at(&ik[2].orient.weight, 0.5, 0) == 0.5 && !ik[3].orient.given);
    expect_run(0, 1, 0, 1); // the rod, before what copies its rotation
    // An orientation is a link like a target.
    must_fail("format: 1\nmodels:\n  - { name: a, " FIGURE ", ik: [ { copy_rotation: { bone: head, "
              "target: { model: b, bone: head } } } ] }\n  - { name: b, " FIGURE
              ", ik: [ { copy_rotation: { bone: head, target: { model: a, bone: head } } } ] }\n",
              "'a' -> 'head' of 'b' -> 'head' of 'a' (");
}

Test(scene_ik, chains)
{
#define SNAKE "format: 1\nmodels:\n  - { file: ../models/tentacle.glb, ik: [ { chain: { "
    const scene_ik *ik =
        must_solve(SNAKE "root: eight_3, end: eight_7, limit: 30, target: [0, 1, 1] } }, { chain: "
                         "{ bones: [four_0, four_4, four_8], limit: [20, 40], pole: [0, 0, 1], "
                         "soft: 0, iterations: 7, target: [0, 1, 1], weight: 0.5 } } ] }\n");
    cr_assert(ik->kind == SCENE_IK_CHAIN && ik->bone_count == 5 && ik->iterations == 48);
    cr_assert_str_eq(bone(ik, 0), "eight_3");
    cr_assert_str_eq(bone(ik, 4), "eight_7");
    cr_assert(ik->limits_deg[0] == 30.0 && ik->limits_deg[3] == 30.0 && ik->soft == 0.03);
    cr_assert(ik[1].bone_count == 3 && ik[1].limits_deg[1] == 40.0 && ik[1].iterations == 7);
    cr_assert(at(&ik[1].pole, 0.0, 2) == 1.0 && ik[1].soft == 0.0);
}

Test(scene_ik, twists)
{
    const scene_ik *ik = must_solve(
        START "{ twist: { bone: hand_r, bones: [upper_arm_r, lower_arm_r] } }\n"
              "      - { twist: { bone: hand_r, bones: [lower_arm_r], shares: [0.4], axis: [0, -1, "
              "0], weight: 0.5 } }\n");
    cr_assert(ik->kind == SCENE_IK_TWIST && ik->bone_count == 3 && ik->forward[2] == 0.0);
    cr_assert_str_eq(bone(ik, 2), "hand_r");
    cr_assert(fabs(ik->shares[0] - 1.0 / 3.0) < 1e-12 && fabs(ik->shares[1] - 2.0 / 3.0) < 1e-12);
    cr_assert(ik[1].shares[0] == 0.4 && ik[1].forward[1] == -1.0);
}

Test(scene_ik, aim_and_plant)
{
    const scene_ik *ik = must_solve(
        START "{ aim: { bone: hand_r, axis: [0, -1, 0], up_axis: [0, 0, 1], up: [1, 0, 0], offset: "
              "[0, 0.1, 0], space: model, target: [0, 1, 2], weight: 0.5 } }\n"
              "      - { aim: { bone: hand_l, target: [0, 0, 0] } }\n"
              "      - { plant: { " LEGS " } }\n"
              "      - { plant: { " LEGS
              ", ground: { point: [0, 1, 0], normal: [0, 2, 1] }, floor: 0.1, tilt: 20, drop: 0.2, "
              "rise: 0.3, pole: [0, 0, 1], space: model, hinge: [1, 0, 0], soft: 0.02, angle: [40, "
              "175], weight: 0.5 } }\n"
              "      - { plant: { " LEGS
              ", ground: { height: 0.5, heights: [[0, 1, 2], [3, 4, 5]], "
              "first: [-1, -2], step: [0.5, 0.25] } } }\n");
    cr_assert_eq(scene.instances[0].ik_count, 5);
    cr_assert(ik->kind == SCENE_IK_AIM && ik->forward[1] == -1.0 && ik->up_axis[2] == 1.0);
    cr_assert(at(&ik->up, 0.0, 0) == 1.0 && ik->offset[1] == 0.1 && ik->model_space);
    cr_assert(ik[1].forward[2] == 1.0 && ik[1].up_axis[1] == 1.0 && at(&ik[1].up, 0.0, 1) == 1.0);
    cr_assert(ik[2].kind == SCENE_IK_PLANT && ik[2].bone_count == 6 && ik[2].tilt_deg == 30.0);
    cr_assert(ik[2].terrain.normal[1] == 1.0 && ik[2].terrain.rows == 0 && ik[2].rise_m == 0.0);
    cr_assert_str_eq(bone(&ik[2], 5), "foot_r");
    cr_assert(ik[3].terrain.point[1] == 1.0 && ik[3].terrain.normal[2] == 1.0);
    cr_assert(ik[3].floor_m == 0.1 && ik[3].tilt_deg == 20.0 && ik[3].drop_m == 0.2);
    cr_assert(ik[3].rise_m == 0.3 && ik[3].hinge[0] == 1.0 && ik[3].min_deg == 40.0);
    const scene_terrain *field = &ik[4].terrain;
    cr_assert(field->rows == 2 && field->columns == 3 && field->height[5] == 5.5);
    cr_assert(field->first[1] == -2.0 && field->step[1] == 0.25);
}

Test(scene_ik, instances_have_solvers_of_their_own_or_their_models)
{
    must_solve("format: 1\nmodels:\n  - " FIGURE "\n    name: man\n"
               "    ik: [ { aim: { bone: head, target: [0, 0, 9] } } ]\n"
               "    instances: [ {}, { ik: [] }, { ik: [ { look_at: { bone: head, target: "
               "[0, 0, 1] } } ] } ]\n");
    cr_assert_eq(scene.instance_count, 3);
    cr_assert(scene.instances[0].ik_count == 1 && scene.instances[1].ik_count == 0);
    cr_assert_eq(scene.instances[2].ik[0].kind, SCENE_IK_LOOK_AT);
    cr_assert_eq(scene.ordered_count, 0, "no target stands on another model");
}

Test(scene_ik, reach_from_one_arm_to_the_other)
{
    must_solve(START
               "{ reach: { bones: [upper_arm_l, lower_arm_l, hand_r], target: [0, 0, 1] } }\n");
}

Test(scene_ik, keys_of_bones)
{
    must_read(
        "format: 1\nmodels:\n  - { file: ../models/figure.glb, bones: { torso/head: { rotate: "
        "[0, 0, 1] }, 5: { scale: 2, mode: additive } } }\n");
    cr_assert_eq(scene.instances[0].bone_key_count, 2);
    cr_assert_eq(scene.instances[0].bone_keys[1].node, 5);
}

/// Points of cameras that follow use the keys of targets, without their own model.
#define MAN "format: 1\nmodels:\n  - { name: man, file: ../models/figure.glb }\n"
Test(scene_ik, points_of_cameras)
{
    char lamps[8192] = MAN "lights:\n";
    for (int i = 0; i < 65; i++)
        strcat(lamps, "  - { point: { position: { model: man, smooth: 1 } } }\n");
    must_fail(lamps, "more than 64 points");
    must_read(MAN
              "camera: { look_at: { target: { model: man }, position: { model: man, bone: head, "
              "offset: [0, 1, 2], space: world, smooth: 0.5 } } }\n");
    const scene_follow *eye = scene.camera.position.follow, *to = scene.camera.target.follow;
    cr_assert(eye && to && eye->instance == 0 && eye->node >= 0 && eye->world_offset);
    cr_assert(eye->smooth_s == 0.5 && eye->offset[2] == 2.0);
    cr_assert(to->node == -1 && !to->world_offset && to->smooth_s == 0.0);
}

/// At most ten names, nearest first.
Test(scene_ik, messages_list_the_nearest_bones)
{
    must_fail(START "{ look_at: { bone: hand_m, target: [0, 0, 1] } }\n",
              "no bone 'hand_m' in figure.glb (did you mean 'hand_l'? There are hand_l, hand_r, "
              "head, ");
    cr_assert(strstr(err.message, ", ...)"), "%s", err.message);
    uint32_t commas = 0;
    for (const char *c = strstr(err.message, "There are"); *c; c++)
        commas += *c == ',';
    cr_assert_eq(commas, 10, "%s", err.message);
}

Test(scene_ik, models_that_wait_for_each_other_are_refused)
{
#define WAITS(name, bone, other, on)                                                               \
    "  - { name: " name ", " FIGURE ", ik: [ { aim: { bone: " bone ", target: { model: " other     \
    ", bone: " on " } } } ] }\n"
    must_fail("format: 1\nmodels:\n" WAITS("a", "head", "b", "head")
                  WAITS("b", "head", "c", "hand_l") WAITS("c", "torso", "a", "head"),
              "wait for each other: 'a' -> 'head' of 'b' -> 'hand_l' of 'c' -> 'head' of 'a' (");
    must_fail("format: 1\nmodels:\n" WAITS("x", "head", "a", "head") WAITS("a", "head", "b", "head")
                  WAITS("b", "head", "a", "head"),
              ": 'a' -> 'head' of 'b' -> 'head' of 'a' (");
    must_fail("format: 1\nmodels:\n" WAITS("a", "head", "b", "head")
                  WAITS("b", "head", "a", "head"),
              "a target with 'before: solvers' takes its bone as clips have it)");
    must_solve("format: 1\nmodels:\n" WAITS("a", "head", "b", "head, before: solvers")
                   WAITS("b", "head", "a", "head"));
    must_fail("format: 1\nmodels:\n" WAITS("a", "head", "a", "head, before: clips"),
              "expected one of solvers");
    must_fail("format: 1\nmodels: [ { " FIGURE ", ik: [ { aim: { bone: head, target: { bone: hips, "
              "before: solvers } } } ] } ]\n",
              "before: solvers without a model");
    // Bones that no solver moves make no ring, nor does a model by name, nor a chain.
    must_solve("format: 1\nmodels:\n" WAITS("a", "head", "b", "hips")
                   WAITS("b", "head", "a", "hips"));
    must_solve("format: 1\nmodels:\n" WAITS("a", "head", "a", "hips")
                   WAITS("b", "head", "c", "head") WAITS("c", "head", "a", "hips"));
    cr_assert_eq(scene_pose_run_count(&scene), 3);
    expect_run(0, 0, 0, 2);
    expect_run(1, 2, 0, 2);
    expect_run(2, 1, 0, 2);
}

#define HOLDS "  - { name: rod, file: ../models/rod.glb, parent: { model: man, bone: hand_r } }\n"
#define GRIPS                                                                                      \
    "{ reach: { bones: [upper_arm_l, lower_arm_l, hand_l], target: { model: rod, bone: grip_l } "  \
    "} }"
#define POINTS "{ aim: { bone: hand_r, target: [0, 1, 9] } }"
#define BOWS   "{ look_at: { bone: torso, target: [0, 1, 9] } }"

Test(scene_ik, one_hand_holds_what_the_other_grips)
{
    must_solve("format: 1\nmodels:\n  - { name: man, " FIGURE ", ik: [ " POINTS ", " GRIPS
               " ] }\n" HOLDS);
    cr_assert_eq(scene_pose_run_count(&scene), 3);
    expect_run(0, 0, 0, 2);
    expect_run(1, 1, 0, 1);
    expect_run(2, 0, 2, 3);
    // What moves the holding hand after the other has gripped is a ring.
    must_fail("format: 1\nmodels:\n  - { name: man, " FIGURE ", ik: [ " GRIPS ", " POINTS
              " ] }\n" HOLDS,
              "'man' -> 'grip_l' of 'rod' -> 'hand_r' of 'man' (");
    must_fail("format: 1\nmodels:\n  - { name: man, " FIGURE ", ik: [ " GRIPS ", " BOWS
              " ] }\n" HOLDS,
              "-> 'hand_r' of 'man' (");
}

// ---- The order by itself ------------------------------------------------------------------------

Test(scene_ik, orders_pose_targets_first)
{
    enum { COUNT = 60, NEEDS = 120 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint64_t state = seed;
        scene_dependency needs[NEEDS];
        uint32_t order[COUNT], rank[COUNT], *ring = NULL, ring_count = 0;
        bool there[COUNT] = {false};
        for (int i = 0; i < NEEDS; i++) {
            uint32_t pick[2];
            for (int k = 0; k < 2; k++) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                pick[k] = (uint32_t)(state >> 33) % COUNT;
            }
            // Numbers scrambled by a stride, so that needs go both ways; without rings.
            const uint32_t a = pick[0] < pick[1] ? pick[0] : pick[1];
            const uint32_t b = pick[0] < pick[1] ? pick[1] : pick[0];
            needs[i] =
                (scene_dependency){b * 7 % COUNT, a == b ? (b + 1) * 7 % COUNT : a * 7 % COUNT};
            if (a == b)
                needs[i] = i > 0 ? needs[i - 1] : (scene_dependency){7, 0};
        }
        cr_assert(scene_sort_steps(&scene.arena, COUNT, needs, NEEDS, order, &ring, &ring_count));
        cr_assert_eq(ring_count, 0);
        for (uint32_t i = 0; i < COUNT; i++) {
            cr_assert(order[i] < COUNT && !there[order[i]]);
            there[order[i]] = true;
            rank[order[i]] = i;
        }
        for (int i = 0; i < NEEDS; i++)
            cr_assert(rank[needs[i].on] < rank[needs[i].step]);
    }
}

Test(scene_ik, a_ring_is_named_without_what_leads_to_it)
{
    const scene_dependency needs[] = {{0, 1}, {1, 2}, {2, 3}, {3, 1}};
    uint32_t order[4], *ring = NULL, ring_count = 0;
    cr_assert(scene_sort_steps(&scene.arena, 4, needs, 4, order, &ring, &ring_count));
    cr_assert_eq(ring_count, 3);
    for (uint32_t i = 0; i < ring_count; i++)
        cr_expect_eq(ring[i], i + 1);
}
