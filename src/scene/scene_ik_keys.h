// SPDX-License-Identifier: MIT
/// Readers of the keys of solvers: value_fn whose target is a scene_ik.
#pragma once

#include "scene/scene_ik.h"
#include "scene/scene_value.h"

// Keys that several solvers share.
zt_result scene_ik_read_bone(document_reader *r, const document_node *value, void *target);
zt_result scene_ik_read_bones(document_reader *r, const document_node *value, void *target);
/// The smallest and the largest angle at the middle joint.
zt_result scene_ik_read_angle(document_reader *r, const document_node *value, void *target);
/// Bones, each below the last, into out[value->count]. `limb`: the last may hang elsewhere.
zt_result scene_ik_read_bone_list(document_reader *r, const document_node *value, bool limb,
                                  int32_t *out);
/// One number from 0 to `max` for each of `count` bones.
zt_result scene_ik_read_numbers(document_reader *r, const document_node *value, uint32_t count,
                                double max, const double **out);
/// The words of `space`.
extern const char *const scene_ik_spaces[2];

/// Ground for feet. `target`: a scene_terrain.
zt_result scene_ik_read_terrain(document_reader *r, const document_node *value, void *target);

// The solvers.
zt_result scene_ik_read_look_at(document_reader *r, const document_node *value, void *target);
zt_result scene_ik_read_aim(document_reader *r, const document_node *value, void *target);
zt_result scene_ik_read_reach(document_reader *r, const document_node *value, void *target);
zt_result scene_ik_read_chain(document_reader *r, const document_node *value, void *target);
zt_result scene_ik_read_twist(document_reader *r, const document_node *value, void *target);
zt_result scene_ik_read_plant(document_reader *r, const document_node *value, void *target);
