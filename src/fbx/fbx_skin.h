// SPDX-License-Identifier: MIT
/// Skins of FBX: clusters of points, each with a bone.
#pragma once

#include "fbx/fbx_geometry.h"

typedef struct fbx_skin {
    uint32_t joint_count; ///< with the mesh's own node as the last, if points have no weights
    uint32_t cluster_count;
    const struct fbx_cluster **cluster; ///< [cluster_count]
    bool dual_quaternions;
} fbx_skin;

/// Finds f->bind_of.
zt_result fbx_bind_poses_read(fbx_file *f, zt_error *err);
/// The clusters that deform a geometry, and its points' weights. *out is empty when there are none.
zt_result fbx_skin_read(fbx_file *f, fbx_geometry *g, fbx_skin *out, zt_error *err);
/// A skin of the model for the mesh at `geometric` of its model. Points without weights follow
/// the node of the model, or the mesh's own, `there`; -1: it has none.
zt_result fbx_skin_keep(fbx_file *f, const fbx_skin *skin, const fbx_placed *placed, int32_t there,
                        const fbx_transform *geometric, model_skin *out, zt_error *err);
