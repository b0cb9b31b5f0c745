// SPDX-License-Identifier: MIT
/// Nodes whose rotation follows that of others (VRMC_node_constraint 1.0, "Implementation"), after
/// clips and solvers. Rotations are relative to the rest pose.
#include "pose/ik_solver.h"

static quat rest_of(const ik_context *context, int32_t node)
{
    return quat_from_floats(context->model->nodes[node].rest.r);
}

/// The rotation of a node since rest, about its own axes.
static quat since_rest(const ik_context *context, int32_t node)
{
    return quat_multiply(quat_conjugate(rest_of(context, node)), ik_bone_rotation(context, node));
}

/// The part of the source's rotation about the axis.
static quat roll_of(const ik_context *context, const model_constraint *c)
{
    const quat source = rest_of(context, c->source), own = rest_of(context, c->node);
    const quat to_own = quat_multiply(quat_conjugate(own), source);
    const quat turned = quat_multiply(quat_multiply(to_own, since_rest(context, c->source)),
                                      quat_conjugate(to_own));
    const dvec3 axis = dvec3_from_floats(c->axis), across = dvec3_perpendicular(axis, axis);
    const quat swing = quat_between(axis, quat_rotate(turned, axis), across);
    return quat_multiply(own, quat_multiply(quat_conjugate(swing), turned));
}

/// Points the axis at the source; false: its parent is scaled flat.
static bool aim_of(const ik_context *context, const model_constraint *c, quat *out)
{
    const affine world_from_parent = ik_parent_world(context, c->node);
    const quat rest = rest_of(context, c->node);
    quat parent;
    if (!quat_from_axes(&world_from_parent.m, &parent))
        return false;
    const dvec3 axis = quat_rotate(quat_multiply(parent, rest), dvec3_from_floats(c->axis));
    const dvec3 direction =
        dvec3_sub(ik_bone_position(context, c->source), ik_bone_position(context, c->node));
    const quat turn = quat_between(axis, direction, dvec3_perpendicular(axis, axis));
    *out = quat_multiply(quat_multiply(quat_conjugate(parent), quat_multiply(turn, parent)), rest);
    return true;
}

void ik_constraints_apply(const ik_context *context)
{
    const zt_model *model = context->model;
    bool moved = false;
    for (uint32_t i = 0; i < model->constraint_count; i++) {
        const model_constraint *c = &model->constraints[i];
        const quat rest = rest_of(context, c->node);
        quat target = rest;
        if (c->kind == CONSTRAINT_AIM && moved) {
            ik_update_world(context);
            moved = false;
        }
        if (c->kind == CONSTRAINT_AIM && !aim_of(context, c, &target))
            continue;
        if (c->kind == CONSTRAINT_ROLL)
            target = roll_of(context, c);
        if (c->kind == CONSTRAINT_ROTATION)
            target = quat_multiply(rest, since_rest(context, c->source));
        // From rest, not from the pose: the node's own clips do not count.
        ik_set_rotation(context, c->node, quat_slerp(rest, target, (double)c->weight), 1.0f);
        moved = true;
    }
    if (moved)
        ik_update_world(context);
}
