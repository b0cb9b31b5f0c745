// SPDX-License-Identifier: MIT
/// Instances attached to bones of others, and how they change from one parent to the next.
///
/// An instance is placed at P(t) O L(t): P is the world transform of its parent's bone (the
/// identity for none, and without scale where the scene says so), O the offset that the last change
/// gave it, L its own transform. A change at T gives O' = P'(T)^-1 M(T) L(T)^-1, with which the
/// world transform M stays, or the identity, with which the instance snaps to the bone. A blend
/// goes from where the parents before would have it to where the new one has it, while both move:
/// on the arc that was the shorter one at the change, also when it grows beyond 180 degrees. No way
/// leads from a transform to a mirrored one but through a flat one: the instance is mirrored at the
/// change, along the axis of its own that leaves the least to rotate.
#pragma once

#include "pose/pose.h"
#include "scene/scene_ik.h"
#include "scene/spring_trail.h"

/// The bone of an instance after some changes of its parent.
typedef struct attachment {
    uint32_t change;            ///< index of the last one
    attachment_change *changes; ///< [parent_change_count] those up to the last
} attachment;

/// All instances at their first parents: [instance_count] in `a`; NULL: none. False: no memory.
bool pose_attachments_init(const zt_scene *scene, arena *a, attachment **out);
/// world_from_model of an instance from its last change on. `worlds`: `posed` of pose_instance().
void pose_attached(const zt_scene *scene, const scene_instance *instance, const attachment *at,
                   const mat4 *const *worlds, frame_time time, mat4 world_from_model);
/// The next change of an instance, at the time of that change.
void pose_attachment_change(const zt_scene *scene, const scene_instance *instance, attachment *at,
                            const mat4 *const *worlds, frame_time time);
