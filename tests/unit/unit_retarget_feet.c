// SPDX-License-Identifier: MIT
/// Feet of retargeted walks: while the source has a foot on the ground, that of the target slides
/// by at most a twentieth of a stride over a ground that moves at the source's speed, scaled. The
/// clips walk on the spot. Models of other makers are in a folder next to the repository, or in
/// ZT_ASSETS.
#include "posed_scene.h"

TestSuite(retarget_feet, .init = posed_setup, .fini = posed_teardown);

enum { FPS = 120, FRAMES_LIMIT = 512 };

/// A walk and the rig that takes it over.
typedef struct walk_pair {
    const char *source, *target, *clip, *map;
    const char *source_leg[2][3], *target_leg[2][3]; ///< thigh, shin, foot; left, right
    double front;                                    ///< of both in the clip along z: +1 or -1
} walk_pair;

typedef struct foot_path {
    double along[FRAMES_LIMIT], height[FRAMES_LIMIT], speed[FRAMES_LIMIT];
    bool stands[FRAMES_LIMIT];
} foot_path;

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/// Backwards, at each frame of a cycle.
static void find_speeds(foot_path *p, int count)
{
    for (int i = 0; i < count; i++) {
        const int before = (i + count - 1) % count, after = (i + 1) % count;
        p->speed[i] = (p->along[before] - p->along[after]) * FPS / 2.0;
    }
}

/// The speed of the ground: the median where the foot is lowest. Fills stands: the longest run of
/// frames at which the foot is low and moves with the ground.
static double find_stance(foot_path *p, int count, int *out_first, int *out_count)
{
    double low = p->height[0], high = low, sorted[FRAMES_LIMIT];
    int lowest = 0;
    for (int i = 0; i < count; i++) {
        low = p->height[i] < low ? p->height[i] : low;
        high = p->height[i] > high ? p->height[i] : high;
    }
    for (int i = 0; i < count; i++)
        if (p->height[i] < low + 0.15 * (high - low))
            sorted[lowest++] = p->speed[i];
    qsort(sorted, (size_t)lowest, sizeof *sorted, compare);
    const double ground = sorted[lowest / 2];
    for (int i = 0; i < count; i++)
        p->stands[i] =
            p->height[i] < low + 0.3 * (high - low) && fabs(p->speed[i] - ground) < 0.3 * ground;
    *out_count = 0;
    for (int first = 0; first < count; first++) {
        int length = 0;
        while (length < count && p->stands[(first + length) % count])
            length++;
        if (length > *out_count) {
            *out_first = first;
            *out_count = length;
        }
    }
    return ground;
}

/// Distance that a foot moves over the ground between two frames.
static double slide_of(const foot_path *p, int count, int first, int length, double ground)
{
    double low = 1e30, high = -1e30;
    for (int i = first; i < first + length; i++) {
        const double at = p->along[i % count] + ground * i / FPS;
        low = at < low ? at : low;
        high = at > high ? at : high;
    }
    return high - low;
}

static double leg_length(uint32_t instance, const char *const leg[3])
{
    const zt_model *model = posed_scene.instances[instance].model;
    double sum = 0.0;
    for (int k = 1; k < 3; k++) {
        // Bones keep their lengths, whatever the pose.
        sum += dvec3_length(dvec3_sub(joint(instance, leg[k]), joint(instance, leg[k - 1])));
    }
    cr_assert(model && sum > 0.0);
    return sum;
}

static void check_pair(const walk_pair *pair)
{
    static foot_path source[2], target[2];
    load_text("  - { file: \"%s\", animation: %s }\n"
              "  - { file: \"%s\", animation: %s, clips_from: { file: \"%s\"%s } }\n",
              pair->source, pair->clip, pair->target, pair->clip, pair->source, pair->map);
    const scene_instance *walker = &posed_scene.instances[0];
    const model_clip *clip = &walker->model->clips[walker->layers[0].clip];
    const int count = (int)(((double)clip->end_s - (double)clip->start_s) * FPS);
    cr_assert(count > 30 && count < FRAMES_LIMIT);
    double scale = 1.0;
    for (int i = 0; i < count; i++) {
        pose((double)clip->start_s + (double)i / FPS);
        if (i == 0)
            scale = leg_length(1, pair->target_leg[0]) / leg_length(0, pair->source_leg[0]);
        for (int side = 0; side < 2; side++) {
            const dvec3 s = joint(0, pair->source_leg[side][2]);
            const dvec3 t = joint(1, pair->target_leg[side][2]);
            source[side].along[i] = s.z * pair->front;
            source[side].height[i] = s.y;
            target[side].along[i] = t.z * pair->front;
        }
    }
    for (int side = 0; side < 2; side++) {
        int first = 0, length = 0;
        find_speeds(&source[side], count);
        const double ground = find_stance(&source[side], count, &first, &length);
        const double stride = ground * count / FPS;
        const double own = slide_of(&source[side], count, first, length, ground) / stride;
        const double slide =
            slide_of(&target[side], count, first, length, ground * scale) / (stride * scale);
        cr_expect(length > 6, "%s: stands for %d frames", pair->source, length);
        cr_expect(slide <= 0.05,
                  "%s on %s, foot %d: slides by %.1f%% of a stride, the source %.1f%%",
                  pair->source, pair->target, side, 100.0 * slide, 100.0 * own);
        fprintf(stderr, "%s foot %d: %.1f%% of a stride, the source %.1f%%\n", pair->clip, side,
                100.0 * slide, 100.0 * own);
    }
}

Test(retarget_feet, of_our_figures)
{
    const walk_pair pair = {
        .source = "../models/walker.glb",
        .target = "../models/figure.glb",
        .clip = "walk",
        .map = "",
        .source_leg = {{"thigh_l", "calf_l", "foot_l"}, {"thigh_r", "calf_r", "foot_r"}},
        .target_leg = {{"thigh_l", "shin_l", "foot_l"}, {"thigh_r", "shin_r", "foot_r"}},
        .front = 1.0};
    check_pair(&pair);
}

#define FIGURE                                                                                     \
    "  - { file: ../models/figure.glb, clips_from: { file: ../models/walker_moves.glb }, "
#define WALKER "  - { file: ../models/walker.glb, clips_from: ../models/walker_moves.glb, "

/// Retargeted clips are clips: root motion scaled by legs, layers, solvers with targets.
Test(retarget_feet, layers_root_motion_and_solvers)
{
    load(FIGURE "animation: { clip: stride, root_motion: extract } }\n" WALKER
                "animation: { clip: stride, root_motion: extract } }\n");
    static const char *const legs[2][3] = {{"thigh_l", "shin_l", "foot_l"},
                                           {"thigh_l", "calf_l", "foot_l"}};
    pose(0.0);
    const double scale = leg_length(0, legs[0]) / leg_length(1, legs[1]);
    const dvec3 figure = joint(0, "hips"), walker = joint(1, "pelvis");
    pose(3.0);
    const dvec3 figure_way = dvec3_sub(joint(0, "hips"), figure);
    const dvec3 walker_way = dvec3_sub(joint(1, "pelvis"), walker);
    cr_expect_gt(dvec3_length(walker_way), 1.0, "three strides");
    cr_expect_lt(dvec3_length(dvec3_sub(dvec3_scale(walker_way, scale), figure_way)), 1e-3,
                 "by %g m, not %g times %g m", dvec3_length(figure_way), scale,
                 dvec3_length(walker_way));

    load(FIGURE "animation: [ wave, { clip: stride, weight: 0.5 } ],\n"
                "      ik: [ { reach: { bones: [upper_arm_l, lower_arm_l, hand_l], "
                "target: [0.4, 1.2, 0.3] } } ] }\n");
    for (double t = 0.0; t < 2.0; t += 0.11) {
        const double target[3] = {0.4, 1.2, 0.3};
        pose(t);
        cr_expect_lt(distance(world(0, "hand_l")[3], target), 1e-5);
    }
}

#define WOMAN "skinned/quaternius_modular_women_Soldier.glb"
#define WOMAN_LEGS                                                                                 \
    {                                                                                              \
        {"UpperLeg.L", "LowerLeg.L", "Foot.L"}, { "UpperLeg.R", "LowerLeg.R", "Foot.R" }           \
    }

#define KNIGHT_LEGS                                                                                \
    {                                                                                              \
        {"upperleg.l", "lowerleg.l", "foot.l"}, { "upperleg.r", "lowerleg.r", "foot.r" }           \
    }
#define SOLDIER_LEGS                                                                               \
    {                                                                                              \
        {"Bone50", "Bone51", "Bone52"}, { "Bone54", "Bone55", "Bone56" }                           \
    }

Test(retarget_feet, of_other_makers)
{
    static const walk_pair pairs[] = {
        {.source = "skinned/Knight.glb",
         .target = WOMAN,
         .clip = "Walking_A",
         .map = "",
         .source_leg = KNIGHT_LEGS,
         .target_leg = WOMAN_LEGS,
         .front = 1.0},
        // A rig whose feet do not hang on its shins.
        {.source = "skinned/robot.glb",
         .target = WOMAN,
         .clip = "Robot_Walking",
         .map = "",
         .source_leg = WOMAN_LEGS,
         .target_leg = WOMAN_LEGS,
         .front = 1.0},
        // Bones without names of their own, by a map; the clip turns its model round.
        {.source = "m3d/soldier.m3d",
         .target = WOMAN,
         .clip = "Take1",
         .map = ", map: { Bone1: Hips, Bone2: Abdomen, Bone3: Torso, Bone4: Chest, Bone5: Neck, "
                "Bone6: Head, Bone13: UpperArm.L, Bone14: LowerArm.L, Bone15: Hand.L, "
                "Bone32: UpperArm.R, Bone33: LowerArm.R, Bone34: Hand.R, Bone50: UpperLeg.L, "
                "Bone51: LowerLeg.L, Bone52: Foot.L, Bone54: UpperLeg.R, Bone55: LowerLeg.R, "
                "Bone56: Foot.R }",
         .source_leg = SOLDIER_LEGS,
         .target_leg = WOMAN_LEGS,
         .front = -1.0},
        {.source = "skinned/Knight.glb",
         .target = "m3d/soldier.m3d",
         .clip = "Walking_A",
         .map = ", map: { hips: Bone1, spine: Bone2, chest: Bone4, head: Bone6, "
                "upperarm.l: Bone13, lowerarm.l: Bone14, wrist.l: Bone15, upperarm.r: Bone32, "
                "lowerarm.r: Bone33, wrist.r: Bone34, upperleg.l: Bone50, lowerleg.l: Bone51, "
                "foot.l: Bone52, upperleg.r: Bone54, lowerleg.r: Bone55, foot.r: Bone56 }",
         .source_leg = KNIGHT_LEGS,
         .target_leg = SOLDIER_LEGS,
         .front = 1.0},
        // A rig of names of its own, whose legs are bent at rest.
        {.source = "skinned/CesiumMan/CesiumMan.gltf",
         .target = WOMAN,
         .clip = "0",
         .map = ", map: { Skeleton_torso_joint_1: Hips, Skeleton_torso_joint_2: Abdomen, "
                "torso_joint_3: Chest, Skeleton_neck_joint_1: Neck, Skeleton_neck_joint_2: Head, "
                "Skeleton_arm_joint_L__4_: UpperArm.L, Skeleton_arm_joint_L__3_: LowerArm.L, "
                "Skeleton_arm_joint_L__2_: Hand.L, Skeleton_arm_joint_R: UpperArm.R, "
                "Skeleton_arm_joint_R__2_: LowerArm.R, Skeleton_arm_joint_R__3_: Hand.R, "
                "leg_joint_L_1: UpperLeg.L, leg_joint_L_2: LowerLeg.L, leg_joint_L_3: Foot.L, "
                "leg_joint_R_1: UpperLeg.R, leg_joint_R_2: LowerLeg.R, leg_joint_R_3: Foot.R }",
         .source_leg = {{"leg_joint_L_1", "leg_joint_L_2", "leg_joint_L_3"},
                        {"leg_joint_R_1", "leg_joint_R_2", "leg_joint_R_3"}},
         .target_leg = WOMAN_LEGS,
         .front = 1.0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char from[600], to[600];
        walk_pair pair = pairs[i];
        pair.source = asset_path(pairs[i].source, from);
        pair.target = asset_path(pairs[i].target, to);
        check_pair(&pair);
    }
}
