// SPDX-License-Identifier: MIT
/// Chain with limits: damped least squares (Wampler, "Manipulator inverse kinematic solutions based
/// on vector formulations and damped least-squares methods", 1986) along the way of the end, within
/// limits.
///
/// The bend of a joint is a point of a disc: the rotation vector of its bone. In each step all
/// bends together come as near to the goal as damping lets them while none leaves its disc: a
/// convex problem, solved by alternating directions (Boyd et al., "Distributed optimization and
/// statistical learning via the alternating direction method of multipliers", 2011), whose result
/// follows the target without jumps. Bends that are projected onto limits after a step do not: the
/// others must know of it. Damping grows with the distance that is left, and bends are drawn to an
/// arc, so that poses that meet the goal equally well change slowly.
#include "pose/ik_chain_limited.h"

#include "base/maths.h"
#include "base/quat.h"

#include <string.h>

/// The share of the steps in which the goal moves, and of the others those in which the arc draws.
#define MOVING  0.5
#define DRAWING 0.5
/// Damping while the goal moves and at the end, of the root of the distance that is left to the
/// goal, and of the distance to the arc: lengths are shares of the chain, bends radians.
#define DAMPING          0.12
#define END_DAMPING      0.06
#define DISTANCE_DAMPING 0.5
#define ARC_DAMPING      0.2
/// The longest step of the end, of the length, and of the bends of all joints, in radians.
#define MAX_STEP      0.1
#define MAX_BEND_STEP 0.3
/// Alternations of a step after the first one, which meets no limits.
#define ALTERNATIONS 8
/// The sine or angle below which a bend has no axis.
#define NO_BEND 1e-12
/// The angle below which sin(x) / x is 1 to double precision.
#define SMALL_ANGLE 1e-8

typedef struct limited_chain {
    uint32_t count;
    double limit[IK_CHAIN_LIMIT]; ///< radians
    double length[IK_CHAIN_LIMIT], whole;
    /// Rotation vectors in the frame of a joint, whose z axis is along the bone: z is 0.
    dvec3 bend[IK_CHAIN_LIMIT], drawn[IK_CHAIN_LIMIT];
    /// A bone is the z axis of frame[k + 1], which is frame[k] rotated by its bend.
    quat frame[IK_CHAIN_LIMIT + 1];
    dvec3 joint[IK_CHAIN_LIMIT + 1];
    dvec3 column[2 * IK_CHAIN_LIMIT]; ///< of the Jacobian: the end by bends, of the length
    dmat3 square;                     ///< J J^T
} limited_chain;

static quat rotate_by(dvec3 bend)
{
    const double angle = dvec3_length(bend);
    if (!(angle > NO_BEND))
        return quat_identity();
    return quat_from_axis_deg((dvec3){bend.x / angle, bend.y / angle, 0.0},
                              angle * MATHS_DEG_FROM_RAD);
}

static dvec3 bone_direction(const limited_chain *c, uint32_t k)
{
    return quat_rotate(c->frame[k + 1], (dvec3){0.0, 0.0, 1.0});
}

static void place_joint(limited_chain *c, uint32_t k)
{
    c->frame[k + 1] = quat_multiply(c->frame[k], rotate_by(c->bend[k]));
    quat_normalize(&c->frame[k + 1]);
    c->joint[k + 1] = dvec3_add(c->joint[k], dvec3_scale(bone_direction(c, k), c->length[k]));
}

/// The bends of the pose, as far as limits allow.
static void start(const ik_chain *chain, limited_chain *c)
{
    const dvec3 *joint = chain->joint;
    *c = (limited_chain){.count = chain->count};
    c->joint[0] = joint[0];
    dvec3 first = dvec3_sub(joint[1], joint[0]);
    c->frame[0] = dvec3_normalize(&first, 0.0)
                      ? quat_between((dvec3){0.0, 0.0, 1.0}, first, (dvec3){1.0, 0.0, 0.0})
                      : quat_identity();
    for (uint32_t k = 0; k < c->count; k++) {
        c->limit[k] = chain->limit_deg[k] * MATHS_RAD_FROM_DEG;
        c->length[k] = dvec3_length(dvec3_sub(joint[k + 1], joint[k]));
        c->whole += c->length[k];
        const dvec3 bone =
            quat_rotate(quat_conjugate(c->frame[k]), dvec3_sub(joint[k + 1], joint[k]));
        const double across = sqrt(bone.x * bone.x + bone.y * bone.y);
        if (across > NO_BEND * c->length[k]) {
            const double angle = maths_min(maths_atan2(across, bone.z), c->limit[k]);
            c->bend[k] = (dvec3){-bone.y / across * angle, bone.x / across * angle, 0.0};
        }
        place_joint(c, k);
    }
}

/// The bends, in directions of a straight chain, that lead it to an arc with its end at the goal.
static void find_arc(const limited_chain *posed, const ik_chain_way *way, dvec3 *out)
{
    // The half of the arc's angle, of which sin(h) / h is the share of the length, within 10 %.
    const double compressed = maths_max(1.0 - way->goal_distance / way->posed_distance, 0.0);
    const double half = sqrt(6.0 * compressed) * (1.0 + 0.16 * compressed);
    const dvec3 back = dvec3_scale(way->bend_axis, 2.0 * half / posed->count);
    dvec3 swing = dvec3_cross(way->posed, way->goal);
    const double angle = dvec3_angle_deg(way->posed, way->goal) * MATHS_RAD_FROM_DEG;
    swing = dvec3_normalize(&swing, NO_BEND) ? dvec3_scale(swing, angle) : (dvec3){0.0, 0.0, 0.0};
    const dvec3 first = dvec3_sub(swing, dvec3_scale(back, 0.5 * (posed->count - 1)));
    for (uint32_t k = 0; k < posed->count; k++) {
        const dvec3 v = quat_rotate(quat_conjugate(posed->frame[k]), k == 0 ? first : back);
        out[k] = (dvec3){v.x, v.y, 0.0};
    }
}

/// The rotation of a frame, in itself, by a change of its rotation vector: the left Jacobian of
/// SO(3) (Chirikjian, "Stochastic Models, Information Theory, and Lie Groups 2", 2012, 10.6).
static dvec3 rotation_change(dvec3 vector, dvec3 change)
{
    const double angle = dvec3_length(vector);
    if (!(angle > SMALL_ANGLE))
        return (dvec3){change.x, change.y, 0.0};
    double sine, cosine;
    maths_sincos_deg(angle * MATHS_DEG_FROM_RAD, &sine, &cosine);
    const double x = vector.x / angle, y = vector.y / angle;
    const double along = (1.0 - sine / angle) * (x * change.x + y * change.y);
    return (dvec3){sine / angle * change.x + along * x, sine / angle * change.y + along * y,
                   (1.0 - cosine) / angle * (x * change.y - y * change.x)};
}

static void find_columns(limited_chain *c)
{
    c->square = (dmat3){0};
    for (uint32_t i = 0; i < 2 * c->count; i++) {
        const uint32_t k = i / 2;
        const dvec3 change = {i % 2 ? 0.0 : 1.0, i % 2 ? 1.0 : 0.0, 0.0};
        const dvec3 arm = dvec3_divide(dvec3_sub(c->joint[c->count], c->joint[k]), c->whole);
        const dvec3 axis = quat_rotate(c->frame[k], rotation_change(c->bend[k], change));
        const dvec3 j = c->column[i] = dvec3_cross(axis, arm);
        c->square.x = dvec3_add(c->square.x, dvec3_scale(j, j.x));
        c->square.y = dvec3_add(c->square.y, dvec3_scale(j, j.y));
        c->square.z = dvec3_add(c->square.z, dvec3_scale(j, j.z));
    }
}

/// (J J^T + damping)^-1 e, by the adjugate of the symmetric matrix.
static dvec3 solve_damped(const limited_chain *c, double damping, dvec3 e)
{
    dmat3 m = c->square;
    m.x.x += damping;
    m.y.y += damping;
    m.z.z += damping;
    const dmat3 cofactor = dmat3_cofactor(&m);
    return dvec3_divide(dmat3_transform(&cofactor, e), dvec3_dot(m.x, cofactor.x));
}

/// J^T v of a joint.
static dvec3 bend_towards(const limited_chain *c, uint32_t k, dvec3 v)
{
    return (dvec3){dvec3_dot(c->column[2 * k], v), dvec3_dot(c->column[2 * k + 1], v), 0.0};
}

/// The bends d, none of which leaves its limit, with the least |J d - e|^2 + damping |d|^2 -
/// 2 pull d; on the way `inside` keeps limits and `excess` is what it cut, summed up.
static void step_within(const limited_chain *c, const dvec3 *pull, double damping, dvec3 *inside)
{
    const double trace = (c->square.x.x + c->square.y.y) + c->square.z.z;
    const double tie = sqrt(damping * (damping + trace));
    dvec3 excess[IK_CHAIN_LIMIT] = {{0.0, 0.0, 0.0}}, wanted[IK_CHAIN_LIMIT];
    bool cuts = true;
    for (uint32_t n = 0; n <= ALTERNATIONS && cuts; n++) {
        const double tied = n > 0 ? tie : 0.0, all = damping + tied;
        dvec3 sum = {0.0, 0.0, 0.0};
        for (uint32_t k = 0; k < c->count; k++) {
            wanted[k] = dvec3_add(pull[k], dvec3_scale(dvec3_sub(inside[k], excess[k]), tied));
            sum = dvec3_add(sum, dvec3_scale(c->column[2 * k], wanted[k].x));
            sum = dvec3_add(sum, dvec3_scale(c->column[2 * k + 1], wanted[k].y));
        }
        const dvec3 y = solve_damped(c, all, sum);
        cuts = n > 0; // without any, the first is the result
        for (uint32_t k = 0; k < c->count; k++) {
            const dvec3 step = dvec3_divide(dvec3_sub(wanted[k], bend_towards(c, k, y)), all);
            const dvec3 bend = dvec3_add(dvec3_add(c->bend[k], step), excess[k]);
            const double angle = dvec3_length(bend);
            const double cut = angle > c->limit[k] ? 1.0 - c->limit[k] / angle : 0.0;
            cuts |= cut > 0.0;
            excess[k] = dvec3_scale(bend, cut);
            inside[k] = dvec3_sub(dvec3_sub(bend, excess[k]), c->bend[k]);
        }
    }
}

/// Moves the end towards `goal`. `draw`: the square of the damping of the distance to the arc.
static void step_to(limited_chain *c, dvec3 goal, double damping, double draw)
{
    dvec3 pull[IK_CHAIN_LIMIT], change[IK_CHAIN_LIMIT] = {{0.0, 0.0, 0.0}};
    dvec3 e = dvec3_divide(dvec3_sub(goal, c->joint[c->count]), c->whole);
    const double distance = dvec3_length(e);
    if (distance > MAX_STEP)
        e = dvec3_scale(e, MAX_STEP / distance);
    find_columns(c);
    for (uint32_t k = 0; k < c->count; k++)
        pull[k] =
            dvec3_add(bend_towards(c, k, e), dvec3_scale(dvec3_sub(c->drawn[k], c->bend[k]), draw));
    const double left = DISTANCE_DAMPING * DISTANCE_DAMPING * maths_min(distance, 1.0);
    step_within(c, pull, damping * damping + left + draw, change);
    double square = 0.0;
    for (uint32_t k = 0; k < c->count; k++)
        square += dvec3_dot(change[k], change[k]);
    const double scale = 1.0 / sqrt(1.0 + square / (MAX_BEND_STEP * MAX_BEND_STEP * c->count));
    for (uint32_t k = 0; k < c->count; k++) {
        c->bend[k] = dvec3_add(c->bend[k], dvec3_scale(change[k], scale));
        place_joint(c, k);
    }
}

void ik_chain_follow(const ik_chain *chain, const ik_chain_way *way, dvec3 *out_direction)
{
    limited_chain c;
    dvec3 posed[IK_CHAIN_LIMIT], arc[IK_CHAIN_LIMIT];
    start(chain, &c);
    memcpy(posed, c.bend, sizeof posed);
    find_arc(&c, way, arc);
    const quat swing = quat_between(way->posed, way->goal, chain->fallback_axis);
    for (uint32_t k = 1; k <= chain->iterations; k++) {
        const double part = (double)k / chain->iterations;
        const double moved = maths_min(part / MOVING, 1.0);
        const double ended = maths_max((part - MOVING) / (1.0 - MOVING), 0.0);
        const double draw = ARC_DAMPING * maths_max(1.0 - ended / DRAWING, 0.0);
        const dvec3 line = quat_rotate(quat_slerp(quat_identity(), swing, moved), way->posed);
        const double distance =
            way->posed_distance + (way->goal_distance - way->posed_distance) * moved;
        for (uint32_t i = 0; i < c.count; i++)
            c.drawn[i] = dvec3_add(posed[i], dvec3_scale(arc[i], moved));
        step_to(&c, dvec3_add(c.joint[0], dvec3_scale(line, distance)),
                DAMPING + (END_DAMPING - DAMPING) * ended, draw * draw);
    }
    for (uint32_t k = 0; k < c.count; k++)
        out_direction[k] = bone_direction(&c, k);
}
