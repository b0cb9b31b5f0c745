// SPDX-License-Identifier: MIT
/// Inverse kinematics below any invertible transform: models and parents that are rotated, mirrored
/// and scaled differently along their axes. Solvers meet their targets in the world.
#include "../kernels/random_inputs.h"
#include "posed_scene.h"
#include "random_numbers.h"
#include "test_folder.h"

#include <stdarg.h>

TestSuite(ik_transforms, .init = posed_setup, .fini = posed_teardown);

enum { CASES = 60 / ZT_RANDOM_SHARE };

/// A scene's transform: a rotation up to `degrees`, factors 0.4 to 2.5, one in four mirrored.
static void random_transform(uint64_t *seed, double degrees, char *out, size_t size)
{
    double r[3], s[3];
    for (int k = 0; k < 3; k++) {
        r[k] = between(seed, -degrees, degrees);
        s[k] = pow(2.5, between(seed, -1.0, 1.0));
    }
    if (between(seed, 0.0, 1.0) < 0.25)
        s[0] = -s[0];
    snprintf(out, size,
             "{ translate: [%.3f, %.3f, %.3f], rotate: [%.3f, %.3f, %.3f], scale: [%.4f, %.4f, "
             "%.4f] }",
             between(seed, -3.0, 3.0), between(seed, -1.0, 1.0), between(seed, -3.0, 3.0), r[0],
             r[1], r[2], s[0], s[1], s[2]);
}

typedef struct placement {
    char base[200], figure[200];
} placement;

static placement random_placement(uint64_t *seed, double degrees)
{
    placement p;
    random_transform(seed, degrees, p.base, sizeof p.base);
    random_transform(seed, degrees, p.figure, sizeof p.figure);
    return p;
}

#define BASE    "  - { name: base, file: ../models/platform.glb, transform: %s }\n"
#define ON_BASE "transform: %s, parent: { model: base, bone: deck }, "

/// Instance 1 is the figure of the clip on a parent, 2 the same with solvers, which are a format.
__attribute__((format(printf, 2, 3))) static void load_placed(const placement *p,
                                                              const char *solvers, ...)
{
    char text[1024];
    va_list list;
    va_start(list, solvers);
    cr_assert(vsnprintf(text, sizeof text, solvers, list) < (int)sizeof text);
    va_end(list);
    load_text(BASE "  - { name: man, file: ../models/figure.glb, animation: wave, " ON_BASE
                   "instances: [ {}, { ik: [ %s ] } ] }\n",
              p->base, p->figure, text);
    pose(0.7);
}

/// The bone of an instance in the world.
static affine bone_of(uint32_t instance, const char *name)
{
    return affine_from_floats(world(instance, name)[0]);
}

/// Instance 1 in the world, at 0.7 s.
static affine model_of_instance(void)
{
    mat4 deck, model;
    memcpy(deck, world(0, "deck"), sizeof deck);
    pose_world_from_model(&posed_scene, &posed_scene.instances[1],
                          scene_shot_time(&posed_scene, 0.7), (const mat4 *)&deck, model);
    return affine_from_floats(model[0]);
}

/// A vector in the space of a bone of instance 1, in the world.
static dvec3 out_of(const char *bone, dvec3 v)
{
    const affine a = bone_of(1, bone);
    return dmat3_transform(&a.m, v);
}

static double size_of(const char *bone)
{
    const affine a = bone_of(1, bone);
    return fmax(dvec3_length(a.m.x), fmax(dvec3_length(a.m.y), dvec3_length(a.m.z)));
}

/// Distance of `to` from the line through `from`, as an angle in degrees.
static double angle_off(dvec3 from, dvec3 forward, dvec3 to)
{
    return dvec3_angle_deg(forward, dvec3_sub(to, from));
}

Test(ik_transforms, hands_reach_in_the_world)
{
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 180.0);
        load_placed(&p, "%s", "");
        const dvec3 from = joint(1, "upper_arm_r"), pole = random_direction(&seed);
        const dvec3 way = dvec3_scale(random_direction(&seed), between(&seed, 0.12, 0.5));
        const dvec3 target = dvec3_add(from, out_of("torso", way));
        load_placed(
            &p,
            "{ reach: { bones: [upper_arm_r, lower_arm_r, hand_r], pole: [%.9f, %.9f, %.9f], "
            "target: [%.9f, %.9f, %.9f] } }",
            pole.x, pole.y, pole.z, target.x, target.y, target.z);
        const double off = dvec3_length(dvec3_sub(joint(2, "hand_r"), target));
        cr_assert(off < 1e-5 * size_of("torso"), "case %d: the hand is %g m off", (int)n, off);
        // The elbow lies in the half plane of line and pole, not square in the figure's space.
        const dvec3 line = dvec3_sub(target, from),
                    elbow = dvec3_sub(joint(2, "lower_arm_r"), from);
        dvec3 normal = dvec3_cross(line, pole);
        const double across = dvec3_length(normal);
        if (!dvec3_normalize(&normal, 0.05 * dvec3_length(line)))
            continue;
        cr_assert(fabs(dvec3_dot(elbow, normal)) < 1e-4 * size_of("torso"), "case %d: %g", (int)n,
                  dvec3_dot(elbow, normal));
        cr_assert(dvec3_dot(dvec3_cross(line, elbow), normal) > -1e-4 * across, "case %d", (int)n);
    }
}

Test(ik_transforms, heads_look_at_targets_in_the_world)
{
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 180.0);
        load_placed(&p, "%s", "");
        const dvec3 eye = {0.0, 0.14, 0.11};
        dvec3 way = random_direction(&seed);
        way.z = fabs(way.z) + 0.3; // in front of the figure
        const dvec3 target = dvec3_add(joint(1, "head"),
                                       out_of("torso", dvec3_scale(way, between(&seed, 1.0, 4.0))));
        load_placed(
            &p,
            "{ look_at: { bones: [torso, head], offset: [0, 0.14, 0.11], target: [%.9f, %.9f, "
            "%.9f] } }",
            target.x, target.y, target.z);
        const affine head = bone_of(2, "head");
        const double off = angle_off(affine_point(&head, eye), head.m.z, target);
        cr_assert(off < 0.01, "case %d: the head looks %g degrees past the target", (int)n, off);
    }
}

Test(ik_transforms, tools_aim_at_targets_in_the_world)
{
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 180.0);
        load_placed(&p, "%s", "");
        const dvec3 way = random_direction(&seed), up = random_direction(&seed);
        const dvec3 target = dvec3_add(joint(1, "hand_r"), out_of("torso", dvec3_scale(way, 3.0)));
        load_placed(
            &p,
            "{ aim: { bone: hand_r, axis: [0, -1, 0], up_axis: [0, 0, 1], offset: [0.02, -0.1, "
            "0], up: [%.9f, %.9f, %.9f], target: [%.9f, %.9f, %.9f] } }",
            up.x, up.y, up.z, target.x, target.y, target.z);
        const affine hand = bone_of(2, "hand_r");
        const dvec3 muzzle = affine_point(&hand, (dvec3){0.02, -0.1, 0.0});
        const double off = angle_off(muzzle, dvec3_scale(hand.m.y, -1.0), target);
        cr_assert(off < 0.01, "case %d: the tool aims %g degrees past the target", (int)n, off);
        // Its z is in the half plane of the line from the joint and `up`.
        const dvec3 line = dvec3_sub(target, hand.t);
        dvec3 normal = dvec3_cross(line, up), z = hand.m.z;
        if (!dvec3_normalize(&normal, 0.05 * dvec3_length(line)) || !dvec3_normalize(&z, 0.0))
            continue;
        cr_assert(fabs(dvec3_dot(z, normal)) < 1e-4, "case %d: %g", (int)n, dvec3_dot(z, normal));
        cr_assert(dvec3_dot(dvec3_cross(line, z), normal) > 0.0, "case %d", (int)n);
    }
}

/// Three points of the sole, which is on a floor in instance 1, are on the plane in instance 2.
static void check_sole(const char *foot, double floor_y, dvec3 point, dvec3 normal, double within,
                       uint64_t n)
{
    const affine posed = bone_of(1, foot), solved = bone_of(2, foot);
    affine inverse;
    cr_assert(affine_invert(&posed, &inverse));
    for (int k = 0; k < 3; k++) {
        const dvec3 on_floor = {posed.t.x + (k == 1), floor_y, posed.t.z + (k == 2)};
        const dvec3 in_foot = affine_point(&inverse, on_floor);
        const dvec3 stands = dvec3_sub(affine_point(&solved, in_foot), point);
        cr_assert(fabs(dvec3_dot(stands, normal)) < within,
                  "case %d: point %d of the sole is %g m off the ground", (int)n, k,
                  dvec3_dot(stands, normal));
    }
}

Test(ik_transforms, soles_lie_on_slopes_in_the_world)
{
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 20.0);
        load_placed(&p, "%s", "");
        const char *const feet[2] = {"foot_l", "foot_r"};
        // The floor of the clip: where the model's origin is.
        const affine root = model_of_instance();
        dvec3 normal = {between(&seed, -0.3, 0.3), 1.0, between(&seed, -0.3, 0.3)};
        const dvec3 point = {root.t.x, root.t.y - 0.05, root.t.z};
        load_placed(&p,
                    "{ plant: { pelvis: hips, feet: [[thigh_l, shin_l, foot_l], [thigh_r, shin_r, "
                    "foot_r]], hinge: [1, 0, 0], soft: 0, tilt: 80, ground: { point: [%.9f, %.9f, "
                    "%.9f], normal: [%.9f, 1, %.9f] } } }",
                    point.x, point.y, point.z, normal.x, normal.z);
        dvec3_normalize(&normal, 0.0);
        for (int side = 0; side < 2; side++)
            check_sole(feet[side], root.t.y, point, normal, 2e-5 * (1.0 + size_of("hips")), n);
    }
}

Test(ik_transforms, chains_reach_in_the_world)
{
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 180.0);
        const dvec3 way = dvec3_scale(random_direction(&seed), between(&seed, 0.5, 1.55));
        const dvec3 up = {way.x, fabs(way.y), way.z};
        for (int pass = 0; pass < 2; pass++) {
            dvec3 target = {0};
            if (pass == 1) {
                const affine root = bone_of(1, "eight_0");
                target = affine_point(&root, up);
            }
            load_text(BASE "  - { file: ../models/tentacle.glb, animation: none, " ON_BASE
                           "ik: [ { chain: { root: eight_0, end: eight_11, "
                           "target: [%.9f, %.9f, %.9f], weight: %d } } ] }\n",
                      p.base, p.figure, target.x, target.y, target.z, pass);
            pose(0.0);
            const double off = dvec3_length(dvec3_sub(joint(1, "eight_11"), target));
            cr_assert(pass == 0 || off < 1e-5 * size_of("eight_0"), "case %d: the end is %g m off",
                      (int)n, off);
        }
    }
}

/// Bones of a limb take shares; what they share stays in the world, below any transform.
Test(ik_transforms, twists_are_shared)
{
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 180.0);
        const double twist = between(&seed, -150.0, 150.0);
        load_text(BASE "  - { file: ../models/tentacle.glb, animation: none, " ON_BASE
                       "bones: { eight_6: { rotate: [0, %.9f, 0] } }, instances: [ {}, { ik: [ { "
                       "twist: { bone: eight_6, bones: [eight_3, eight_4, eight_5] } } ] } ] }\n",
                  p.base, p.figure, twist);
        pose(0.0);
        const double size = size_of("eight_6");
        for (int k = 0; k < 4; k++) {
            PRINTED(bone, 16, "eight_%d", 3 + k);
            const affine posed = bone_of(1, bone);
            const affine solved = bone_of(2, bone);
            // The chain is along y: x and z of a bone rotate about it.
            double s = 0.0, c = 1.0;
            if (k < 3) {
                s = sin(twist * (k + 1) / 4.0 / 57.29577951308232);
                c = cos(twist * (k + 1) / 4.0 / 57.29577951308232);
            }
            const dvec3 x = dvec3_sub(dvec3_scale(posed.m.x, c), dvec3_scale(posed.m.z, s));
            cr_assert(dvec3_length(dvec3_sub(posed.t, solved.t)) < 1e-5 * size);
            cr_assert(dvec3_length(dvec3_sub(x, solved.m.x)) < 2e-5 * size, "case %d, bone %d: %g",
                      (int)n, k, dvec3_length(dvec3_sub(x, solved.m.x)));
        }
    }
}

/// Below sheared parents a bone has another's axes: x along x, y in the half plane of both.
static void check_axes(const affine *bone, dvec3 x, dvec3 y, const char *what, int n)
{
    dvec3 normal = dvec3_cross(x, y), up = bone->m.y;
    cr_assert(dvec3_normalize(&normal, 0.0) && dvec3_normalize(&up, 0.0));
    cr_assert(dvec3_angle_deg(bone->m.x, x) < 0.005, "case %d: %s: x is %g degrees off", n, what,
              dvec3_angle_deg(bone->m.x, x));
    cr_assert(fabs(dvec3_dot(up, normal)) < 1e-4, "case %d: %s: y is %g off its plane", n, what,
              dvec3_dot(up, normal));
    cr_assert(dvec3_dot(dvec3_cross(x, up), normal) > 0.0, "case %d: %s: the side of y", n, what);
}

Test(ik_transforms, bones_copy_rotations_in_the_world)
{
    EACH_SEED (n, seed, CASES) {
        char rod[200];
        const placement p = random_placement(&seed, 180.0);
        random_transform(&seed, 180.0, rod, sizeof rod);
        const dvec3 way = random_direction(&seed);
        load_text(
            BASE
            "  - { name: man, file: ../models/figure.glb, animation: wave, " ON_BASE
            "ik: [ { copy_rotation: { bone: head, target: { model: rod, bone: rod } } }, { reach: "
            "{ bones: [upper_arm_r, lower_arm_r, hand_r], "
            "target: [%.6f, %.6f, %.6f], orient: { target: { model: rod, bone: rod }, rotate: [90, "
            "0, 0] } } }, { copy_rotation: { bone: hand_l, target: { bone: hand_r } } }, { "
            "copy_rotation: { bone: foot_l, target: [0, 0, 0.70710678, 0.70710678] } }, { "
            "copy_rotation: { bone: foot_r, space: model, target: [0, 90, 0] } } ] }\n"
            "  - { name: rod, file: ../models/rod.glb, transform: %s }\n",
            p.base, p.figure, way.x, way.y, way.z, rod);
        pose(0.7);
        const affine from = bone_of(2, "rod");
        const affine head = bone_of(1, "head");
        const affine right = bone_of(1, "hand_r");
        const affine left = bone_of(1, "hand_l");
        const affine foot_l = bone_of(1, "foot_l");
        const affine foot_r = bone_of(1, "foot_r");
        check_axes(&head, from.m.x, from.m.y, "head", (int)n);
        // A quarter turn about its x: from y to z at right angles to both, on the side of its z.
        dvec3 z = dvec3_cross(from.m.x, from.m.y);
        z = dvec3_dot(z, from.m.z) < 0.0 ? dvec3_scale(z, -1.0) : z;
        check_axes(&right, from.m.x, z, "right hand", (int)n);
        check_axes(&left, right.m.x, right.m.y, "left hand", (int)n);
        check_axes(&foot_l, (dvec3){0.0, 1.0, 0.0}, (dvec3){-1.0, 0.0, 0.0}, "left foot", (int)n);
        const affine m = model_of_instance();
        check_axes(&foot_r, dvec3_scale(m.m.z, -1.0), m.m.y, "right foot", (int)n);
    }
}

/// Feet that do not hang on their shins: legs end where the feet are, and soles lie on the slope.
Test(ik_transforms, feet_that_hang_elsewhere_are_planted)
{
    const dvec3 end_in_shin = {0.0, 0.09 - (0.84 - 0.41), -0.0911};
    EACH_SEED (n, seed, CASES) {
        const placement p = random_placement(&seed, 20.0);
        const dvec3 normal = {between(&seed, -0.3, 0.3), 1.0, between(&seed, -0.3, 0.3)};
        dvec3 unit = normal, point = {0};
        dvec3_normalize(&unit, 0.0);
        for (int pass = 0; pass < 2; pass++) {
            load_text(
                BASE
                "  - { name: man, file: ../models/strider.glb, animation: march, " ON_BASE
                "instances: [ {}, { ik: [ { plant: { pelvis: "
                "body, feet: [[thigh_l, shin_l, foot_l], [thigh_r, shin_r, foot_r]], soft: 0, "
                "tilt: 80, ground: { point: [%.9f, %.9f, %.9f], normal: [%.9f, 1, %.9f] } } } ] }, "
                "{ ik: [ { reach: { bones: [thigh_l, shin_l, foot_l], soft: 0, target: { bone: "
                "foot_l } } } ] } ] }\n",
                p.base, p.figure, point.x, point.y, point.z, normal.x, normal.z);
            pose(0.7);
            // The floor of the clip: where the model's root is.
            const dvec3 floor = joint(1, "root");
            point = (dvec3){floor.x, floor.y - 0.05, floor.z};
        }
        const double size = size_of("body");
        for (int side = 0; side < 2; side++) {
            const char *const foot = side ? "foot_r" : "foot_l";
            const affine solved = bone_of(2, foot);
            const affine shin = bone_of(2, side ? "shin_r" : "shin_l");
            const dvec3 end = affine_point(&shin, end_in_shin);
            cr_assert(dvec3_length(dvec3_sub(end, solved.t)) < 1e-5 * (1.0 + size),
                      "case %d: the leg ends %g m from its foot", (int)n,
                      dvec3_length(dvec3_sub(end, solved.t)));
            check_sole(foot, joint(1, "root").y, point, unit, 3e-5 * (1.0 + size), n);
        }
        // Reached for, a foot stays where the clip has it and the leg bends to it.
        const affine shin = bone_of(3, "shin_l");
        const dvec3 foot = joint(1, "foot_l");
        const double off = dvec3_length(dvec3_sub(affine_point(&shin, end_in_shin), foot));
        cr_assert(off < 1e-5 * (1.0 + size) &&
                      dvec3_length(dvec3_sub(joint(3, "foot_l"), foot)) < 1e-5 * (1.0 + size),
                  "case %d: %g m", (int)n, off);
    }
}

/// A transform that scales to nothing along an axis has no inverse: its limbs stay as the clips
/// have them.
Test(ik_transforms, flat_models_stay_as_posed)
{
    load(
        "  - { file: ../models/figure.glb, transform: { scale: [1, 1, 0] }, instances: [ {}, { ik: "
        "[ { reach: { bones: [upper_arm_r, lower_arm_r, hand_r], target: [0, 1, 1] } }, { look_at: "
        "{ bone: head, target: [1, 1, 1] } }, { copy_rotation: { bone: hand_l, target: [0, 90, 0] "
        "} } ] } ] }\n");
    pose(0.0);
    const size_t size = posed_scene.instances[0].model->node_count * sizeof(mat4);
    cr_assert(memcmp(worlds[0], worlds[1], size) == 0);
}

/// A limb whose bones are scaled differently along their axes, as clips that stretch them do: the
/// second bone is sheared when it bends, and still its end meets the target.
Test(ik_transforms, stretched_limbs_reach, .init = test_folder_make, .fini = test_folder_remove)
{
    int met = 0;
    EACH_SEED (n, seed, CASES) {
        double s[6];
        for (int k = 0; k < 6; k++)
            s[k] = pow(1.6, between(&seed, -1.0, 1.0));
        PRINTED(json, 512,
                "{'asset':{'version':'2.0'},'scene':0,'scenes':[{'nodes':[0]}],"
                "'nodes':[{'name':'upper','children':[1],'scale':[%.4f,%.4f,%.4f]},"
                "{'name':'lower','children':[2],'translation':[0.01,-0.3,0.02],"
                "'rotation':[-0.2,0,0,0.9797959],'scale':[%.4f,%.4f,%.4f]},"
                "{'name':'hand','translation':[0,-0.25,0.01]}]}",
                s[0], s[1], s[2], s[3], s[4], s[5]);
        const dvec3 to = dvec3_scale(random_direction(&seed), between(&seed, 0.2, 0.42));
        const dvec3 pole = random_direction(&seed);
        load_text(
            "  - { file: %s, ik: [ { reach: { bones: [upper, lower, hand], soft: 0, pole: [%.9f, "
            "%.9f, %.9f], target: [%.9f, %.9f, %.9f]%s } } ] }\n",
            test_folder_glb("limb.glb", json, NULL, 0), pole.x, pole.y, pole.z, to.x, to.y, to.z,
            n % 2 ? ", hinge: [1, 0, 0]" : "");
        pose(0.0);
        const double off = dvec3_length(dvec3_sub(joint(0, "hand"), to));
        // Out of reach, the limb points at the target.
        cr_assert(off < 1e-5 || (dvec3_angle_deg(joint(0, "hand"), to) < 0.01 &&
                                 dvec3_length(joint(0, "hand")) < dvec3_length(to)),
                  "case %d: %g m off", (int)n, off);
        met += off < 1e-5;
        dvec3 side = dvec3_cross(to, pole);
        if (dvec3_normalize(&side, 0.1 * dvec3_length(to)) && n % 2 == 0)
            cr_assert(fabs(dvec3_dot(side, joint(0, "lower"))) < 1e-5, "case %d: the pole", (int)n);
    }
    cr_assert(met > CASES / 2, "%d of %d", met, CASES);
}

/// Below an armature in centimetres an offset of 11 is 0.11 m, in targets, eyes and muzzles alike.
Test(ik_transforms, offsets_are_in_units_of_the_bone)
{
    load("  - { name: ball, file: ../models/ball.glb, transform: { translate: [-30, 130, 20], "
         "scale: "
         "100 } }\n"
         "  - { name: scaled, file: ../models/ball.glb, transform: { scale: 0.01 } }\n"
         "  - { name: man, file: ../models/figure.glb, transform: { scale: 100 }, parent: { model: "
         "scaled, bone: ball }, ik: [ { reach: { bones: [upper_arm_r, lower_arm_r, hand_r], "
         "target: { "
         "model: carried, bone: ball, offset: [0.1, 5, -2] } } }, { look_at: { bone: head, offset: "
         "[0, 0.14, 0.11], target: [1, 1.2, 3] } } ] }\n"
         "  - { name: carried, file: ../models/ball.glb, parent: { model: scaled, bone: ball }, "
         "transform: { translate: [-30, 130, 20] } }\n");
    pose(0.0);
    const dvec3 want = {-0.3 + 0.001, 1.3 + 0.05, 0.2 - 0.02};
    cr_assert(dvec3_length(dvec3_sub(joint(2, "hand_r"), want)) < 1e-5);
    const affine head = bone_of(2, "head");
    const dvec3 eye = affine_point(&head, (dvec3){0.0, 0.14, 0.11}), target = {1.0, 1.2, 3.0};
    cr_assert(fabs(dvec3_length(dvec3_sub(eye, head.t)) - hypot(0.14, 0.11)) < 1e-5);
    cr_assert(angle_off(eye, head.m.z, target) < 0.01);
}
