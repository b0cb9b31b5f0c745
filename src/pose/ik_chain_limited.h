// SPDX-License-Identifier: MIT
/// The chain solver with limits at joints.
#pragma once

#include "pose/ik.h"

/// The way of the end of a chain: from where it is posed, around the root, to its goal.
typedef struct ik_chain_way {
    dvec3 posed, goal; ///< unit directions from the root
    double posed_distance, goal_distance;
    dvec3 bend_axis; ///< unit: a compressed chain bends back about it, its first bone the other way
} ik_chain_way;

/// The directions of the bones with the end at its goal or as near as limits let it come; limits
/// hold exactly.
void ik_chain_follow(const ik_chain *chain, const ik_chain_way *way, dvec3 *out_direction);
