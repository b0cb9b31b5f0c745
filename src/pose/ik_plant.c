// SPDX-License-Identifier: MIT
/// Plant: puts feet on terrain.
#include "pose/ik_plant.h"

void ik_plant_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    ik_foot feet[SCENE_IK_FOOT_LIMIT] = {0};
    ik_limb legs[SCENE_IK_FOOT_LIMIT];
    dvec3 shift[SCENE_IK_FOOT_LIMIT] = {0};
    bool apart = false;
    const uint32_t count = ik->bone_count / LEG_BONES;
    ik_space leg;
    if (ik->lock)
        for (uint32_t i = 0; i < count; i++)
            shift[i] = ik_plant_lock(context, ik, i);
    if (!ik_plant_feet(context, ik, shift, feet, legs))
        return;
    for (uint32_t i = 0; i < count; i++)
        apart |= legs[i].apart;
    const double rise =
        ik_plant_rise(context, ik, ik_pelvis_rise(feet, count, ik->drop_m, ik->rise_m));
    ik_lift_bone(context, ik->pelvis, rise * (double)weight);
    ik_update_world(context);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t *bones = ik->bones + LEG_BONES * i;
        dvec3 target = feet[i].ankle;
        target.y += feet[i].rise;
        if (!ik_space_of_bone(context, bones[0], &leg))
            continue;
        const ik_reach_rotations solved =
            ik_limb_apply(context, &leg, ik, &legs[i], target, weight);
        if (!legs[i].apart)
            ik_rotate_bone(context, &leg, bones[2], solved.middle, feet[i].tilt, weight);
    }
    ik_update_world(context);
    for (uint32_t i = 0; apart && i < count; i++) {
        if (!legs[i].apart || !ik_space_of_bone(context, legs[i].bones[2], &leg))
            continue;
        ik_limb_move_end(context, &legs[i], weight);
        ik_rotate_bone(context, &leg, legs[i].bones[2], quat_identity(), feet[i].tilt, weight);
    }
    if (apart)
        ik_update_world(context);
}
