// SPDX-License-Identifier: MIT
/// The content of an .m3d file, with its handedness and winding; matrices are transposed already.
#pragma once

#include "m3d/m3d_text.h"
#include "mesh/vertex.h"
#include "model/model_report.h"
#include "model/model_source.h"

typedef struct m3d_material {
    const char *name;
    float diffuse[3], fresnel0[3], roughness;
    bool alpha_clip;
    const char *type, *diffuse_map, *normal_map; ///< "" for none
} m3d_material;

typedef struct m3d_subset {
    uint32_t vertex_start, vertex_count, face_start, face_count;
    const char *at; ///< its entry in the text, for messages
} m3d_subset;

typedef struct m3d_bone {
    int32_t parent;      ///< -1 for a root; smaller than its own index
    mat4 bone_from_bind; ///< column-major, for column vectors
} m3d_bone;

/// Key frames of one bone: `time_s` rises strictly.
typedef struct m3d_track {
    uint32_t key_count;
    float *time_s, *translation, *rotation, *scale; ///< [key_count] of 1, 3, 4, 3 floats
} m3d_track;

typedef struct m3d_clip {
    const char *name;
    m3d_track *tracks; ///< [bone_count]
} m3d_clip;

/// Counts of repairs, for one warning each.
typedef struct m3d_repairs {
    uint64_t weights_scaled, weights_missing; ///< vertices
    uint64_t normals_missing, tangents_missing;
    uint64_t keys_repeated;
    uint64_t faces_dropped;
    uint64_t materials_clamped;
    uint64_t offsets_projective; ///< bones
} m3d_repairs;

typedef struct m3d_file {
    uint32_t material_count, vertex_count, triangle_count, bone_count, clip_count;
    m3d_material *materials;
    m3d_subset *subsets; ///< [material_count]
    vertex_position *position;
    vertex_attributes *attributes; ///< normals and tangents of unit length, or 0 when missing
    float *tangent_w;
    vertex_joints *joints;   ///< NULL without bones
    vertex_weights *weights; ///< NULL without bones
    uint32_t *corner;        ///< [3 * triangle_count], in the file's order
    uint32_t *material;      ///< [triangle_count]
    m3d_bone *bones;
    m3d_clip *clips;
    m3d_repairs repairs;
} m3d_file;

// m3d_parse.c
/// Parses the whole file. Names and key frames go to `keep`, the rest to `scratch`.
zt_result m3d_parse(text_scan *text, arena *keep, arena *scratch, m3d_file *file);

// m3d_space.c
/// Brings the parsed file into a right-handed space with counter-clockwise fronts, as the head
/// of m3d_space.c decides it. `handedness` is 0, 'l' or 'r'. Returns true when z was mirrored.
bool m3d_to_right_handed(m3d_file *file, int handedness);
/// Turns the file, which is in our space, by 180 degrees about +y.
void m3d_turn(m3d_file *file);
/// Gives vertices without a normal or a tangent one.
zt_result m3d_complete_frames(m3d_file *file, arena *scratch, zt_error *err);

// m3d_skeleton.c
/// Nodes, skin and clips.
zt_result m3d_build_skeleton(const m3d_file *file, zt_model *model, arena *scratch,
                             model_report *report, zt_error *err);

// m3d_material.c
/// Materials and textures.
zt_result m3d_build_materials(const m3d_file *file, const model_source *source, zt_model *model,
                              arena *scratch, model_report *report, zt_error *err);
