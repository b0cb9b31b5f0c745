// SPDX-License-Identifier: MIT
/// Inverse kinematics as functions of points and directions in one space (the world, say). They
/// return rotations in that space; ik_solver.c makes local rotations of them. Any finite input
/// gives a rotation: special cases are stated with each function.
///
/// Sources: Granberg, "Character Animation with Direct3D", ch. 11 (look-at, two joints); the
/// semantics of ozz-animation's two-bone and aim jobs (pole vector, soften, offset); Nicholas, "How
/// to make your IK soft", 2009 (the soft limit).
#pragma once

#include "base/quat.h"

#include <stdint.h>

/// A limb of two bones between three joints, and the target of its end.
typedef struct ik_reach {
    dvec3 root, middle, end; ///< joints as posed: shoulder, elbow, hand
    dvec3 target;
    dvec3 hinge; ///< axis about which the middle joint bends, right-handed; zero: the normal of the
                 ///< plane through the joints
    dvec3 fallback_hinge; ///< for a straight limb whose hinge is zero
    dvec3 pole;           ///< direction in which the middle joint points; zero: as posed
    double soft;          ///< 0..1: the share of the reach in which the end lags behind its target
    double min_deg, max_deg; ///< limits of the angle between the bones; 180 is straight
    dvec3 cone_axis;         ///< the first bone stays within `cone_deg` of this direction
    double cone_deg;         ///< 180: no limit
} ik_reach;

/// Counts of everything at and below a joint, by joint: each includes those before it.
typedef struct ik_reach_rotations {
    quat root, middle;
} ik_reach_rotations;

/// The law of cosines, then the shortest rotation to the target, then a rotation about the line to
/// the target that brings the middle joint to the pole. Special cases:
/// - A target farther or nearer than the limb can reach is moved along its line.
/// - A target at the root joint is sought in the direction of the end.
/// - A bone without length makes the limb one bone, which points at the target.
/// - A pole along the line to the target has no effect.
/// - Outside the cone, the middle joint first circles the line, as ik_reach.c says, without jumps.
///   When no point of the circle is in the cone, the first bone goes to the nearest direction in
///   the cone and the second points at the target.
ik_reach_rotations ik_reach_solve(const ik_reach *limb);

/// ik_reach_solve() for a limb below a scale that differs along its axes (ik_reach_sheared.c): the
/// frame in which its second bone rotates is sheared in this space. `limb->hinge` is in that frame,
/// and quat_from_axes() takes the bone's rotation there, which is conjugate(out.root) out.middle.
ik_reach_rotations ik_reach_solve_sheared(const ik_reach *limb, const dmat3 *space_from_frame);

/// The distance at which the end of a limb with reach `min`..`max` is placed for a target at
/// `distance`: the same up to the last `soft` share of the reach, from there smoothly towards
/// `max`: m - s e^(-(d - (m - s)) / s) with s = soft m.
double ik_soft_distance(double distance, double min, double max, double soft);

enum { IK_CHAIN_LIMIT = 32 };

/// A chain of bones. The line of sight is fixed to the last one.
typedef struct ik_look_at {
    uint32_t count;          ///< 1..IK_CHAIN_LIMIT
    const dvec3 *joint;      ///< [count] first bone to last
    const double *share;     ///< [count] of the angle; >= 0, not all 0
    const double *limit_deg; ///< [count] largest rotation of each; NULL: none
    dvec3 eye, forward;      ///< the line of sight as posed
    dvec3 target;
    dvec3 fallback_axis; ///< of a rotation by 180 degrees
    double max_deg;      ///< largest angle between the line of sight as posed and as solved
    dvec3 up;            ///< bones do not roll against it; zero: shortest arcs
    /// With `up`: limits of the angle about it, to the right and to the left, and of the angle to
    /// its horizon, down and up; 180: none. From the line of sight as posed.
    double yaw_deg[2], pitch_deg[2];
} ik_look_at;

/// Rotations that lead the line of sight through the target; out[i] is of all at and below joint i
/// and includes those before. Exact without limits. Beyond limits (max_deg, the sum of limit_deg,
/// yaw_deg) a target is followed at them, and let go behind (ik_limited_angle()). A target at a
/// joint, or too near for the line, is approached; without `forward` nothing rotates.
void ik_look_at_solve(const ik_look_at *chain, quat *out);

/// The angle at the far side of a limit over which solvers let go of it.
#define IK_RELEASE_DEG 45.0

/// `angle_deg`, at most `max_deg`; falls to 0 in the last `release_deg` before 180, without a jump.
double ik_limited_angle(double angle_deg, double max_deg, double release_deg);

/// The second half of an aim: the rotation about `axis` (the line to the target) that brings
/// `up_axis` as near to `up` as possible; the identity when one of them is along `axis`.
quat ik_roll(dvec3 axis, dvec3 up_axis, dvec3 up);

typedef struct ik_chain {
    uint32_t count;     ///< bones, 2..IK_CHAIN_LIMIT
    const dvec3 *joint; ///< [count + 1] root to end, as posed
    dvec3 target;
    dvec3 pole;              ///< the side to which the chain bends; zero: as posed
    dvec3 fallback_axis;     ///< that side of a straight chain
    double soft;             ///< as in ik_reach
    const double *limit_deg; ///< [count] largest angle between a bone and the one before; the
                             ///< first: and where it points as posed; NULL: none
    uint32_t iterations;     ///< 1 and more
} ik_chain;

/// Rotations that lead the end to the target; out[k] is of all at and below joint k and includes
/// those before. Without limits a target within reach (1 - soft of the length) is met, one beyond
/// pointed at; with limits the end comes as near as the iterations get. A target at the root joint
/// is sought in the end's direction. A chain posed as a ring stays.
void ik_chain_solve(const ik_chain *chain, quat *out);

/// Directions of the axes of a bone, of any length.
typedef struct ik_axes {
    dvec3 x, y;
} ik_axes;

/// The rotation R of a bone in its parent's space with which space_from_parent R S points x along
/// axes->x, y into the half plane of both: exact under sheared or mirrored parents. S: `scale`, of
/// which only signs count. False: the parent is scaled flat or the axes are parallel.
bool ik_orient_solve(const dmat3 *space_from_parent, const double scale[3], const ik_axes *axes,
                     quat *out);

/// The angle of a rotation about a unit axis, above -180 to 180, as it is shared: in the last 20
/// degrees before 180, and while the axis swings by more than 135, it falls to 0, so that nothing
/// jumps where the twist changes its side or has none.
double ik_twist_deg(quat rotation, dvec3 axis);

/// Heights are world y.
typedef struct ik_terrain {
    dvec3 point, normal;    ///< a plane, when there are no heights; normal.y > 0
    uint32_t columns, rows; ///< along x and z; 0: a plane
    double first_x, first_z, step_x, step_z;
    const double *height; ///< [rows][columns]
} ik_terrain;

/// Height and unit normal of the terrain at (x, z). A height field is interpolated bilinearly and
/// clamped at its edge; its normal is that of the slope over a whole step, which has no kinks.
void ik_terrain_evaluate(const ik_terrain *terrain, double x, double z, double *out_height,
                         dvec3 *out_normal);

typedef struct ik_foot {
    dvec3 ankle;  ///< as posed
    double floor; ///< height of the terrain that the animation was made for
    double max_tilt_deg;
    dmat3 world_from_leg; ///< from the space in which the foot rotates
    double rise;          ///< out: how far the ankle moves up
    quat tilt;            ///< out, in the space of the leg
} ik_foot;

/// Keeps the sole as far above the terrain as above the floor, tilted up to the limit, in the
/// world.
void ik_foot_solve(const ik_terrain *terrain, ik_foot *foot);
/// Metres by which the pelvis moves up (down: negative) to reach the lowest foot: -max_drop to
/// max_rise.
double ik_pelvis_rise(const ik_foot *feet, uint32_t count, double max_drop, double max_rise);
