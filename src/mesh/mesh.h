// SPDX-License-Identifier: MIT
/// A mesh in memory, in bind space: vertices once, triangles as meshlets, morph targets. Immutable.
#pragma once

#include "base/dvec3.h"
#include "mesh/morph.h"
#include "mesh/vertex.h"

enum { MESHLET_VERTICES = 64, MESHLET_TRIANGLES = 128 };

/// The kind of a meshlet's triangles. A point has the same vertex at its three corners, a line
/// its first end at corner 0 and its second at corners 1 and 2; both are drawn as quads of a fixed
/// width on the screen (geometry/point_line_quads.h).
typedef enum primitive_kind { PRIMITIVE_TRIANGLE, PRIMITIVE_LINE, PRIMITIVE_POINT } primitive_kind;

/// Up to 64 vertices and 128 triangles, lines or points of one material and one tangent handedness.
/// The bits of a primitive's number (geometry.h) rest on these two sizes.
typedef struct meshlet {
    uint32_t vertex_first;   ///< into model_mesh.meshlet_vertex
    uint32_t triangle_first; ///< into model_mesh.meshlet_corner[k]; a multiple of 16
    uint16_t vertex_count;
    uint16_t triangle_count;
    uint32_t material;
    uint8_t kind;     ///< primitive_kind
    bool left_handed; ///< bitangent = cross(N, T) * (left_handed ? -1 : 1)
} meshlet;

/// A morph target of a mesh. Its name is its number when the file gives none.
typedef struct model_morph {
    const char *name;
    float weight; ///< where neither a node nor a clip nor the scene gives one
    morph_target target;
} model_morph;

typedef struct model_mesh {
    const char *name;
    uint32_t vertex_count; ///< the arrays below hold pad16(vertex_count), padded with the last one
    uint32_t triangle_count;          ///< sum over the meshlets, with lines and points
    uint32_t line_count, point_count; ///< of them
    uint32_t meshlet_count;
    const vertex_position *position;
    dvec3 middle; ///< subtracted from positions, which were far from zero; see mesh/far_points.h
    const vertex_attributes *attributes;
    const vertex_extra *extra;        ///< NULL when no primitive has colours or a second uv set
    const vertex_joints *joints;      ///< NULL when not skinned
    const vertex_weights *weights;    ///< NULL when not skinned
    const vertex_joints *joints_more; ///< influences 5 to 8; NULL when no vertex has any
    const vertex_weights *weights_more;
    const meshlet *meshlets;          ///< in the order of the file's triangles
    const uint32_t *meshlet_vertex;   ///< vertex of the mesh, [vertex_first + local]
    const uint8_t *meshlet_corner[3]; ///< local vertex of corner k, [triangle_first + triangle];
                                      ///< each meshlet's run is padded to 16 with zeros
    uint32_t morph_count;
    const model_morph *morphs;
    const uint32_t *seen_vertex; ///< [seen_count] vertices of triangles that have an area, of lines
                                 ///< and points, which alone frame; NULL: all of them
    uint32_t seen_count;
    float bounds_min[3], bounds_max[3]; ///< of the positions in bind space, without morph targets
} model_mesh;
