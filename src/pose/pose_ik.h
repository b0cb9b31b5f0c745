// SPDX-License-Identifier: MIT
/// Inverse kinematics of one instance.
#ifndef ZT_POSE_POSE_IK_H
#define ZT_POSE_POSE_IK_H

#include "pose/pose.h"
#include "scene/scene_ik.h"

/// An instance that its layers have posed.
typedef struct pose_ik_job {
    const zt_model *model;
    uint32_t instance;            ///< its number in the scene
    double time_s;                ///< of the shot
    const vec4 *world_from_model; ///< a mat4
    const mat4 *const *posed;     ///< [instance] nodes of those that its targets stand on
    pose_block *local;
    mat4 *world; ///< of `local`
    bool *moved; ///< [node_count] all false, and left so
} pose_ik_job;

/// Solves one after the other; `local` and `world` follow.
void pose_ik(const pose_ik_job *job, const scene_ik *ik, uint32_t count);

#endif
