// SPDX-License-Identifier: MIT
/// Bones that scenes key: where an arm of known lengths is, by trigonometry; over clips and added
/// to them, with weights; and a pose in a sequence is the pose alone.
#include "posed_scene.h"

TestSuite(bones, .init = posed_setup, .fini = posed_teardown);

#define ARM "  - { file: ../models/robot_arm.glb, animation: none, bones: { "
#define DEG (3.14159265358979323846 / 180.0)

static void near_point(const char *bone, double x, double y, double z)
{
    const double want[3] = {x, y, z};
    const vec4 *m = world(0, bone);
    cr_expect(distance(m[3], want) < 2e-6, "%s at %g %g %g, not %g %g %g", bone, (double)m[3][0],
              (double)m[3][1], (double)m[3][2], x, y, z);
}

/// At rest the joints lie above each other: shoulder 0.36, elbow 0.98, wrist 1.48.
Test(bones, an_arm_moves_by_keys_alone)
{
    load(ARM "turret: { rotate: [[0, [0, 0, 0]], [1, [0, 90, 0]]] }, "
             "shoulder: { rotate: [[0, [0, 0, 0]], [1, [30, 0, 0]]] }, "
             "elbow: { rotate: [[0, [0, 0, 0]], [1, [60, 0, 0]]] } } }\n");
    for (int step = 0; step <= 4; step++) {
        const double s = step / 4.0, turn = 90.0 * s * DEG;
        const double upper = 30.0 * s * DEG, lower = upper + 60.0 * s * DEG;
        const double reach1 = 0.62 * sin(upper), reach2 = reach1 + 0.5 * sin(lower);
        pose(s);
        near_point("elbow", reach1 * sin(turn), 0.36 + 0.62 * cos(upper), reach1 * cos(turn));
        near_point("wrist", reach2 * sin(turn), 0.36 + 0.62 * cos(upper) + 0.5 * cos(lower),
                   reach2 * cos(turn));
    }
}

Test(bones, quaternions_translations_and_scales)
{
    load(ARM
         "shoulder: { rotate: [[0, [0, 0, 0, 1]], [1, [1, 0, 0, 0]]], "
         "translate: [0.1, 0.2, 0.3], scale: [1, 2, 1] }, 4: { translate: [0, -0.25, 0] } } }\n");
    pose(0.25); // 45 degrees about x of a chain that is twice as long
    near_point("shoulder", 0.1, 0.56, 0.3);
    near_point("elbow", 0.1, 0.56 + 1.24 * cos(45 * DEG), 0.3 + 1.24 * sin(45 * DEG));
    near_point("wrist", 0.1, 0.56 + 1.74 * cos(45 * DEG), 0.3 + 1.74 * sin(45 * DEG));
}

/// The arm's clip bends shoulder and elbow: override from rest, additive from the clip.
Test(bones, over_the_clip_and_added_to_it)
{
    load("  - { file: ../models/robot_arm.glb, animation: work }\n"
         "  - { file: ../models/robot_arm.glb, animation: work,\n"
         "      bones: { elbow: { rotate: [0, 0, 0], mode: additive } } }\n"
         "  - { file: ../models/robot_arm.glb, animation: work,\n"
         "      bones: { elbow: { rotate: [0, 0, 0] } } }\n"
         "  - { file: ../models/robot_arm.glb, animation: work,\n"
         "      bones: { elbow: { rotate: [0, 0, 0], weight: 0 } } }\n"
         "  - { file: ../models/robot_arm.glb, animation: work,\n"
         "      bones: { elbow: { rotate: [0, 0, 90], mode: additive, weight: [[0, 0], [2, 1]] } } "
         "}\n");
    pose(1.0);
    const vec4 *clip = world(0, "elbow");
    cr_assert(fabs((double)world(0, "elbow")[1][1] - (double)world(0, "shoulder")[1][1]) > 1e-3,
              "the clip does not bend the elbow");
    for (int column = 0; column < 3; column++)
        for (int k = 0; k < 3; k++) {
            cr_expect(fabs((double)world(1, "elbow")[column][k] - (double)clip[column][k]) < 1e-6);
            cr_expect(fabs((double)world(2, "elbow")[column][k] -
                           (double)world(2, "shoulder")[column][k]) < 1e-6);
            cr_expect_eq(world(3, "elbow")[column][k], clip[column][k], "a weight of 0");
        }
    // Half of 90 degrees about the elbow's own z.
    const double along[3] = {(double)clip[0][0], (double)clip[0][1], (double)clip[0][2]};
    const vec4 *half = world(4, "elbow");
    const double cosine = (double)half[0][0] * along[0] + (double)half[0][1] * along[1] +
                          (double)half[0][2] * along[2];
    cr_expect(fabs(cosine - cos(45 * DEG)) < 1e-6, "%g", cosine);
}

Test(bones, solvers_come_after)
{
    load("  - file: ../models/figure.glb\n"
         "    bones: { torso: { rotate: [0, 40, 0] } }\n"
         "    ik: [ { reach: { bones: [upper_arm_l, lower_arm_l, hand_l], "
         "target: [0.4, 1.2, 0.3] } } ]\n");
    pose(0.0);
    const double target[3] = {0.4, 1.2, 0.3};
    cr_expect(distance(world(0, "hand_l")[3], target) < 1e-5);
}

/// The axis of the file that is up is the world's +Y, for each bone; distances stay.
Test(bones, each_axis_of_a_file_can_be_up)
{
    static const model_up ups[] = {UP_X, UP_Y, UP_Z, UP_MINUS_X, UP_MINUS_Y, UP_MINUS_Z};
    static const char *const names[] = {"hand_l", "hand_r", "toe_l", "head"};
    for (int i = 0; i < 6; i++) {
        dvec3 p[4];
        load("  - { file: ../models/walker.glb, animation: walk }\n");
        pose(0.3);
        for (int k = 0; k < 4; k++)
            p[k] = joint(0, names[k]);
        posed_scene.up = ups[i];
        pose(0.3);
        for (int k = 0; k < 4; k++) {
            const double file[3] = {p[k].x, p[k].y, p[k].z}, y = i < 3 ? file[i] : -file[i - 3];
            cr_expect_float_eq(joint(0, names[k]).y, y, 1e-5, "%s, row %d", names[k], i);
            const dvec3 before = dvec3_sub(p[k], p[0]);
            const dvec3 after = dvec3_sub(joint(0, names[k]), joint(0, names[0]));
            cr_expect_float_eq(dvec3_length(after), dvec3_length(before), 1e-5, "row %d", i);
        }
    }
}
