// SPDX-License-Identifier: MIT
/// One link of a spring: where its tail swings within a step.
///
/// The algorithm of VRM 1.0 (VRMC_springBone, "SpringBone Algorithm", not normative): Verlet
/// integration with inertia, stiffness and gravity, the distance from the head kept, then
/// colliders. It differs in two points. A collider does not push a tail along its normal, after
/// which the length would be wrong, but turns the link to the edge of the circle in which the
/// collider cuts the sphere of the tail. And drag and forces are per sixtieth of a second: other
/// steps give the same motion, but for the integration's error.
#pragma once

#include "base/dvec3.h"
#include "model/springs.h"

/// A collider in the world.
typedef struct spring_obstacle {
    dvec3 from, to;
    double radius;
} spring_obstacle;

/// A link in the world, as the clips have it.
typedef struct spring_body {
    dvec3 head;
    dvec3 rest; ///< unit, towards the tail
    double length, radius;
    const spring_obstacle *obstacles; ///< those of the link, by link->colliders
} spring_body;

/// Constants of a link in a step.
typedef struct spring_factors {
    double step_s;
    double kept; ///< share of the inertia, the drag of a sixtieth taken to the step
} spring_factors;

spring_factors spring_factors_of(const spring_link *link, double step_s);
/// The direction of a link, unit: where the tail is after `share` of a step (0 to 1) from `now`,
/// where it was before by `before`, all in the world.
dvec3 spring_swing(const spring_link *link, const spring_body *body, spring_factors factors,
                   double share, dvec3 now, dvec3 before);
