// SPDX-License-Identifier: MIT
/// Shares of drivers in the final pose, and by them the weights of wrinkle maps.
#include "pose/pose.h"

double pose_driven_share(const scene_instance *instance, const scene_driver *driver,
                         frame_time time, const pose_joints *joints, const pose_morphs *morphs)
{
    if (driver->kind == SCENE_DRIVER_MORPH)
        (void)pose_morphs_evaluate(instance, (uint32_t)driver->node, time, joints, morphs);
    return pose_driver_share(instance, driver, joints, morphs ? morphs->weights : NULL);
}

float pose_wrinkle_weight(const scene_instance *instance, const scene_wrinkle *wrinkle,
                          frame_time time, const pose_joints *joints, const pose_morphs *morphs)
{
    double weight[4] = {0.0};
    track_evaluate(&wrinkle->weight, time.shot_s, weight);
    if (!(weight[0] > 0.0))
        return 0.0f;
    return (float)(weight[0] * pose_driven_share(instance, &wrinkle->driver, time, joints, morphs));
}
