// SPDX-License-Identifier: MIT
/// States of the springs of a scene over a shot, so that its frames need not take all steps from
/// the start. A trail changes no bit of any pose. pose/spring_steps.c makes it.
#pragma once

#include "base/dvec3.h"
#include "scene/scene.h"

/// The tail of a link at a step and at the one before, in the space of the link's centre.
typedef struct spring_tail {
    dvec3 now, before;
    bool known; ///< false where the link had no length, or its centre no volume: it starts anew
} spring_tail;

/// A change of the parent of an instance, as the poses of its time make it (pose_attach.h).
typedef struct attachment_change {
    mat4 offset;    ///< from the bone to the space of the instance
    quat turn;      ///< for a blend: the rotation from the transform before to that after
    int32_t mirror; ///< for a blend: the axis along which the one before is mirrored; -1: none
} attachment_change;

struct spring_trail {
    const zt_scene *scene;      ///< NULL: it knows nothing
    uint64_t stamp;             ///< edit_stamp of the scene
    int64_t stride, count;      ///< states of steps 0, stride, 2 stride ...
    spring_tail *tails;         ///< [count][tail_count]
    size_t tail_count;          ///< links of the scene
    attachment_change *changes; ///< changes of all parents up to the last state
    size_t change_count;
};
