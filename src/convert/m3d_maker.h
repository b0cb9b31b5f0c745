// SPDX-License-Identifier: MIT
/// An .m3d made out of a model: the inside of convert_to_m3d. Everything is in the model's space:
/// right-handed, so that the file's triangles wind against the stored normals.
#ifndef ZT_CONVERT_M3D_MAKER_H
#define ZT_CONVERT_M3D_MAKER_H

#include "base/affine.h"
#include "convert/convert.h"

typedef struct m3d_maker_vertex {
    vertex_position position;
    vertex_attributes attributes;
    float tangent_w;
    float weight[4];
    uint32_t bone[4];
} m3d_maker_vertex;

typedef struct m3d_maker_bone {
    int32_t parent; ///< smaller than its own index, -1 for a root
    int32_t node;   ///< that moves it; -1: it stays with its parent
    bool has_offset;
    float offset[16]; ///< bone from bind, column-major for column vectors
} m3d_maker_bone;

/// A mesh at a node.
typedef struct m3d_maker_draw {
    const model_node *node;
    uint32_t node_index;
    const model_mesh *mesh;
    const uint32_t *bone_of_joint; ///< of its skin, NULL: rigid
    uint32_t bone;                 ///< of a rigid one
    bool baked;                    ///< vertices are moved by `world`
    affine world;
} m3d_maker_draw;

/// Triangles of one material.
typedef struct m3d_maker_subset {
    uint32_t material; ///< of the model
    uint32_t vertex_start, vertex_count, face_start, face_count;
    const char *diffuse_map, *normal_map; ///< file names, "" for none
} m3d_maker_subset;

typedef struct m3d_maker {
    convert_job *job;
    const zt_model *model;
    const gltf_document *document; ///< NULL: the model is from an .m3d
    affine *world;                 ///< [node_count] at rest
    m3d_maker_draw *draws;
    uint32_t draw_count;
    m3d_maker_bone *bones; ///< none: a static model, whose vertices are in the world
    uint32_t bone_count;
    int32_t *bone_of_node; ///< [node_count], -1: none
    m3d_maker_vertex *vertices;
    uint32_t *corners;
    uint32_t vertex_count, triangle_count;
    m3d_maker_subset *subsets;
    uint32_t subset_count;
    bool mirrored;   ///< written with z mirrored: a reader takes it for left-handed
    uint32_t *clips; ///< of the model, that move bones
    uint32_t clip_count;
} m3d_maker;

/// Keys of a bone in a clip: all paths at the same times.
typedef struct m3d_maker_key {
    float time_s;
    trs pose;
} m3d_maker_key;

typedef struct m3d_maker_keys {
    uint32_t count;
    m3d_maker_key *key;
} m3d_maker_keys;

/// The stages, in this order.
zt_result m3d_make_bones(m3d_maker *m);    // m3d_bones.c: draws, bones, clips
zt_result m3d_make_vertices(m3d_maker *m); // m3d_bake.c: vertices, triangles, subsets
zt_result m3d_make_surfaces(m3d_maker *m); // m3d_surface.c: texture files
zt_result m3d_make_text(m3d_maker *m);     // m3d_text_write.c: the file

/// The keys of a bone (m3d_keys.c), in memory of `a`. `by_node` holds the clip's channels that move
/// each node, by model_path: three for each, NULL for none.
zt_result m3d_make_keys(m3d_maker *m, const model_clip *clip, const model_channel *const *by_node,
                        uint32_t bone, arena *a, m3d_maker_keys *out);
/// What of a clip is only approximated by keys between which one interpolates.
zt_result m3d_report_clip(m3d_maker *m, const model_clip *clip);
/// The book's material.
typedef struct m3d_maker_material {
    float diffuse[3], fresnel0[3], roughness;
    bool alpha_clip;
} m3d_maker_material;
m3d_maker_material m3d_material_of(const m3d_maker *m, const model_material *from);

#endif
