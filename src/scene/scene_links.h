// SPDX-License-Identifier: MIT
/// Links from one instance to bones of others: targets of solvers and parents. A solver, or the
/// clips of an instance with a parent, come after the last solver that moves the bone.
#pragma once

#include "scene/scene_ik.h"
#include "scene/scene_value.h"

/// A model or a bone of it that a key names, found once all instances are read.
struct bone_request {
    bone_request *next;
    scene_target *target;              ///< gets the instance and the node
    const document_node *model, *bone; ///< bone NULL: the model itself
};

/// `target` of a solver: a point, keys, or a bone with an offset, kept until scene_resolve_links().
zt_result scene_read_target(document_reader *r, const document_node *value, void *target);
/// A rotation, keys of rotations, or a bone. `target`: a scene_orientation, as above.
zt_result scene_read_orientation(document_reader *r, const document_node *value, void *target);
/// `parent` of a scene_instance: a bone, none, or keys of these.
zt_result scene_read_parent(document_reader *r, const document_node *value, void *target);
/// Finds the bones that links name, and the order of posing, once all instances are read.
zt_result scene_resolve_links(document_reader *r);

/// Sets the scene's runs from the bones found for requests; fails on a cycle, which it names.
zt_result scene_find_pose_order(document_reader *r);

/// One step of posing depends on another.
typedef struct scene_dependency {
    uint32_t step, on;
} scene_dependency;

/// Sorts steps so that each follows those that it depends on, otherwise by their numbers.
/// out_order: [count]. A cycle is returned in *out_cycle, in `scratch`: each depends on the next
/// and the last on the first; without one *out_cycle_count is 0. False: out of memory.
bool scene_sort_steps(arena *scratch, uint32_t count, const scene_dependency *dependencies,
                      size_t dependency_count, uint32_t *out_order, uint32_t **out_cycle,
                      uint32_t *out_cycle_count);
