// SPDX-License-Identifier: MIT
/// The parts of plant.
#pragma once

#include "pose/ik_solver.h"

enum { LEG_BONES = 3 }; ///< hip, knee, ankle

/// Fills feet and legs [ik->bone_count / 3] from the pose of a context, each ankle moved by `shift`
/// (NULL: none). False: the space of a leg is scaled flat.
bool ik_plant_feet(const ik_context *context, const scene_ik *ik, const dvec3 *shift, ik_foot *feet,
                   ik_limb *legs);

/// The rise of the pelvis, smooth over ik->smooth_s on both sides of the frame, and nowhere above
/// that of the lowest foot as clips have it. `now`: the rise of the frame alone.
double ik_plant_rise(const ik_context *context, const scene_ik *ik, double now);

/// The way of ankle `foot` along the ground to where it landed, while it is planted, and the rest
/// of it for a while after it was lifted.
dvec3 ik_plant_lock(const ik_context *context, const scene_ik *ik, uint32_t foot);
