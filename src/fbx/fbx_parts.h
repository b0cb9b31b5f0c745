// SPDX-License-Identifier: MIT
/// A model while its FBX file is read, and the parts of the reader.
#pragma once

#include "fbx/fbx_motion.h"
#include "model/file_textures.h"
#include "model/model.h"
#include "model/model_origin.h"
#include "model/model_report.h"
#include "model/model_source.h"

/// A model of the file among the nodes of ours. Where a child does not inherit its scale as usual,
/// the scale has a node of its own below the others.
typedef struct fbx_placed {
    int32_t object;
    int32_t parent;     ///< among the placed; -1: below the root
    int32_t inherit;    ///< InheritType: 0 RrSs, 1 RSrs, 2 Rrs
    int32_t node;       ///< moves and turns, and scales unless scale_node is another
    int32_t scale_node; ///< has all of the transform
    bool scaled;        ///< its scale, with what it inherits of RrSs, is not 1 everywhere
    uint32_t first_child, child_count; ///< placed, one after the other
    int32_t shown_child;               ///< object, of a group of levels of detail; -1: all
    fbx_rig rig;
    fbx_local rest;
    dvec3 inherited; ///< the scale at rest, but by RSrs
    dvec3 lacks;     ///< model_exact.lacks of `node`
} fbx_placed;

/// A blend shape of a geometry with the shapes on its way, which are targets of the mesh.
typedef struct fbx_blend {
    int32_t object; ///< the channel; of version 6, whose channels are in it, the model
    uint32_t shape; ///< of version 6: its place in the file; else 0
    const char *name;
    double rest;           ///< per cent
    uint32_t first, count; ///< targets of the mesh
    const double *full;    ///< [count] per cent at which each target is whole
} fbx_blend;

/// The mesh of a node, with what moves it.
typedef struct fbx_mesh_use {
    int32_t node, mesh;
    int32_t model; ///< object
    uint32_t blend_count, target_count;
    const fbx_blend *blends;
} fbx_mesh_use;

typedef struct fbx_file {
    const model_source *source;
    fbx_tree tree;
    fbx_scene scene;
    fbx_motion motion;
    zt_model *model;
    arena *keep, *scratch;
    arena *lasting; ///< until the file is read; `scratch` may be of one mesh
    model_report report;
    uint32_t placed_count;
    fbx_placed *placed;
    int32_t *placed_of; ///< by object; -1: not placed
    uint32_t node_count;
    model_node *nodes;  ///< [node_capacity]
    model_exact *exact; ///< of them
    dvec3 middle;       ///< of the last mesh, see far_points.h
    uint32_t node_capacity;
    uint32_t use_count;
    fbx_mesh_use *uses;
    int32_t *material_of;   ///< by object: the model's material; -1
    int32_t plain_material; ///< of polygons without one
    const fbx_value *(
        *uv_names)[2]; ///< by material: its sets of texture coordinates, as texts;
                       ///< "": the first of a geometry; NULL: what number it has there
    model_material *materials;
    bool *has_color_map;      ///< by material
    const fbx_node **bind_of; ///< by object: its matrix in a bind pose; NULL: it is in none
    uint64_t morph_total;     ///< vertices times targets
    uint32_t lost_polygons, lost_weights;
} fbx_file;

/// Nodes for all models; cameras and lights.
zt_result fbx_place_models(fbx_file *f, zt_error *err);
/// A new node, a child of `parent`. There is room.
int32_t fbx_add_model_node(fbx_file *f, int32_t parent, const char *name,
                           const fbx_transform *rest);
/// The transform of its node but for the scale of scale_node, which is in .s, at rest (NULL) or in
/// a stack. *out_deg: the angles of its rotation, with whole turns, unless NULL.
fbx_transform fbx_placed_pose(const fbx_file *f, const fbx_placed *p, const fbx_stack *stack,
                              double time_s, dvec3 *out_deg);

/// Cameras and lights.
zt_result fbx_make_cameras(fbx_file *f, zt_error *err);
zt_result fbx_make_materials(fbx_file *f, zt_error *err);
zt_result fbx_make_meshes(fbx_file *f, zt_error *err);
/// The weights of a blend shape's targets at a percentage.
void fbx_blend_weights(const fbx_blend *blend, double percent, float *out);
zt_result fbx_make_clips(fbx_file *f, zt_error *err);
