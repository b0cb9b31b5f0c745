// SPDX-License-Identifier: MIT
/// The vertices and polygons of a PLY file.
#pragma once

#include "mesh/vertex.h"
#include "ply/ply_values.h"

typedef struct ply_mesh {
    arena *a;
    const zt_limits *limits;
    uint32_t vertex_count;
    double (*place)[3];        ///< of vertices, as the file has them
    vertex_position *position; ///< from them, by ply_build(): x is NaN where one is not finite
    vertex_attributes *attributes;
    vertex_extra *extra; ///< NULL: vertices have no colours
    bool has_normals, has_uv;

    uint32_t polygon_count, polygon_capacity, corner_count, corner_capacity;
    uint32_t *size;  ///< [polygon_count] corners of each
    uint32_t *color; ///< [polygon_count] sRGB and alpha, red lowest; NULL: polygons have none
    uint32_t
        *texture; ///< [polygon_count] by texnumber, texture_count: none; NULL: all have the first
    uint32_t texture_count;
    uint32_t *corner;      ///< [corner_count] vertices, which are not checked
    float (*corner_uv)[2]; ///< [corner_count]; NULL: corners have no texture coordinates
    uint64_t long_lines;   ///< instances in a text with more values than their element has
} ply_mesh;

/// Reads all elements behind the header. v of texture coordinates grows upwards in files, and
/// downwards here.
zt_result ply_mesh_read(const char *path, file_bytes bytes, const ply_header *header, ply_mesh *out,
                        zt_error *err);
