// SPDX-License-Identifier: MIT
/// What an .m3d file holds, as it stands in the file: its handedness and winding, its row-vector
/// matrices already transposed. m3d_parse fills it; m3d_convert brings it into our spaces.
#ifndef ZT_M3D_M3D_FILE_H
#define ZT_M3D_M3D_FILE_H

#include "image/texture_file.h"
#include "m3d/m3d_text.h"
#include "mesh/mesh.h"
#include "model/model.h"
#include "model/model_source.h"

typedef struct m3d_material {
    const char *name;
    float diffuse[3], fresnel0[3], roughness;
    bool alpha_clip;
    const char *type, *diffuse_map, *normal_map; ///< "" for none
} m3d_material;

typedef struct m3d_subset {
    uint32_t vertex_start, vertex_count, face_start, face_count;
    const char *place; ///< of its entry, for messages
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

/// What was put right on the way, for one warning each.
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

/// Parses the whole file. Names and key frames go to `keep`, the rest to `scratch`.
zt_result m3d_parse(m3d_text *text, arena *keep, arena *scratch, m3d_file *out);
/// Its parts, in the order of the file.
zt_result m3d_parse_vertices(m3d_text *text, arena *scratch, m3d_file *file);
zt_result m3d_parse_triangles(m3d_text *text, arena *scratch, m3d_file *file);
zt_result m3d_parse_bones(m3d_text *text, arena *scratch, m3d_file *file);
zt_result m3d_parse_clips(m3d_text *text, arena *keep, arena *scratch, m3d_file *file);

/// Bring the parsed file into a right-handed space with counter-clockwise fronts, as contract.md
/// decides it. `handedness` is 0, 'l' or 'r'. Returns true when z was mirrored.
bool m3d_to_right_handed(m3d_file *file, int handedness);
/// Gives vertices without a normal or a tangent one.
zt_result m3d_complete_frames(m3d_file *file, arena *scratch, zt_error *err);

/// Warnings and notes: each goes to the sink as it is met and into the model's list for inspect.
typedef struct m3d_report {
    const char *path; ///< put before every line
    const message_sink *sink;
    arena *keep, *scratch;
    const char **lines; ///< [capacity] in scratch
    uint32_t count, capacity;
} m3d_report;

/// "PATH: ...".
zt_result m3d_note(m3d_report *report, zt_error *err, const char *format, ...) ZT_PRINTF(3, 4);
zt_result m3d_warn(m3d_report *report, zt_error *err, const char *format, ...) ZT_PRINTF(3, 4);
/// A feature that is ignored or approximated: ZT_ERR_UNSUPPORTED under strictness.
zt_result m3d_unsupported(m3d_report *report, zt_error *err, const char *format, ...)
    ZT_PRINTF(3, 4);
/// Copies the list into the model.
zt_result m3d_report_finish(const m3d_report *report, zt_model *model, zt_error *err);

/// Nodes, skin and clips, and materials with their textures, in `model`.
zt_result m3d_build_skeleton(const m3d_file *file, zt_model *model, arena *scratch,
                             m3d_report *report, zt_error *err);
zt_result m3d_build_materials(const m3d_file *file, const model_source *source, zt_model *model,
                              arena *scratch, m3d_report *report, zt_error *err);

#endif
