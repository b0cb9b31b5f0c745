// SPDX-License-Identifier: MIT
/// Builds an .m3d file from a zt_model in four stages: bones, vertices, textures, text. Everything
/// is in the space of the model, which is right-handed: the triangles of the file wind against the
/// stored normals, by which readers recognize the handedness.
#pragma once

#include "base/affine.h"
#include "convert/convert_job.h"
#include "gltf/gltf_document.h"

typedef struct m3d_out_vertex {
    vertex_position position;
    vertex_attributes attributes;
    float tangent_w;
    float weight[4];
    uint32_t bone[4];
} m3d_out_vertex;

typedef struct m3d_out_bone {
    int32_t parent; ///< index of an earlier bone, -1 for a root
    int32_t node;   ///< the node whose animation it has; -1: it is fixed to its parent
    bool has_offset;
    float offset[16]; ///< bone from bind, column-major for column vectors
} m3d_out_bone;

/// A mesh at a node.
typedef struct m3d_draw {
    const model_node *node;
    uint32_t node_index;
    const model_mesh *mesh;
    const uint32_t *bone_of_joint; ///< of its skin, NULL: rigid
    uint32_t bone;                 ///< of a rigid mesh
    bool baked;                    ///< its vertices are transformed by `world`
    affine world;
} m3d_draw;

/// The triangles of one material.
typedef struct m3d_out_subset {
    uint32_t material; ///< of the model
    uint32_t vertex_start, vertex_count, face_start, face_count;
    const char *diffuse_map, *normal_map; ///< file names, "" for none
} m3d_out_subset;

/// Among m3d_builder.clips: no clip of the model, but its rest pose.
#define M3D_REST_CLIP UINT32_MAX

typedef struct m3d_builder {
    convert_job *job;
    const zt_model *model;
    const gltf_document *document; ///< the images of a glTF; NULL: the model is from an .m3d
    affine *world;                 ///< [node_count] world from node at rest
    m3d_draw *draws;
    uint32_t draw_count;
    m3d_out_bone *bones; ///< none: a static model, whose vertices are in world space
    uint32_t bone_count;
    int32_t *bone_of_node; ///< [node_count], -1: none
    m3d_out_vertex *vertices;
    uint32_t *corners;
    uint32_t vertex_count, triangle_count;
    m3d_out_subset *subsets;
    uint32_t subset_count;
    bool mirrored;   ///< written with z negated, because readers will take it for left-handed;
                     ///< otherwise turned by 180 degrees about y, so that the front is at -z
    uint32_t *clips; ///< indices of the model's clips that move bones
    uint32_t clip_count;
} m3d_builder;

/// The stages, in this order.
zt_result m3d_builder_add_bones(m3d_builder *m);    ///< draws, bones, clips
zt_result m3d_builder_add_vertices(m3d_builder *m); ///< vertices, triangles, subsets
zt_result m3d_builder_add_textures(m3d_builder *m); ///< writes the DDS files, names the maps
zt_result m3d_builder_write(m3d_builder *m);        ///< writes the .m3d

/// Keys of a bone in a clip: translation, rotation and scale at the same times.
typedef struct m3d_out_key {
    float time_s;
    trs pose;
} m3d_out_key;

typedef struct m3d_out_keys {
    uint32_t count;
    m3d_out_key *key;
} m3d_out_keys;

/// Builds the keys of a bone, allocated from `a`. `by_node` holds the clip's channels of each node,
/// three per node in the order of model_path; NULL: the path is not animated.
zt_result m3d_builder_keys(m3d_builder *m, const model_clip *clip,
                           const model_channel *const *by_node, uint32_t bone, arena *a,
                           m3d_out_keys *out);
/// Reports what the keys of a clip only approximate or leave out.
zt_result m3d_builder_report_clip(m3d_builder *m, const model_clip *clip);

/// The material of Luna's book, which the format stores.
typedef struct m3d_out_material {
    float diffuse[3], fresnel0[3], roughness;
    bool alpha_clip;
} m3d_out_material;
m3d_out_material m3d_builder_material(const m3d_builder *m, const model_material *from);
