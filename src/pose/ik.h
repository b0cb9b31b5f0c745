// SPDX-License-Identifier: MIT
/// Inverse kinematics: solvers as functions of points and directions in one space (world, say).
/// They answer with turns of that space; pose_ik.c makes local rotations of them. Every solver is
/// total: any finite input gives a rotation, and the special cases are stated with it.
///
/// Sources: Granberg, "Character Animation with Direct3D", ch. 11 (look-at, two joints); the
/// semantics of ozz-animation's two-bone and aim jobs (pole vector, soften, offset); Nicholas, "How
/// to make your IK soft", 2009 (the soft limit).
#ifndef ZT_POSE_IK_H
#define ZT_POSE_IK_H

#include "base/quat.h"

#include <stdint.h>

/// A limb of two bones between three joints, and where its end shall go.
typedef struct ik_reach {
    dvec3 root, middle, end; ///< joints as posed: shoulder, elbow, hand
    dvec3 target;
    dvec3 hinge; ///< axis of the middle joint, about which it bends with the right hand; zero: the
                 ///< normal of the plane in which the joints lie
    dvec3 spare; ///< takes the hinge's place when it is zero and the limb is straight
    dvec3 pole;  ///< direction in which the middle joint points; zero: as the limb came
    double soft; ///< 0..1: the last part of the reach in which the end falls behind its target
    double min_deg, max_deg; ///< between the bones at the middle joint; 180 is straight
    dvec3 cone_axis;         ///< the first bone stays within
    double cone_deg;         ///< this angle of it; 180: everywhere
} ik_reach;

/// Turns for everything that hangs on a joint, by joint: each includes those before it.
typedef struct ik_reach_turns {
    quat root, middle;
} ik_reach_turns;

/// The law of cosines, then the shortest turn to the target, then a turn about the line to it that
/// brings the middle joint to the pole. A target farther or nearer than the limb can do is moved
/// along its line. Special cases: a target on the root joint is sought where the end is; a bone
/// without length makes the limb one bone, which points at the target; a pole along the line to the
/// target does nothing; outside the cone, the middle joint first circles the line, and when no
/// place of the circle is inside, the first bone goes to the nearest place of the cone and the
/// second points at the target.
ik_reach_turns ik_reach_solve(const ik_reach *job);

/// How far a limb that can reach `most` (and not nearer than `least`) goes for a target at
/// `distance`: distance itself up to the last `soft` part of the way, then nearer and nearer to
/// `most` with no kink: m - s e^(-(d - (m - s)) / s) with s = soft m.
double ik_soft_distance(double distance, double least, double most, double soft);

enum { IK_CHAIN_LIMIT = 32 };

/// A chain of bones whose last carries a line of sight.
typedef struct ik_look {
    uint32_t count;          ///< 1..IK_CHAIN_LIMIT
    const dvec3 *joint;      ///< from the first bone to the last
    const double *share;     ///< of the angle that each takes; >= 0, not all 0
    const double *limit_deg; ///< largest turn of each; NULL: none
    dvec3 eye, forward;      ///< the line of sight as posed
    dvec3 target;
    dvec3 spare;       ///< axis of a turn by 180 degrees
    double most_deg;   ///< largest angle between the line as posed and as solved
    double let_go_deg; ///< behind, the last so many degrees let go: see ik_limited_angle
} ik_look;

/// Turns that lead the line of sight through the target; out[i] is for everything on joint i and
/// includes those before it. Exact when no limit is met. A target on a joint, or one so near that
/// the line cannot meet it, is looked at as well as it can be; no forward: nothing turns.
void ik_look_solve(const ik_look *job, quat *out);

/// `angle` up to `most`, and from there on `most`; in the last `let_go` degrees before 180 it falls
/// to 0, so that nothing jumps when a target passes behind.
double ik_limited_angle(double angle_deg, double most_deg, double let_go_deg);

/// The turn about `axis` (the line to a target) that brings `up_axis` as near to `up` as it goes;
/// none when one of them lies along it.
quat ik_roll(dvec3 axis, dvec3 up_axis, dvec3 up);

/// Ground to stand on. Heights are world y.
typedef struct ik_ground {
    dvec3 point, normal;    ///< a plane, when there are no heights; normal.y > 0
    uint32_t columns, rows; ///< along x and z; 0: a plane
    double first_x, first_z, step_x, step_z;
    const double *height; ///< [rows][columns]
} ik_ground;

/// Height and unit normal below or above (x, z): straight lines between the heights of a field
/// (bilinear), its edge held outside. The normal of a field is that of a blend over a step, and so
/// has no kinks.
void ik_ground_at(const ik_ground *ground, double x, double z, double *out_height,
                  dvec3 *out_normal);

/// A foot over ground: where its ankle goes, and how it tilts.
typedef struct ik_foot {
    dvec3 ankle;     ///< as posed
    double floor;    ///< height of the ground that the animation was made for
    double tilt_deg; ///< largest tilt
    double rise;     ///< out: how far the ankle moves up
    quat tilt;       ///< out
} ik_foot;

/// The sole stays as far above the ground as it was above the floor, and as much of the ground's
/// slope as is allowed is given to the foot.
void ik_foot_solve(const ik_ground *ground, ik_foot *foot);
/// How far a pelvis moves up (down: negative) so that the foot with the least rise is reached.
double ik_pelvis_rise(const ik_foot *feet, uint32_t count, double drop, double rise);

#endif
