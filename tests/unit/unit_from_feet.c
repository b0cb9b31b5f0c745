// SPDX-License-Identifier: MIT
/// Clips that walk in place move models at the speed of their feet, which stay put.
#include "asset_files.h"
#include "posed_scene.h"
#include "retarget/foot_speed.h"

TestSuite(from_feet, .init = posed_setup, .fini = posed_teardown);

static foot_speed speed_of(const char *file, const char *clip_name)
{
    foot_speed out = {0};
    zt_error err = {0};
    load_text("  - { file: ../models/%s, animation: %s }\n", file, clip_name);
    const scene_instance *instance = &posed_scene.instances[0];
    const model_clip *clip = &instance->model->clips[instance->layers[0].clip];
    MUST(model_foot_speed(instance->model, clip, (double)clip->start_s, (double)clip->end_s, NULL,
                          0, &posed_scratch, &out, &err),
         err);
    return out;
}

/// Clips that were made for a speed.
Test(from_feet, finds_the_speed_that_a_clip_was_made_for)
{
    foot_speed found = speed_of("strider.glb", "march");
    cr_assert(found.foot_count == 2 && found.velocity.y == 0.0);
    cr_assert(fabs(found.velocity.z - 0.9) < 1e-4 && fabs(found.velocity.x) < 1e-4, "%g",
              found.velocity.z);
    found = speed_of("walker.glb", "walk");
    cr_assert(fabs(found.velocity.z - 1.1) < 0.01 * 1.1, "walk: %g", found.velocity.z);
    found = speed_of("walker.glb", "run");
    cr_assert(fabs(found.velocity.z - 2.6) < 0.03 * 2.6, "run: %g", found.velocity.z);
    found = speed_of("walker.glb", "idle");
    cr_assert_eq(found.foot_count, 0, "standing");
    found = speed_of("figure.glb", "wave");
    cr_assert_eq(found.foot_count, 0, "a hand is no foot");
    found = speed_of("walker_moves.glb", "stride");
    cr_assert_eq(found.foot_count, 0, "feet stand already in a clip that moves its root");
}

/// Names choose where two joints are called feet; of one, only names of other things exclude.
Test(from_feet, one_name_of_a_foot_does_not_choose)
{
    static const struct {
        const char *right;
        uint32_t feet;
    } cases[] = {{"foot_r", 2},  {"shoe_r", 2},     {"finger_r", 1},   {"Tail8_end", 1},
                 {"Palm2.R", 1}, {"lowerleg.r", 1}, {"LowerLeg_R", 1}, {"leg_R", 2},
                 {"palms_r", 1}, {"Wings.R", 1},    {"lowerarm_r", 1}, {"shank", 1},
                 {"tibia_r", 1}, {"RUpLeg", 1},     {"upleg_r", 1},    {"toes_r", 2}};
    foot_speed found;
    zt_error err = {0};
    model_node nodes[64], *right = NULL;
    speed_of("strider.glb", "march");
    zt_model model = *posed_scene.instances[0].model;
    const model_clip *clip = &model.clips[posed_scene.instances[0].layers[0].clip];
    cr_assert_leq(model.node_count, 64);
    memcpy(nodes, model.nodes, model.node_count * sizeof *nodes);
    model.nodes = nodes;
    for (uint32_t i = 0; i < model.node_count; i++)
        if (strcmp(nodes[i].name, "foot_r") == 0)
            right = &nodes[i];
    cr_assert_not_null(right);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        right->name = cases[i].right;
        MUST(model_foot_speed(&model, clip, (double)clip->start_s, (double)clip->end_s, NULL, 0,
                              &posed_scratch, &found, &err),
             err);
        cr_expect_eq(found.foot_count, cases[i].feet, "%s: %u", cases[i].right, found.foot_count);
    }
}

/// Beyond its end a clip holds its last pose, as exporters do.
Test(from_feet, passes_over_a_pose_that_is_held)
{
    foot_speed found;
    zt_error err = {0};
    cr_assert_eq(speed_of("walker.glb", "walk").held_s, 0.0);
    const zt_model *model = posed_scene.instances[0].model;
    const model_clip *clip = &model->clips[posed_scene.instances[0].layers[0].clip];
    const double end_s = (double)clip->end_s;
    MUST(model_foot_speed(model, clip, (double)clip->start_s, 3.0 * end_s, NULL, 0, &posed_scratch,
                          &found, &err),
         err);
    cr_expect(fabs(found.velocity.z - 1.1) < 0.02 * 1.1, "%g", found.velocity.z);
    cr_expect(fabs(found.held_s - 2.0 * end_s) < 0.02, "%g of %g s", found.held_s, end_s);
}

Test(from_feet, planted_feet_stay_where_they_are)
{
    load(
        "  - { file: ../models/strider.glb, transform: { translate: [3, 0, 1], rotate: [0, 60, 0], "
        "scale: 1.5 }, animation: { clip: march, root_motion: { speed: from_feet } } }\n"
        "  - { file: ../models/walker.glb, animation: { clip: walk, root_motion: { speed: "
        "from_feet, feet: [toe_l, toe_r] } } }\n");
    for (int cycle = 0; cycle < 20; cycle++) {
        dvec3 first = {0};
        for (int k = 1; k < 25; k++) { // the left foot stands in the first half of the cycle
            pose(cycle + k / 50.0);
            const dvec3 at = joint(0, "foot_l");
            first = k == 1 ? at : first;
            cr_assert(dvec3_length(dvec3_sub(at, first)) < 1e-3, "cycle %d, %d: %g m", cycle, k,
                      dvec3_length(dvec3_sub(at, first)));
        }
    }
    // A stride of the walk is 1.1 m. Its toes stand while they are lowest.
    double low = 1e9, high = -1e9, from = 1e9, to = -1e9;
    for (int k = 0; k < 100; k++) {
        pose(k / 100.0);
        low = fmin(low, joint(1, "toe_l").y);
        high = fmax(high, joint(1, "toe_l").y);
    }
    int stance = 0;
    for (int k = 0; k < 300; k++) {
        pose(k / 100.0);
        const dvec3 at = joint(1, "toe_l");
        const bool stands = at.y < low + 0.02 * (high - low);
        cr_assert(stands || stance < 20 || to - from < 0.03 * 1.1, "slides by %g m", to - from);
        from = stands ? fmin(from, at.z) : 1e9;
        to = stands ? fmax(to, at.z) : -1e9;
        stance = stands ? stance + 1 : 0;
    }
}

static double travelled(const char *layer, double time_s)
{
    load_text("  - { file: ../models/strider.glb, animation: %s }\n", layer);
    pose(time_s);
    return joint(0, "root").z;
}

Test(from_feet, moves_as_the_layer_plays)
{
#define MARCH "clip: march, root_motion: { speed: from_feet }"
    cr_assert(fabs(travelled("{ " MARCH " }", 7.3) - 0.9 * 7.3) < 1e-3);
    cr_assert(fabs(travelled("{ " MARCH ", speed: 2 }", 3.0) - 0.9 * 6.0) < 1e-3);
    cr_assert(fabs(travelled("{ " MARCH ", speed: -1 }", 3.0) + 0.9 * 3.0) < 1e-3);
    cr_assert(fabs(travelled("{ " MARCH ", loop: once }", 3.0) - 0.9) < 1e-3);
    cr_assert(fabs(travelled("{ " MARCH ", at: 1, fade: 0, from: 0.1, to: 0.4 }", 2.0) - 0.9) <
              2e-3);
    cr_assert(fabs(travelled("[ none, { " MARCH ", weight: 0.5 } ]", 2.0) - 0.9) < 1e-3);
    cr_assert(fabs(travelled("{ clip: march, root_motion: { speed: 1.25 } }", 2.0) - 2.5) < 1e-6);
}

/// Distance that a joint slides in the lowest sixteenth of its heights, of a cycle's way.
static double slide_of(const char *bone, double cycle_s)
{
    enum { STEPS = 300 };
    static dvec3 path[STEPS];
    double low = 1e30, high = -1e30, worst = 0.0;
    pose(0.0);
    const dvec3 start = joint(0, bone);
    pose(cycle_s);
    const double stride = dvec3_length(dvec3_sub(joint(0, bone), start));
    for (int k = 0; k < STEPS; k++) {
        arena_reset(&posed_scratch);
        pose(2.0 * cycle_s * k / STEPS);
        path[k] = joint(0, bone);
        low = fmin(low, path[k].y);
        high = fmax(high, path[k].y);
    }
    int first = 0;
    for (int k = 0; k < STEPS; k++) {
        if (path[k].y > low + (high - low) / 16.0)
            first = k + 1;
        for (int i = first; i < k; i++)
            worst = fmax(worst, hypot(path[k].x - path[i].x, path[k].z - path[i].z));
    }
    return worst / stride;
}

/// Loads a model of other makers that plays a clip; skips the test where there is none.
static void load_walk(const char *file, const char *clip)
{
    PRINTED(name, 100, "skinned/%s", file);
    const char *path = asset_file(name);
    if (!path)
        cr_skip_test("no %s", name);
    load_text(
        "  - { file: \"%s\", animation: { clip: \"%s\", root_motion: { speed: from_feet } } }\n",
        path, clip);
}

static void check_walk(const char *file, const char *clip, const char *const feet[2])
{
    load_walk(file, clip);
    const scene_instance *instance = &posed_scene.instances[0];
    const model_clip *played = &instance->model->clips[instance->layers[0].clip];
    for (int side = 0; side < 2; side++) {
        const double slide = slide_of(feet[side], (double)played->end_s - (double)played->start_s);
        cr_expect(slide < 0.05, "%s, %s: slides by %.1f%% of a stride", file, feet[side],
                  100.0 * slide);
    }
}

Test(from_feet, of_cesium_man)
{
    check_walk("CesiumMan/CesiumMan.gltf", "0",
               (const char *const[2]){"leg_joint_R_5", "leg_joint_L_5"});
}

Test(from_feet, of_a_knight)
{
    check_walk("Knight.glb", "Walking_A", (const char *const[2]){"toes.l", "toes.r"});
    check_walk("Knight.glb", "Running_A", (const char *const[2]){"toes.l", "toes.r"});
}

/// Metres a second along z that a clip is found to be made for; 0: none.
static double speed_of_walk(const char *file, const char *clip)
{
    load_walk(file, clip);
    const scene_root *root = posed_scene.instances[0].layers[0].root;
    return root ? root->velocity.z : 0.0;
}

/// The fingers of a robot come lower than its feet, whose names say what they are; clips whose feet
/// go unevenly over the ground have a speed, too: the median of a foot that stands.
Test(from_feet, of_a_robot)
{
    cr_expect_float_eq(speed_of_walk("robot.glb", "Robot_Walking"), 4.38, 0.3);
}

Test(from_feet, of_a_robot_that_runs)
{
    cr_expect(speed_of_walk("robot.glb", "Robot_Running") > 5.0);
}

Test(from_feet, of_a_robot_that_waves)
{
    cr_expect_eq(speed_of_walk("robot.glb", "Robot_Wave"), 0.0);
}

/// Its shins go over the ground, its feet stand.
Test(from_feet, of_a_knight_that_strikes)
{
    cr_expect_eq(speed_of_walk("Knight.glb", "1H_Melee_Attack_Chop"), 0.0);
}

Test(from_feet, of_a_wolf)
{
    cr_expect_float_eq(speed_of_walk("quaternius_animals_Wolf.glb", "AnimalArmature|Walk"), 2.1,
                       0.3);
}

/// Its clip of 2.4 s walks for 1.2 s.
Test(from_feet, of_a_velociraptor)
{
    const double speed =
        speed_of_walk("quaternius_dinosaurs_Velociraptor.glb", "Armature|Velociraptor_Walk");
    cr_expect(fabs(speed - 4.4) < 0.5, "%g", speed);
}
