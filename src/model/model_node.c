// SPDX-License-Identifier: MIT
#include "model/model_node.h"

#include "base/quat.h"

#include <math.h>

/// Columns of a transform further from right angles than this (cosine) cannot be written as
/// translation, rotation and scale. Files with seven digits: 1e-6.
static const double shear_tolerance = 1e-3;

const char *const model_path_names[] = {[MODEL_TRANSLATION] = "translation",
                                        [MODEL_ROTATION] = "rotation",
                                        [MODEL_SCALE] = "scale",
                                        [MODEL_WEIGHTS] = "weights"};

model_node model_node_default(const char *name)
{
    model_node node = {.name = name,
                       .parent = -1,
                       .mesh = -1,
                       .skin = -1,
                       .camera = -1,
                       .light = -1,
                       .in_scene = true,
                       .visible = true,
                       .shown = 1.0f,
                       .rest = trs_identity()};
    glm_mat4_identity(node.matrix);
    return node;
}

void model_find_bones_above(const model_node *nodes, uint32_t count, int32_t *out)
{
    for (uint32_t i = 0; i < count; i++) {
        const int32_t parent = nodes[i].parent;
        out[i] = parent >= 0 && nodes[parent].helper ? out[parent] : parent;
    }
}

bool model_trs_from_affine(const affine *a, trs *out)
{
    const double x = dvec3_length(a->m.x), y = dvec3_length(a->m.y), z = dvec3_length(a->m.z);
    const dvec3 scale = {affine_determinant(a) < 0.0 ? -x : x, y, z};
    const dmat3 r = {dvec3_divide(a->m.x, scale.x), dvec3_divide(a->m.y, scale.y),
                     dvec3_divide(a->m.z, scale.z)};
    quat q = quat_from_rotation(&r);
    if (!quat_normalize(&q))
        q = quat_identity();
    quat_to_floats(q, out->r);
    dvec3_to_floats(a->t, out->t);
    dvec3_to_floats(scale, out->s);
    return fabs(dvec3_dot(r.x, r.y)) <= shear_tolerance &&
           fabs(dvec3_dot(r.y, r.z)) <= shear_tolerance &&
           fabs(dvec3_dot(r.z, r.x)) <= shear_tolerance;
}
