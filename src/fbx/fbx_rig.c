// SPDX-License-Identifier: MIT
#include "fbx/fbx_rig.h"

#include <math.h>

static const dvec3 zero = {0.0, 0.0, 0.0}, one = {1.0, 1.0, 1.0};

quat fbx_quat_from_euler(dvec3 degrees, int32_t order)
{
    static const int8_t axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                      {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    static const dvec3 unit[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const double angle[3] = {degrees.x, degrees.y, degrees.z};
    const int8_t *axis = axes[order >= 0 && order < 6 ? order : 0];
    quat q = quat_from_axis_deg(unit[axis[0]], angle[axis[0]]);
    for (int i = 1; i < 3; i++)
        q = quat_multiply(quat_from_axis_deg(unit[axis[i]], angle[axis[i]]), q);
    return q;
}

void fbx_rig_read(const fbx_scene *s, int32_t model, fbx_rig *out, fbx_local *out_local)
{
    // Without it angles are those about x, y and z, and nothing turns before and after them.
    const bool active = fbx_property_integer(s, model, "RotationActive", 1) != 0 &&
                        fbx_property_integer(s, model, "RotationSpaceForLimitOnly", 0) == 0;
    const dvec3 before = active ? fbx_property_vector(s, model, "PreRotation", zero) : zero;
    const dvec3 after = active ? fbx_property_vector(s, model, "PostRotation", zero) : zero;
    *out = (fbx_rig){.rotation_offset = fbx_property_vector(s, model, "RotationOffset", zero),
                     .rotation_pivot = fbx_property_vector(s, model, "RotationPivot", zero),
                     .scaling_offset = fbx_property_vector(s, model, "ScalingOffset", zero),
                     .scaling_pivot = fbx_property_vector(s, model, "ScalingPivot", zero),
                     .before = fbx_quat_from_euler(before, 0),
                     .after = quat_conjugate(fbx_quat_from_euler(after, 0)),
                     .order = active ? fbx_property_integer(s, model, "RotationOrder", 0) : 0};
    *out_local = (fbx_local){.translation = fbx_property_vector(s, model, "Lcl Translation", zero),
                             .rotation_deg = fbx_property_vector(s, model, "Lcl Rotation", zero),
                             .scaling = fbx_property_vector(s, model, "Lcl Scaling", one)};
}

fbx_transform fbx_rig_pose(const fbx_rig *rig, const fbx_local *local)
{
    const quat turned = local->has_rotation ? local->rotation
                                            : fbx_quat_from_euler(local->rotation_deg, rig->order);
    const quat r = quat_multiply(quat_multiply(rig->before, turned), rig->after);
    // The image of the origin.
    dvec3 p = dvec3_sub(rig->scaling_pivot, dvec3_multiply(local->scaling, rig->scaling_pivot));
    p = dvec3_sub(dvec3_add(p, rig->scaling_offset), rig->rotation_pivot);
    p = dvec3_add(quat_rotate(r, p), rig->rotation_pivot);
    p = dvec3_add(dvec3_add(p, rig->rotation_offset), local->translation);
    return (fbx_transform){p, r, local->scaling};
}

fbx_transform fbx_geometry_transform(const fbx_scene *s, int32_t model)
{
    return (fbx_transform){
        fbx_property_vector(s, model, "GeometricTranslation", zero),
        fbx_quat_from_euler(fbx_property_vector(s, model, "GeometricRotation", zero), 0),
        fbx_property_vector(s, model, "GeometricScaling", one)};
}

bool fbx_transform_is_identity(const fbx_transform *x)
{
    const affine a = fbx_transform_affine(x);
    return affine_is_identity(&a);
}

affine fbx_transform_affine(const fbx_transform *x)
{
    return (affine){{quat_rotate(x->r, (dvec3){x->s.x, 0.0, 0.0}),
                     quat_rotate(x->r, (dvec3){0.0, x->s.y, 0.0}),
                     quat_rotate(x->r, (dvec3){0.0, 0.0, x->s.z})},
                    x->t};
}

trs fbx_transform_trs(const fbx_transform *x)
{
    trs out;
    quat r = x->r;
    dvec3_to_floats(x->t, out.t);
    if (!quat_normalize(&r))
        r = quat_identity();
    quat_to_floats(r, out.r);
    dvec3_to_floats(x->s, out.s);
    return out;
}

bool fbx_matrix_read(const fbx_tree *tree, const fbx_node *node, affine *out, zt_error *err)
{
    const double *m;
    uint32_t count = node ? node->value_count : 0;
    if (count > 0 && node->value[0].kind == FBX_ARRAY)
        count = node->value[0].count; // others are not unpacked
    if (count != 16 || fbx_doubles(tree, node, &m, &count, err) != ZT_OK)
        return false;
    for (int i = 0; i < 16; i++)
        if (!isfinite(m[i]))
            return false;
    *out = (affine){{dvec3_load(m), dvec3_load(m + 4), dvec3_load(m + 8)}, dvec3_load(m + 12)};
    return affine_fits_floats(out);
}
