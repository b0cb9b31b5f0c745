// SPDX-License-Identifier: MIT
/// Inverse kinematics of one instance.
#ifndef ZT_POSE_POSE_IK_H
#define ZT_POSE_POSE_IK_H

#include "pose/pose.h"
#include "scene/scene_ik.h"

/// An instance posed by its layers.
typedef struct pose_ik_job {
    const zt_model *model;
    uint32_t instance;            ///< its index in the scene
    double time_s;                ///< shot time
    const vec4 *world_from_model; ///< a mat4
    const mat4 *const *posed;     ///< [instance] world_from_node of instances that targets are on
    pose_block *local;
    mat4 *world;   ///< world_from_node of `local`
    bool *changed; ///< [node_count] all false, and left so
} pose_ik_job;

/// Applies solvers in their order; updates `local` and `world`.
void pose_ik(const pose_ik_job *job, const scene_ik *ik, uint32_t count);

#endif
