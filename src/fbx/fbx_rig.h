// SPDX-License-Identifier: MIT
/// Transforms of FBX nodes. A point p of a node is at, in its parent,
///   T Roff Rp Rpre R Rpost^-1 Rp^-1 Soff Sp S Sp^-1 p
/// (Autodesk, FBX SDK help, "Computing transformation matrices"): translation, offsets and pivots
/// of rotation and scaling, and three rotations by Euler angles.
#pragma once

#include "base/quat.h"
#include "base/trs.h"
#include "fbx/fbx_scene.h"

/// The part of a node that clips move.
typedef struct fbx_local {
    dvec3 translation, rotation_deg, scaling;
    bool has_rotation; ///< `rotation` stands for rotation_deg
    quat rotation;
} fbx_local;

/// The rest of it.
typedef struct fbx_rig {
    dvec3 rotation_offset, rotation_pivot, scaling_offset, scaling_pivot;
    quat before, after; ///< pre-rotation, and the inverse of the post-rotation
    int32_t order;      ///< of rotations: 0 is x, then y, then z
} fbx_rig;

/// M = T R S.
typedef struct fbx_transform {
    dvec3 t;
    quat r;
    dvec3 s;
} fbx_transform;

/// By intrinsic angles in an order of FBX.
quat fbx_quat_from_euler(dvec3 degrees, int32_t order);
void fbx_rig_read(const fbx_scene *s, int32_t model, fbx_rig *out, fbx_local *out_local);
fbx_transform fbx_rig_pose(const fbx_rig *rig, const fbx_local *local);
/// The transform of the geometry alone, which children do not inherit.
fbx_transform fbx_geometry_transform(const fbx_scene *s, int32_t model);
bool fbx_transform_is_identity(const fbx_transform *x);
affine fbx_transform_affine(const fbx_transform *x);
trs fbx_transform_trs(const fbx_transform *x);
/// 4x4 of a file, by columns; their fourth numbers are not looked at. False: it is not there, is
/// not 16 finite numbers, or is too large for floats.
bool fbx_matrix_read(const fbx_tree *tree, const fbx_node *node, affine *out, zt_error *err);
