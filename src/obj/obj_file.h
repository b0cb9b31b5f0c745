// SPDX-License-Identifier: MIT
/// The contents of an OBJ file.
#pragma once

#include "mesh/mesh.h"
#include "mesh/mesh_source.h"
#include "model/file_textures.h"
#include "obj/obj_line.h"

/// A corner: indices from 0, -1 for none.
typedef struct obj_corner {
    int32_t position, uv, normal;
} obj_corner;

/// A face, a line or points.
typedef struct obj_polygon {
    uint32_t first, count; ///< in obj_file.corner
    uint32_t material;     ///< in obj_file.materials
    uint32_t smoothing;    ///< 0: none
    primitive_kind kind;
} obj_polygon;

typedef struct obj_file {
    arena *a;
    const zt_limits *limits;
    double (*position)[3]; ///< x is NaN where a coordinate is not finite
    float (*color)[4];     ///< sRGB and alpha, 1 where there is none; NULL: no vertex has one
    float (*uv)[2];        ///< v grows downwards
    float (*normal)[3];
    uint32_t position_count, uv_count, normal_count, position_room, color_room, uv_room,
        normal_room;
    obj_corner *corner;
    obj_polygon *polygon;
    uint32_t corner_count, polygon_count, corner_room, polygon_room;
    const char **materials; ///< [material_count] names in the order of their first use; 0: none
    uint32_t material_count, material_room;
    const char **libraries; ///< [library_count] what mtllib lines say
    uint32_t library_count, library_room;
    const char *name;    ///< of the first object or group, or ""
    const char *skipped; ///< the first statement that is not read and draws something; NULL: none
    bool has_smoothing;
    bool blends;   ///< some colours are not opaque
    uint64_t lost; ///< faces left out: an index that nothing has, or a place not finite
    uint64_t thin; ///< faces left out: fewer than three corners
} obj_file;

/// Reads the file. Faces have valid indices. ZT_ERR_FORMAT with line and column.
zt_result obj_parse(text_scan *text, obj_file *out);

// obj_build.c
/// Fills a mesh in f->a, with normals. Lines and points get the material f->material_count.
/// `at_origin`: far positions are moved. *out_normals: some corners had none, and all were made.
zt_result obj_build(job_pool *pool, const obj_file *f, bool at_origin, mesh_source *out,
                    bool *out_normals, zt_error *err);

// obj_materials.c
/// Makes f->material_count materials, and one more for lines and points. What is missing is plain,
/// with a warning.
zt_result obj_make_materials(const obj_file *f, const model_source *source, model_report *report,
                             zt_model *model, arena *scratch, const model_material **out,
                             zt_error *err);
