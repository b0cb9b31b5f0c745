// SPDX-License-Identifier: MIT
#include "pose/spring.h"

#include "base/maths.h"

/// Part of a second: the unit of drag and forces.
#define UNIT_RATE 60.0
/// The number of times that all colliders of a link are looked at: each may push the tail into
/// another one, and the nearest point of a capsule moves with the tail.
enum { COLLISION_ROUNDS = 16 };

spring_factors spring_factors_of(const spring_link *link, double step_s)
{
    const double kept = 1.0 - link->drag, units = step_s * UNIT_RATE;
    if (!(kept > 0.0))
        return (spring_factors){step_s, 0.0};
    return (spring_factors){step_s, units == 1.0 ? kept : maths_exp2(units * maths_log2(kept))};
}

/// The point of a collider's axis that is nearest to `p`.
static dvec3 nearest(const spring_obstacle *o, dvec3 p)
{
    const dvec3 axis = dvec3_sub(o->to, o->from);
    const double square = dvec3_dot(axis, axis);
    if (!(square > 0.0))
        return o->from;
    double s = dvec3_dot(dvec3_sub(p, o->from), axis) / square;
    s = maths_clamp(s, 0.0, 1.0);
    return dvec3_add(o->from, dvec3_scale(axis, s));
}

/// Turns a link whose tail is inside a ball until it touches it. Tail, head and centre are a
/// triangle of known sides: cos = (L^2 + D^2 - R^2) / (2 L D). A ball that holds every place of the
/// tail leaves the farthest one. Returns whether the tail was inside.
static bool keep_out(const spring_body *body, dvec3 centre, double radius, dvec3 *direction)
{
    const double length = body->length;
    const dvec3 tail = dvec3_add(body->head, dvec3_scale(*direction, length));
    const dvec3 inside = dvec3_sub(tail, centre);
    if (!(dvec3_dot(inside, inside) < radius * radius * (1.0 - 1e-12)))
        return false;
    dvec3 axis = dvec3_sub(centre, body->head);
    const double distance = dvec3_length(axis);
    if (!dvec3_normalize(&axis, 1e-9 * length))
        return false; // around the head: no direction is better
    const double cosine =
        (length * length + distance * distance - radius * radius) / (2.0 * length * distance);
    if (!(cosine > -1.0)) {
        *direction = dvec3_scale(axis, -1.0);
        return true;
    }
    if (!(cosine < 1.0))
        return false; // by rounding: it touches
    dvec3 across = dvec3_reject(*direction, axis);
    if (!dvec3_normalize(&across, 1e-9))
        across = dvec3_perpendicular(axis, body->rest);
    *direction = dvec3_add(dvec3_scale(axis, cosine),
                           dvec3_scale(across, sqrt((1.0 - cosine) * (1.0 + cosine))));
    return true;
}

static void collide(const spring_link *link, const spring_body *body, dvec3 *direction)
{
    bool inside = link->collider_count > 0;
    for (int round = 0; round < COLLISION_ROUNDS && inside; round++) {
        inside = false;
        for (uint32_t i = 0; i < link->collider_count; i++) {
            const spring_obstacle *o = &body->obstacles[link->colliders[i]];
            const dvec3 tail = dvec3_add(body->head, dvec3_scale(*direction, body->length));
            inside |= keep_out(body, nearest(o, tail), o->radius + body->radius, direction);
        }
    }
}

dvec3 spring_swing(const spring_link *link, const spring_body *body, spring_factors factors,
                   double share, dvec3 now, dvec3 before)
{
    const double force = factors.step_s * factors.step_s * UNIT_RATE * (share * share);
    const dvec3 inertia = dvec3_scale(dvec3_sub(now, before), factors.kept * share);
    const dvec3 pull =
        dvec3_add(dvec3_scale(body->rest, link->stiffness), dvec3_load(link->gravity));
    const dvec3 next = dvec3_add(dvec3_add(now, inertia), dvec3_scale(pull, force));
    dvec3 direction = dvec3_sub(next, body->head);
    if (!dvec3_normalize(&direction, 1e-12 * body->length))
        direction = body->rest;
    collide(link, body, &direction);
    return direction;
}
