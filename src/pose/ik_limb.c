// SPDX-License-Identifier: MIT
/// Limbs whose last bone may hang elsewhere in the hierarchy: feet with a control of their own.
#include "pose/ik_solver.h"

static bool is_below(const zt_model *model, int32_t node, int32_t ancestor)
{
    for (node = model->parent[node]; node > ancestor;)
        node = model->parent[node];
    return node == ancestor; // parents come first
}

ik_limb ik_limb_of_bones(const ik_context *context, const int32_t *bones)
{
    const zt_model *model = context->model;
    ik_limb out = {.bones = bones, .posed = ik_bone_position(context, bones[2])};
    if (is_below(model, bones[2], bones[1]))
        return out;
    const affine middle = model_rest_transform(model, bones[1]),
                 end = model_rest_transform(model, bones[2]);
    affine inverse;
    out.apart = affine_invert(&middle, &inverse);
    if (out.apart)
        out.end = affine_point(&inverse, end.t);
    return out;
}

void ik_limb_move_end(const ik_context *context, const ik_limb *limb, float weight)
{
    if (!limb->apart)
        return;
    const affine middle = affine_from_floats(context->world[limb->bones[1]][0]);
    const dvec3 end = affine_point(&middle, limb->end);
    const dvec3 to_end = dvec3_sub(end, limb->posed);
    ik_place_bone(context, limb->bones[2],
                  weight < 1.0f ? dvec3_add(limb->posed, dvec3_scale(to_end, (double)weight))
                                : end);
}
