// SPDX-License-Identifier: MIT
/// Reach of a limb whose second bone is below a scale that differs along its axes, as of a first
/// bone that a clip stretches. Its end is at P R w, R a rotation, P the map from the sheared frame
/// to the solver's space. The law of cosines does not hold: the bend is found by bisection. Bent,
/// the limb rotates about its root as a rigid one.
#include "base/maths.h"
#include "pose/ik.h"

/// As in ik_reach.c.
#define STRAIGHT 1e-3
/// Halvings of 180 degrees until a double does not change.
#define HALVINGS 56
/// Bends at which the reach of a limb is looked for.
#define SAMPLES 64

typedef struct sheared_limb {
    dmat3 space_from_frame;
    dvec3 first;               ///< in the space
    dvec3 second;              ///< in the frame, as posed
    dvec3 hinge;               ///< in the frame, unit
    double bend_cos, bend_sin; ///< as posed, from the first bone to the second about the hinge
} sheared_limb;

/// False when the hinge lies along a bone.
static bool measure_bend(sheared_limb *l, dvec3 first)
{
    const dvec3 a = dvec3_reject(first, l->hinge), b = dvec3_reject(l->second, l->hinge);
    l->bend_cos = dvec3_dot(a, b);
    l->bend_sin = dvec3_dot(l->hinge, dvec3_cross(a, b));
    return dvec3_length(a) * dvec3_length(b) >
           STRAIGHT * dvec3_length(first) * dvec3_length(l->second);
}

/// In the frame: the rotation of the second bone that bends the limb by an angle from straight.
static quat bend_by(const sheared_limb *l, double degrees)
{
    double s, c;
    maths_sincos_deg(degrees, &s, &c);
    return quat_from_axis(l->hinge, c * l->bend_cos + s * l->bend_sin,
                          s * l->bend_cos - c * l->bend_sin);
}

static dvec3 bent(const sheared_limb *l, quat bend)
{
    return dmat3_transform(&l->space_from_frame, quat_rotate(bend, l->second));
}

static double distance_at(const sheared_limb *l, double degrees)
{
    return dvec3_length(dvec3_add(l->first, bent(l, bend_by(l, degrees))));
}

/// The bend between `from` and `to` at which the end is at a distance; it is nearer at `to`.
static double find_bend(const sheared_limb *l, double from, double to, double distance)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (from + to) * 0.5;
        if (distance_at(l, middle) > distance)
            from = middle;
        else
            to = middle;
    }
    return to;
}

/// Bends between which the end comes nearer all the way, and how far it is at both.
typedef struct bend_range {
    double from, to, max, min;
} bend_range;

/// From the bend of the farthest reach, straight unless sheared, to where it comes no nearer.
static bend_range find_range(const ik_reach *limb, const sheared_limb *l)
{
    const double straight = 180.0 - limb->max_deg;
    const double step = (180.0 - limb->min_deg - straight) / SAMPLES;
    double distance[SAMPLES + 1];
    int far = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        distance[i] = distance_at(l, straight + step * i);
        far = distance[i] > distance[far] ? i : far;
    }
    int near = far;
    while (near < SAMPLES && distance[near + 1] < distance[near])
        near++;
    return (bend_range){straight + step * far, straight + step * near, distance[far],
                        distance[near]};
}

/// The bend for the target's distance, within the limits and with the soft limit.
static quat bend_to_target(const ik_reach *limb, const sheared_limb *l, double *out_distance)
{
    const bend_range range = find_range(limb, l);
    const double distance = dvec3_length(dvec3_sub(limb->target, limb->root));
    *out_distance = ik_soft_distance(distance, range.min, range.max, limb->soft);
    return bend_by(l, find_bend(l, range.from, range.to, *out_distance));
}

ik_reach_rotations ik_reach_solve_sheared(const ik_reach *limb, const dmat3 *space_from_frame)
{
    const affine map = {.m = *space_from_frame};
    affine inverse;
    quat frame;
    if (!affine_invert(&map, &inverse) || !quat_from_axes(space_from_frame, &frame))
        return ik_reach_solve(limb);
    sheared_limb l = {.space_from_frame = *space_from_frame,
                      .first = dvec3_sub(limb->middle, limb->root),
                      .hinge = limb->hinge};
    l.second = dmat3_transform(&inverse.m, dvec3_sub(limb->end, limb->middle));
    const dvec3 first = dmat3_transform(&inverse.m, l.first);
    if (!dvec3_normalize(&l.hinge, 0.0) || !measure_bend(&l, first)) {
        l.hinge = dvec3_cross(first, l.second);
        if (!dvec3_normalize(&l.hinge, STRAIGHT * dvec3_length(first) * dvec3_length(l.second)))
            l.hinge = dvec3_perpendicular(first, dmat3_transform(&inverse.m, limb->fallback_hinge));
        measure_bend(&l, first);
    }
    double distance;
    const quat bend = bend_to_target(limb, &l, &distance);
    // Planes have normals in the space by the cofactor matrix.
    const dmat3 normals = dmat3_cofactor(space_from_frame);
    dvec3 line = dvec3_sub(limb->target, limb->root);
    ik_reach rigid = *limb;
    rigid.end = dvec3_add(limb->middle, bent(&l, bend));
    rigid.hinge = rigid.fallback_hinge = dmat3_transform(&normals, l.hinge);
    rigid.soft = rigid.min_deg = 0.0;
    rigid.max_deg = 180.0;
    if (dvec3_normalize(&line, 0.0))
        rigid.target = dvec3_add(limb->root, dvec3_scale(line, distance));
    ik_reach_rotations out = ik_reach_solve(&rigid);
    // A cone may have rotated the second bone further: back into the frame.
    const quat own = quat_multiply(quat_conjugate(out.root), out.middle);
    const dvec3 second = quat_rotate(own, dvec3_sub(rigid.end, rigid.middle));
    const dvec3 in_frame = dmat3_transform(&inverse.m, second);
    const quat further = quat_between(quat_rotate(bend, l.second), in_frame, l.hinge);
    const quat whole = quat_multiply(further, bend);
    out.middle =
        quat_multiply(out.root, quat_multiply(quat_multiply(frame, whole), quat_conjugate(frame)));
    return out;
}
