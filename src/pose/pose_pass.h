// SPDX-License-Identifier: MIT
/// One pass over the instances of a scene, or over those that something needs: the state of
/// attachments and springs between passes at different times, and the memory of poses.
#pragma once

#include "pose/pose_attach.h"
#include "pose/pose_springs.h"

/// State of an instance between several runs.
typedef struct split_pose {
    pose_block *local; ///< NULL: it has one run
    mat4 world_from_model;
} split_pose;

struct pose_pass {
    const pose_loops *loops;
    const zt_scene *scene;
    pose_scratch scratch;
    attachment *attachments; ///< [instance_count], NULL when nothing is attached
    split_pose *splits;      ///< [instance_count], NULL when no instance has several runs
    const mat4 **worlds;     ///< [instance_count][node], then the same before solvers; [-1]: the
                             ///< model itself
    mat4 **memory;           ///< the same, to write to
    const bool *needed;      ///< [instance_count] the instances to pose; NULL: all
    pose_sharing *sharing;
    bool *evaluated;     ///< [sharing->count] shared poses whose local transforms exist
    pose_block **locals; ///< [instance_count] copies of local transforms; NULL: nobody wants them
    spring_state springs;
    budget *budget;
};

/// Instances of which others need the pose: a set and the list of its members.
typedef struct needed_set {
    bool *has; ///< [instance_count]
    uint32_t *member;
    uint32_t count;
} needed_set;

/// An empty set in `a`. False: no memory.
bool pose_needed_init(const zt_scene *scene, arena *a, needed_set *out);
/// Adds an instance; -1 and members are left out.
void pose_need(needed_set *set, int32_t instance);
/// Adds all that the poses of the members depend on: targets of their solvers and their parents.
void pose_need_dependencies(const zt_scene *scene, needed_set *set);

/// Allocates what the pass needs for the instances of p->needed and of `also` (NULL: none of them).
zt_result pose_pass_init(pose_pass *p, const bool *also, arena *a, zt_error *err);
/// The world transform of an instance at a time from its last parent change on.
void pose_pass_place(const pose_pass *p, uint32_t instance, frame_time time, mat4 world_from_model);
/// Poses every instance that is needed at a time, attached to its current parent.
void pose_pass_all(const pose_pass *p, frame_time time, bool shared);
/// Applies all parent changes up to a time, each with the springs of its time.
void pose_pass_change_parents(pose_pass *p, double until_s);
