// SPDX-License-Identifier: MIT
/// The springs of a scene: their state, the steps that it takes from the start of the shot, and
/// the poses that it gives.
///
/// The state after step n follows from the state before it and from the pose of the clips, the
/// scene's bones and the solvers at the time of step n, never from which frames are drawn: a frame
/// alone takes all steps from the start, one of a sequence those from the last state that a trail
/// has, and both have the same bits. Between two steps a frame shows a part of the next step.
#pragma once

#include "pose/pose.h"
#include "pose/spring.h"
#include "scene/spring_trail.h"

typedef struct pose_pass pose_pass;

/// The mode of a pass for springs.
typedef enum spring_action {
    SPRINGS_REST,  ///< nothing: bones are as the clips have them
    SPRINGS_START, ///< the state becomes that, at rest
    SPRINGS_STEP,  ///< a step: the state changes, and bones follow it
    SPRINGS_SHOW   ///< bones are where `share` of the next step has them; the state stays
} spring_action;

/// Step 0 is at the start; warm_steps steps with the pose of that time follow, then time runs.
typedef struct spring_clock {
    double start_s, rate; ///< rate: steps per second
    int64_t warm_steps;
} spring_clock;

typedef struct spring_state {
    spring_tail *tails; ///< of all links of the scene; NULL: nobody needs them
    size_t tail_count;
    spring_factors *factors;    ///< [tail_count]
    uint32_t *first;            ///< [instance_count] into `tails`
    spring_obstacle *obstacles; ///< room for the colliders of any one instance
    spring_clock clock;
    double step_cost; ///< of the springs of all instances, in bones that are posed
    int64_t step;     ///< of `tails`; -1: there is none yet
    spring_action action;
    double share;
} spring_state;

/// Allocates the state of the springs of a scene, before their start. False: no memory.
bool pose_springs_init(const zt_scene *scene, arena *a, spring_state *out);
/// From now on passes show the springs of a time from the current step on.
void pose_springs_show(spring_state *s, double time_s);
/// The springs of an instance posed otherwise: rotates bones of `local`, updates world matrices.
void pose_springs_apply(const pose_pass *p, uint32_t instance, mat4 world_from_model,
                        pose_block *local);
/// The time of a step; that of the start for all steps of the warm-up.
double pose_springs_time(const spring_clock *clock, int64_t step);

// spring_steps.c
/// Takes the steps up to a time, in `a`. No trail: a scene without springs, or too large states.
zt_result spring_trail_build(const pose_loops *loops, const zt_scene *scene, double until_s,
                             arena *a, spring_trail *out, zt_error *err);
