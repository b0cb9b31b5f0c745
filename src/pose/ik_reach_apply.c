// SPDX-License-Identifier: MIT
/// Reach on the bones of an instance.
#include "pose/ik.h"
#include "pose/ik_solver.h"

/// A frame that differs by less from a rotation with one scale is one.
#define RIGID 1e-5

/// The axis of the first bone that is most across it: a straight limb bends about it.
static dvec3 fallback_hinge(const affine *first, dvec3 along)
{
    dvec3 best = {0.0, 0.0, 1.0};
    double min_cosine = 2.0;
    quat q;
    if (!dvec3_normalize(&along, 0.0) || !quat_from_axes(&first->m, &q))
        return best;
    const dvec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) {
        const dvec3 axis = quat_rotate(q, axes[i]);
        const double cosine = fabs(dvec3_dot(axis, along));
        if (cosine < min_cosine - 1e-3) { // of equal ones the first
            min_cosine = cosine;
            best = axis;
        }
    }
    return best;
}

/// True when axes differ in length or are not at right angles, by more than float matrices round.
static bool shears(const dmat3 *m)
{
    const dvec3 axis[3] = {m->x, m->y, m->z};
    const double square = dvec3_dot(m->x, m->x);
    for (int i = 0; i < 3; i++)
        if (!(fabs(dvec3_dot(axis[i], axis[i]) - square) <= 2.0 * RIGID * square) ||
            !(fabs(dvec3_dot(axis[i], axis[(i + 1) % 3])) <= RIGID * square))
            return true;
    return false;
}

ik_reach_rotations ik_limb_apply(const ik_context *context, const ik_space *space,
                                 const scene_ik *ik, const ik_limb *limb, dvec3 target_in_world,
                                 float weight)
{
    const int32_t *bones = limb->bones;
    const affine root = ik_bone_transform(context, space, bones[0]);
    const affine middle = ik_bone_transform(context, space, bones[1]);
    ik_reach reach = {
        .root = root.t,
        .middle = middle.t,
        .end = limb->apart ? affine_point(&middle, limb->end)
                           : ik_point_in_space(space, ik_bone_position(context, bones[2])),
        .target = ik_point_in_space(space, target_in_world),
        .fallback_hinge = fallback_hinge(&root, dvec3_sub(middle.t, root.t)),
        .pole = ik_vector_in_space(space, ik_direction_evaluate(context, ik, &ik->pole)),
        .soft = ik->soft,
        .min_deg = ik->min_deg,
        .max_deg = ik->max_deg,
        .cone_axis = dvec3_load(ik->cone_axis),
        .cone_deg = ik->cone_deg,
    };
    const dmat3 frame = ik_parent_transform(context, space, bones[1]);
    const bool sheared = shears(&frame);
    affine axes = middle, frame_from_space;
    if (sheared && affine_invert(&(affine){.m = frame}, &frame_from_space))
        axes = affine_multiply(&frame_from_space, &middle);
    quat q;
    if (quat_from_axes(&axes.m, &q)) // unlike a direction, an axis of rotation is not mirrored
        reach.hinge = quat_rotate(q, dvec3_load(ik->hinge));
    const ik_reach_rotations rotations =
        sheared ? ik_reach_solve_sheared(&reach, &frame) : ik_reach_solve(&reach);
    ik_rotate_bone(context, space, bones[0], quat_identity(), rotations.root, weight);
    ik_rotate_bone(context, space, bones[1], rotations.root, rotations.middle, weight);
    return rotations;
}

void ik_reach_apply(const ik_context *context, const scene_ik *ik, float weight)
{
    ik_space space;
    if (!ik_space_of_bone(context, ik->bones[0], &space))
        return;
    const ik_axes axes = ik_axes_evaluate(context, ik);
    const ik_limb limb = ik_limb_of_bones(context, ik->bones);
    (void)ik_limb_apply(context, &space, ik, &limb, ik_target_evaluate(context, ik), weight);
    ik_update_world(context);
    if (limb.apart) {
        ik_limb_move_end(context, &limb, weight);
        ik_update_world(context);
    }
    if (!ik->orient.given)
        return;
    ik_orient_bone(context, ik->bones[2], &axes, weight * ik_orient_weight(context, ik));
    ik_update_world(context);
}
