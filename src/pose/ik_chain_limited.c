// SPDX-License-Identifier: MIT
/// Chain with limits: damped least squares (Wampler, "Manipulator inverse kinematic solutions based
/// on vector formulations and damped least-squares methods", 1986) along the way of the end.
///
/// A joint is bent by `limit * u / sqrt(1 + |u|^2)` with u any point of the plane: no u passes the
/// limit, and a joint near it moves little. Each step is a smooth function of the target, and
/// damping bounds it where the chain is stretched or at its limits: no pose jumps while the
/// target moves, as poses did that were projected onto limits.
#include "pose/ik_chain_limited.h"

#include "base/maths.h"
#include "base/quat.h"

#include <string.h>

/// The share of the steps in which the goal moves; in the others the end converges.
#define MOVING 0.6
/// Damping while the goal moves and at the end, of the length: less meets more targets, and lets
/// joints move farther where no pose meets them (unit_ik_chain measures both).
#define DAMPING     0.12
#define END_DAMPING 0.08
/// The longest step of the end, of the length, and of the bends of all joints, in u.
#define MAX_STEP      0.1
#define MAX_BEND_STEP 0.3
/// The sum of the shares by which bends return to those of the clips, across the way of the end, so
/// that no loops stay, and the largest share of a step. It falls to 0 in the first half of the
/// steps in which the end converges.
#define RETURN     3.0
#define MAX_RETURN 0.1
/// The largest share of its limit by which a joint starts.
#define MAX_START 0.95
/// The sine or angle below which a bend has no axis.
#define NO_BEND 1e-12
/// The angle below which sin(x) / x is 1 to double precision.
#define SMALL_ANGLE 1e-8

typedef struct joint_bend {
    double x, y;
} joint_bend;

typedef struct limited_chain {
    uint32_t count;
    double limit[IK_CHAIN_LIMIT]; ///< radians
    double length[IK_CHAIN_LIMIT], whole;
    joint_bend u[IK_CHAIN_LIMIT], posed[IK_CHAIN_LIMIT];
    /// A bone is the z axis of frame[k + 1], which is frame[k] rotated about its x and y.
    quat frame[IK_CHAIN_LIMIT + 1];
    dvec3 joint[IK_CHAIN_LIMIT + 1];
    dvec3 column[2 * IK_CHAIN_LIMIT]; ///< of the Jacobian: the end by u
} limited_chain;

/// The rotation vector of a joint, about x and y of its frame.
static joint_bend rotation_vector(const limited_chain *c, uint32_t k)
{
    const joint_bend u = c->u[k];
    const double scale = c->limit[k] / sqrt((1.0 + u.x * u.x) + u.y * u.y);
    return (joint_bend){u.x * scale, u.y * scale};
}

static quat rotate_by(joint_bend vector)
{
    const double angle = sqrt(vector.x * vector.x + vector.y * vector.y);
    if (!(angle > NO_BEND))
        return quat_identity();
    return quat_from_axis_deg((dvec3){vector.x / angle, vector.y / angle, 0.0},
                              angle * MATHS_DEG_FROM_RAD);
}

static dvec3 bone_direction(const limited_chain *c, uint32_t k)
{
    return quat_rotate(c->frame[k + 1], (dvec3){0.0, 0.0, 1.0});
}

static void place_joint(limited_chain *c, uint32_t k)
{
    c->frame[k + 1] = quat_multiply(c->frame[k], rotate_by(rotation_vector(c, k)));
    quat_normalize(&c->frame[k + 1]);
    c->joint[k + 1] = dvec3_add(c->joint[k], dvec3_scale(bone_direction(c, k), c->length[k]));
}

/// The bends that lead through `joint`, as far as limits allow.
static void start(const ik_chain *chain, const dvec3 *joint, limited_chain *c)
{
    *c = (limited_chain){.count = chain->count};
    c->joint[0] = joint[0];
    dvec3 first = dvec3_sub(chain->joint[1], chain->joint[0]);
    c->frame[0] = dvec3_normalize(&first, 0.0)
                      ? quat_between((dvec3){0.0, 0.0, 1.0}, first, (dvec3){1.0, 0.0, 0.0})
                      : quat_identity();
    for (uint32_t k = 0; k < c->count; k++) {
        c->limit[k] = chain->limit_deg[k] * MATHS_RAD_FROM_DEG;
        c->length[k] = dvec3_length(dvec3_sub(chain->joint[k + 1], chain->joint[k]));
        c->whole += c->length[k];
        const dvec3 bone =
            quat_rotate(quat_conjugate(c->frame[k]), dvec3_sub(joint[k + 1], joint[k]));
        const double across = sqrt(bone.x * bone.x + bone.y * bone.y);
        const double angle = maths_atan2(across, bone.z);
        if (across > NO_BEND * c->length[k] && c->limit[k] > 0.0) {
            const double part = maths_min(angle / c->limit[k], MAX_START);
            const double u = part / sqrt(1.0 - part * part);
            c->u[k] = (joint_bend){-bone.y / across * u, bone.x / across * u};
        }
        place_joint(c, k);
    }
}

/// The rotation of a frame, in itself, by a change of its rotation vector: the left Jacobian of
/// SO(3) (Chirikjian, "Stochastic Models, Information Theory, and Lie Groups 2", 2012, 10.6).
static dvec3 rotation_change(joint_bend vector, joint_bend change)
{
    const double angle = sqrt(vector.x * vector.x + vector.y * vector.y);
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
    for (uint32_t k = 0; k < c->count; k++) {
        const joint_bend u = c->u[k], vector = rotation_vector(c, k);
        const double scale = 1.0 / sqrt((1.0 + u.x * u.x) + u.y * u.y);
        const double per_u = c->limit[k] * scale, curve = per_u * scale * scale;
        const joint_bend by_x = {per_u - curve * u.x * u.x, -curve * u.x * u.y};
        const joint_bend by_y = {-curve * u.x * u.y, per_u - curve * u.y * u.y};
        const dvec3 arm = dvec3_sub(c->joint[c->count], c->joint[k]);
        c->column[2 * k] =
            dvec3_cross(quat_rotate(c->frame[k], rotation_change(vector, by_x)), arm);
        c->column[2 * k + 1] =
            dvec3_cross(quat_rotate(c->frame[k], rotation_change(vector, by_y)), arm);
    }
}

/// (J J^T + damping^2)^-1 e, by the adjugate of the symmetric matrix.
static dvec3 solve_damped(const limited_chain *c, double damping, dvec3 e)
{
    double xx = damping * damping, yy = xx, zz = xx, xy = 0.0, xz = 0.0, yz = 0.0;
    for (uint32_t i = 0; i < 2 * c->count; i++) {
        const dvec3 j = c->column[i];
        xx += j.x * j.x;
        yy += j.y * j.y;
        zz += j.z * j.z;
        xy += j.x * j.y;
        xz += j.x * j.z;
        yz += j.y * j.z;
    }
    const dvec3 x = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
    const dvec3 y = {x.y, xx * zz - xz * xz, xy * xz - xx * yz};
    const dvec3 z = {x.z, y.z, xx * yy - xy * xy};
    const double determinant = (xx * x.x + xy * x.y) + xz * x.z;
    return dvec3_divide((dvec3){dvec3_dot(x, e), dvec3_dot(y, e), dvec3_dot(z, e)}, determinant);
}

/// Moves the end towards `goal`, and bends by the share `back` to those posed.
static void step_to(limited_chain *c, dvec3 goal, double damping, double back)
{
    dvec3 e = dvec3_sub(goal, c->joint[c->count]);
    const double distance = dvec3_length(e), max = MAX_STEP * c->whole;
    if (distance > max)
        e = dvec3_scale(e, max / distance);
    find_columns(c);
    double square = 0.0, change[2 * IK_CHAIN_LIMIT];
    for (uint32_t k = 0; k < c->count; k++) {
        change[2 * k] = back * (c->posed[k].x - c->u[k].x);
        change[2 * k + 1] = back * (c->posed[k].y - c->u[k].y);
        for (uint32_t i = 2 * k; i < 2 * k + 2; i++)
            e = dvec3_sub(e, dvec3_scale(c->column[i], change[i]));
    }
    const dvec3 y = solve_damped(c, damping * c->whole, e);
    for (uint32_t i = 0; i < 2 * c->count; i++) {
        change[i] += dvec3_dot(c->column[i], y);
        square += change[i] * change[i];
    }
    const double scale = 1.0 / sqrt(1.0 + square / (MAX_BEND_STEP * MAX_BEND_STEP * c->count));
    for (uint32_t k = 0; k < c->count; k++) {
        c->u[k].x += scale * change[2 * k];
        c->u[k].y += scale * change[2 * k + 1];
        place_joint(c, k);
    }
}

void ik_chain_follow(const ik_chain *chain, const dvec3 *joint, const ik_chain_way *way,
                     dvec3 *out_direction)
{
    limited_chain posed, c;
    start(chain, chain->joint, &posed);
    start(chain, joint, &c);
    memcpy(c.posed, posed.u, sizeof c.posed);
    const double back = maths_min(RETURN / chain->iterations, MAX_RETURN);
    const quat swing = quat_between(way->posed, way->goal, chain->fallback_axis);
    for (uint32_t k = 1; k <= chain->iterations; k++) {
        const double part = (double)k / chain->iterations;
        const double moved = maths_min(part / MOVING, 1.0);
        const double ended = maths_max((part - MOVING) / (1.0 - MOVING), 0.0);
        const dvec3 line = quat_rotate(quat_slerp(quat_identity(), swing, moved), way->posed);
        const double distance =
            way->posed_distance + (way->goal_distance - way->posed_distance) * moved;
        step_to(&c, dvec3_add(c.joint[0], dvec3_scale(line, distance)),
                DAMPING + (END_DAMPING - DAMPING) * ended,
                back * maths_max(1.0 - 2.0 * ended, 0.0));
    }
    for (uint32_t k = 0; k < c.count; k++)
        out_direction[k] = bone_direction(&c, k);
}
