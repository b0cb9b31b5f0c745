// SPDX-License-Identifier: MIT
/// The IK solvers of an instance, one after the other.
#include "pose/pose_ik.h"

static ik_solver *const solvers[] = {
    [SCENE_IK_LOOK_AT] = ik_look_apply,
    [SCENE_IK_REACH] = ik_reach_apply,
    [SCENE_IK_AIM] = ik_aim_apply,
    [SCENE_IK_PLANT] = ik_plant_apply,
};
_Static_assert(sizeof solvers / sizeof *solvers == SCENE_IK_KIND_COUNT, "a solver of every kind");

void pose_ik(const ik_job *job, const scene_ik *ik, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        double weight = 1.0;
        track_evaluate(&ik[i].weight, job->time_s, &weight);
        if ((float)weight > 0.0f)
            solvers[ik[i].kind](job, &ik[i], (float)weight);
    }
}
