// SPDX-License-Identifier: MIT
// The bones of the walker in the bind pose.
#include "walker.h"

const dvec3 WALKER_ARM_DIRECTION = {0.6427876096865393, -0.766044443118978, 0.0}; // 50 deg down
const dvec3 WALKER_HAND_BACK = {0.766044443118978, 0.6427876096865393, 0.0};

static void bone(walker_bone *bones, int index, const char *name, int parent, dvec3 joint,
                 dvec3 tip, double radius)
{
    bones[index] = (walker_bone){name, parent, joint, tip, radius};
}

void walker_bones(walker_bone bones[BONE_COUNT])
{
    static const char *const right_names[WALKER_SIDE] = {
        "clavicle_r", "upper_arm_r", "lower_arm_r", "hand_r",    "thumb1_r", "thumb2_r",
        "index1_r",   "index2_r",    "middle1_r",   "middle2_r", "ring1_r",  "ring2_r",
        "thigh_r",    "calf_r",      "foot_r",      "toe_r"};
    // The root moves no vertex: its segment lies far away from all of them.
    bone(bones, BONE_ROOT, "root", -1, v3(0, 0, 0), v3(0, -9, 0), 0.0);
    bone(bones, BONE_PELVIS, "pelvis", BONE_ROOT, v3(0, 0.95, 0), v3(0, 0.98, 0), 0.1);
    bone(bones, BONE_SPINE1, "spine1", BONE_PELVIS, v3(0, 1.03, 0), v3(0, 1.11, 0), 0.1);
    bone(bones, BONE_SPINE2, "spine2", BONE_SPINE1, v3(0, 1.15, 0), v3(0, 1.22, 0), 0.11);
    bone(bones, BONE_SPINE3, "spine3", BONE_SPINE2, v3(0, 1.26, 0), v3(0, 1.4, 0), 0.115);
    bone(bones, BONE_NECK, "neck", BONE_SPINE3, v3(0, 1.45, 0), v3(0, 1.47, 0), 0.085);
    bone(bones, BONE_HEAD, "head", BONE_NECK, v3(0, 1.5, 0), v3(0, 1.66, 0), 0.12);
    bone(bones, BONE_PACK, "pack", BONE_SPINE3, v3(0, 1.28, -0.12), v3(0, 1.28, -0.22), 0.1);

    const dvec3 dir = WALKER_ARM_DIRECTION;
    const dvec3 shoulder = v3(0.185, 1.395, -0.012);
    const dvec3 elbow = dvec3_add(v3_mad(shoulder, dir, 0.27), v3(0, 0, -0.006));
    const dvec3 wrist = dvec3_add(v3_mad(shoulder, dir, 0.52), v3(0, 0, 0.016));
    bone(bones, BONE_CLAVICLE, "clavicle_l", BONE_SPINE3, v3(0.03, 1.4, -0.01),
         v3(0.14, 1.4, -0.012), 0.07);
    bone(bones, BONE_UPPER_ARM, "upper_arm_l", BONE_CLAVICLE, shoulder, elbow, 0.055);
    bone(bones, BONE_LOWER_ARM, "lower_arm_l", BONE_UPPER_ARM, elbow, wrist, 0.048);
    bone(bones, BONE_HAND, "hand_l", BONE_LOWER_ARM, wrist, v3_mad(wrist, dir, 0.08), 0.035);
    const dvec3 thumb = v3_unit(dvec3_add(dvec3_scale(dir, 0.68), v3(0, 0, 0.73)));
    const dvec3 thumb_base = dvec3_add(v3_mad(wrist, dir, 0.03), v3(0, 0, 0.033));
    bone(bones, BONE_THUMB1, "thumb1_l", BONE_HAND, thumb_base, v3_mad(thumb_base, thumb, 0.036),
         0.016);
    bone(bones, BONE_THUMB2, "thumb2_l", BONE_THUMB1, v3_mad(thumb_base, thumb, 0.036),
         v3_mad(thumb_base, thumb, 0.066), 0.016);
    static const char *const finger_names[3][2] = {
        {"index1_l", "index2_l"}, {"middle1_l", "middle2_l"}, {"ring1_l", "ring2_l"}};
    for (int k = 0; k < 3; k++) {
        // Fingers fan out by 6 degrees; the middle one is the longest.
        const double spread = 0.1 * (1 - k), length = k == 1 ? 0.082 : 0.074;
        const dvec3 d = v3_unit(dvec3_add(dir, v3(0, 0, spread)));
        const dvec3 base = dvec3_add(v3_mad(wrist, dir, 0.094), v3(0, 0, 0.0345 * (1 - k)));
        const dvec3 mid = v3_mad(base, d, length * 0.52), tip = v3_mad(base, d, length);
        bone(bones, BONE_INDEX1 + 2 * k, finger_names[k][0], BONE_HAND, base, mid, 0.0155);
        bone(bones, BONE_INDEX2 + 2 * k, finger_names[k][1], BONE_INDEX1 + 2 * k, mid, tip, 0.015);
    }

    bone(bones, BONE_THIGH, "thigh_l", BONE_PELVIS, v3(0.1, 0.91, 0.0), v3(0.107, 0.5, 0.012),
         0.08);
    bone(bones, BONE_CALF, "calf_l", BONE_THIGH, v3(0.107, 0.5, 0.012), v3(0.112, 0.1, -0.022),
         0.058);
    bone(bones, BONE_FOOT, "foot_l", BONE_CALF, v3(0.112, 0.1, -0.022), v3(0.118, 0.035, 0.085),
         0.05);
    bone(bones, BONE_TOE, "toe_l", BONE_FOOT, v3(0.118, 0.035, 0.095), v3(0.12, 0.035, 0.17),
         0.045);

    for (int i = BONE_CLAVICLE; i <= BONE_TOE; i++) {
        walker_bone *r = &bones[i + WALKER_SIDE];
        *r = bones[i];
        r->name = right_names[i - BONE_CLAVICLE];
        if (r->parent >= BONE_CLAVICLE)
            r->parent += WALKER_SIDE;
        r->joint.x = -r->joint.x;
        r->tip.x = -r->tip.x;
    }
}
