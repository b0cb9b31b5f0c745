// SPDX-License-Identifier: MIT
/// The IK solvers of an instance, one after the other.
#include "pose/ik_solver.h"

/// A kind without a case does not compile (-Wswitch-enum).
static ik_solver *solver_of(scene_ik_kind kind)
{
    switch (kind) {
    case SCENE_IK_LOOK_AT: return ik_look_at_apply;
    case SCENE_IK_REACH: return ik_reach_apply;
    case SCENE_IK_AIM: return ik_aim_apply;
    case SCENE_IK_PLANT: return ik_plant_apply;
    case SCENE_IK_COPY_ROTATION: return ik_copy_rotation_apply;
    case SCENE_IK_CHAIN: return ik_chain_apply;
    case SCENE_IK_TWIST: return ik_twist_apply;
    case SCENE_IK_GAZE: return ik_gaze_apply;
    case SCENE_IK_KIND_COUNT: break;
    }
    return NULL;
}

void pose_ik(const ik_context *context, const scene_ik *ik, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double weight = 1.0;
        track_evaluate(&ik[i].weight, context->time_s, &weight);
        if ((float)weight > 0.0f)
            solver_of(ik[i].kind)(context, &ik[i], (float)weight);
    }
}
