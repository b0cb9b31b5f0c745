// SPDX-License-Identifier: MIT
/// Chain: leads the end of any number of bones to a target by FABRIK (Aristidou and Lasenby,
/// "FABRIK: a fast, iterative solver for the inverse kinematics problem", 2011): joints are moved
/// along the lines between them, from the end to the root and back.
///
/// Nothing may jump while the target moves, although iterations do not converge evenly: their
/// number is fixed, each frame starts from the pose of the clips, and the goal of the iterations
/// goes from the posed end to the target in small steps, so that joints never pass each other.
/// Joints with limits: ik_chain_limited.c.
#include "base/maths.h"
#include "pose/ik.h"
#include "pose/ik_chain_limited.h"
#include "pose/ik_solver.h"

/// The share of the length below which a direction is none.
#define NO_LENGTH 1e-9
/// The share of the iterations in which the goal moves; the others converge.
#define MOVING 0.75
/// The distance that a chain that is compressed to nothing bends to its side first, of its length.
#define BEND 0.3
/// The weight that the axis of a straight chain counts for the side of the bend, of its length.
#define STRAIGHT 1e-3
/// The weights of the side away from the goal, times the sine of its angle, and of the pole against
/// the side of the pose, for a chain with limits: less AWAY misses more goals, more of it turns
/// faster where sides change.
#define AWAY 3.0
#define POLE 0.75
/// The length of that sum below which a third direction is added.
#define TURN 0.5

/// A chain as it is solved.
typedef struct fabrik {
    uint32_t count;
    dvec3 joint[IK_CHAIN_LIMIT + 1], direction[IK_CHAIN_LIMIT];
    double length[IK_CHAIN_LIMIT], whole;
} fabrik;

/// Both passes: the end at `goal`, then the root at `root`. Lengths hold after each.
static void iterate(fabrik *f, dvec3 root, dvec3 goal)
{
    f->joint[f->count] = goal;
    for (uint32_t k = f->count; k-- > 0;) {
        dvec3 along = dvec3_sub(f->joint[k + 1], f->joint[k]);
        if (dvec3_normalize(&along, NO_LENGTH * f->whole))
            f->direction[k] = along;
        f->joint[k] = dvec3_sub(f->joint[k + 1], dvec3_scale(f->direction[k], f->length[k]));
    }
    f->joint[0] = root;
    for (uint32_t k = 0; k < f->count; k++) {
        dvec3 along = dvec3_sub(f->joint[k + 1], f->joint[k]);
        if (dvec3_normalize(&along, NO_LENGTH * f->whole))
            f->direction[k] = along;
        f->joint[k + 1] = dvec3_add(f->joint[k], dvec3_scale(f->direction[k], f->length[k]));
    }
}

static void measure(const ik_chain *chain, fabrik *f)
{
    *f = (fabrik){.count = chain->count};
    for (uint32_t k = 0; k <= chain->count; k++)
        f->joint[k] = chain->joint[k];
    dvec3 before = {0.0, 1.0, 0.0};
    for (uint32_t k = 0; k < chain->count; k++) {
        f->direction[k] = dvec3_sub(f->joint[k + 1], f->joint[k]);
        f->length[k] = dvec3_length(f->direction[k]);
        f->whole += f->length[k];
        if (!dvec3_normalize(&f->direction[k], 0.0))
            f->direction[k] = before; // a bone of no length
        before = f->direction[k];
    }
}

/// The side to which a chain along `line` bends when it is compressed: that of the pole, or to
/// which it is bent, and if it is straight that of its fallback axis.
static dvec3 side_of(const ik_chain *chain, const fabrik *f, dvec3 line)
{
    dvec3 side = dvec3_reject(chain->pole, line);
    if (dvec3_normalize(&side, NO_LENGTH))
        return side;
    side = dvec3_scale(dvec3_perpendicular(line, chain->fallback_axis), STRAIGHT * f->whole);
    for (uint32_t k = 1; k < f->count; k++) {
        const dvec3 from_root = dvec3_sub(f->joint[k], f->joint[0]);
        side = dvec3_add(side, dvec3_divide(dvec3_reject(from_root, line), f->count));
    }
    return dvec3_normalize(&side, 0.0) ? side : dvec3_perpendicular(line, chain->fallback_axis);
}

/// Bends the chain to its side as a parabola of the height `amount`.
static void bend_to_side(fabrik *f, dvec3 side, double amount)
{
    for (uint32_t k = 1; k < f->count; k++) {
        const double u = (double)k / f->count;
        f->joint[k] = dvec3_add(f->joint[k], dvec3_scale(side, amount * 4.0 * u * (1.0 - u)));
    }
}

/// Distance and direction of the end from the root.
typedef struct chain_goal {
    dvec3 direction;
    double distance;
} chain_goal;

/// The goal of joints with limits: targets behind are let go (ik_limited_angle()).
static void release_goal(const ik_chain *chain, dvec3 posed, chain_goal *goal)
{
    const double angle = dvec3_angle_deg(posed, goal->direction);
    const double kept = ik_limited_angle(angle, 180.0, IK_RELEASE_DEG);
    if (kept < angle) {
        const quat back = quat_between(posed, goal->direction, chain->fallback_axis);
        goal->direction = quat_rotate(quat_slerp(quat_identity(), back, kept / angle), posed);
    }
}

/// The part that iterations leave of the distance to the goal: both halves of the chain as a limb
/// of two bones, which meets it. `side`: to which a straight one bends.
static void meet_goal(const ik_chain *chain, fabrik *f, const chain_goal *goal, dvec3 side)
{
    const uint32_t middle = f->count / 2;
    const dvec3 root = f->joint[0];
    dvec3 first = dvec3_sub(f->joint[middle], root);
    dvec3 second = dvec3_sub(f->joint[f->count], f->joint[middle]);
    if (!dvec3_normalize(&first, NO_LENGTH) || !dvec3_normalize(&second, NO_LENGTH))
        return;
    // The normal of the limb, which passes into that of `side` while the limb becomes straight.
    const dvec3 hinge = dvec3_add(dvec3_cross(first, second),
                                  dvec3_scale(dvec3_cross(side, goal->direction), STRAIGHT));
    const ik_reach limb = {.root = root,
                           .middle = f->joint[middle],
                           .end = f->joint[f->count],
                           .target = dvec3_add(root, dvec3_scale(goal->direction, goal->distance)),
                           .hinge = hinge,
                           .fallback_hinge = chain->fallback_axis,
                           .max_deg = 180.0,
                           .cone_deg = 180.0};
    const ik_reach_rotations r = ik_reach_solve(&limb);
    for (uint32_t k = 0; k < f->count; k++) {
        f->direction[k] = quat_rotate(k < middle ? r.root : r.middle, f->direction[k]);
        f->joint[k + 1] = dvec3_add(f->joint[k], dvec3_scale(f->direction[k], f->length[k]));
    }
}

/// Without limits: rotates the chain onto the line to the target; the rest depends on the distance.
static void solve_free(const ik_chain *chain, fabrik *f, dvec3 posed, double posed_distance,
                       const chain_goal *goal)
{
    const dvec3 root = f->joint[0];
    const quat swing = quat_between(posed, goal->direction, chain->fallback_axis);
    const dvec3 pole = dvec3_reject(chain->pole, goal->direction);
    const dvec3 side = dvec3_length(pole) > NO_LENGTH
                           ? side_of(chain, f, goal->direction)
                           : quat_rotate(swing, side_of(chain, f, posed));
    for (uint32_t k = 1; k <= f->count; k++)
        f->joint[k] = dvec3_add(root, quat_rotate(swing, dvec3_sub(f->joint[k], root)));
    const double compressed = 1.0 - goal->distance / posed_distance;
    bend_to_side(f, side, compressed > 0.0 ? BEND * f->whole * compressed : 0.0);
    for (uint32_t k = 1; k <= chain->iterations; k++) {
        const double part = k / (MOVING * chain->iterations);
        const double s = part < 1.0 ? part : 1.0;
        const double at = posed_distance + (goal->distance - posed_distance) * s;
        iterate(f, root, dvec3_add(root, dvec3_scale(goal->direction, at)));
    }
    meet_goal(chain, f, goal, side);
}

static void solve_limited(const ik_chain *chain, fabrik *f, dvec3 posed, double posed_distance,
                          const chain_goal *goal)
{
    // A chain that bends away from the line to its goal comes back to it by bends of one direction.
    const dvec3 away = dvec3_scale(dvec3_reject(goal->direction, posed), -AWAY);
    const bool has_pole = dvec3_length(dvec3_reject(chain->pole, posed)) > NO_LENGTH;
    const dvec3 own = side_of(chain, f, posed);
    dvec3 side = dvec3_add(dvec3_scale(own, has_pole ? POLE : 1.0), away);
    // Where both are opposite and equal, the chain turns over, around the line to the goal.
    const double turning = maths_max(TURN - dvec3_length(side), 0.0);
    side = dvec3_add(side, dvec3_scale(dvec3_cross(own, posed), turning));
    (void)dvec3_normalize(&side, 0.0);
    const ik_chain_way way = {.posed = posed,
                              .goal = goal->direction,
                              .posed_distance = posed_distance,
                              .goal_distance = goal->distance,
                              .bend_axis = dvec3_cross(side, posed)};
    ik_chain_follow(chain, &way, f->direction);
}

void ik_chain_solve(const ik_chain *chain, quat *out)
{
    fabrik f;
    measure(chain, &f);
    for (uint32_t k = 0; k < f.count; k++)
        out[k] = quat_identity();
    dvec3 posed = dvec3_sub(f.joint[f.count], f.joint[0]);
    const dvec3 to_target = dvec3_sub(chain->target, f.joint[0]);
    const double posed_distance = dvec3_length(posed), distance = dvec3_length(to_target);
    chain_goal goal = {.direction = to_target};
    if (!(f.whole > 0.0) || !(f.whole <= 1e150) || !(distance <= 1e150) || f.count < 2 ||
        !dvec3_normalize(&posed, NO_LENGTH * f.whole))
        return; // nothing to reach with, or a chain that is posed as a ring
    if (!dvec3_normalize(&goal.direction, NO_LENGTH * f.whole))
        goal.direction = posed;
    goal.distance = ik_soft_distance(distance, 0.0, f.whole, chain->soft);
    if (chain->limit_deg) {
        release_goal(chain, posed, &goal);
        solve_limited(chain, &f, posed, posed_distance, &goal);
    } else {
        solve_free(chain, &f, posed, posed_distance, &goal);
    }
    quat all = quat_identity();
    for (uint32_t k = 0; k < f.count; k++) {
        const dvec3 bone = quat_rotate(all, dvec3_sub(chain->joint[k + 1], chain->joint[k]));
        all = quat_multiply(quat_between(bone, f.direction[k], chain->fallback_axis), all);
        out[k] = all;
    }
}

void ik_chain_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    dvec3 joint[IK_CHAIN_LIMIT + 1];
    quat rotation[IK_CHAIN_LIMIT];
    ik_space space;
    if (!ik_space_of_bone(context, ik->bones[0], &space))
        return;
    for (uint32_t i = 0; i < ik->bone_count; i++)
        joint[i] = ik_point_in_space(&space, ik_bone_position(context, ik->bones[i]));
    const affine first = ik_bone_transform(context, &space, ik->bones[0]);
    const ik_chain chain = {
        .count = ik->bone_count - 1,
        .joint = joint,
        .target = ik_point_in_space(&space, ik_target_evaluate(context, ik)),
        .pole = ik_vector_in_space(&space, ik_direction_evaluate(context, ik, &ik->pole)),
        .fallback_axis = dvec3_perpendicular(dvec3_sub(joint[1], joint[0]), first.m.z),
        .soft = ik->soft,
        .limit_deg = ik->limits_deg,
        .iterations = (uint32_t)ik->iterations,
    };
    ik_chain_solve(&chain, rotation);
    for (uint32_t i = 0; i + 1 < ik->bone_count; i++)
        ik_rotate_bone(context, &space, ik->bones[i], i > 0 ? rotation[i - 1] : quat_identity(),
                       rotation[i], weight);
    ik_update_world(context);
}
