// SPDX-License-Identifier: MIT
/// Blend shapes of FBX: channels with a percentage, each with one shape or several on its way.
#pragma once

#include "fbx/fbx_geometry.h"

/// The shares that vertices of a shape have in it; those beyond `count` have all.
typedef struct fbx_shares {
    const double *percent;
    uint32_t count;
} fbx_shares;

typedef struct fbx_blend_list {
    uint32_t blend_count, target_count;
    fbx_blend *blends;            ///< [blend_count], in f->lasting
    const fbx_node **target_node; ///< [target_count] the Shape of each
    fbx_shares *target_share;     ///< [target_count]
} fbx_blend_list;

zt_result fbx_blends_read(fbx_file *f, const fbx_geometry *g, fbx_blend_list *out, zt_error *err);
/// The morph targets of a mesh. `source`: its vertices, in its order.
zt_result fbx_blends_keep(fbx_file *f, const fbx_blend_list *list, const fbx_geometry *g,
                          const mesh_source *source, model_mesh *out, zt_error *err);
