// SPDX-License-Identifier: MIT
/// A mesh in memory: vertices once, triangles as meshlets, morph targets. Bind space. Immutable
/// once built.
#ifndef ZT_MESH_MESH_H
#define ZT_MESH_MESH_H

#include "base/arena.h"
#include "base/jobs.h"
#include "mesh/morph.h"
#include "mesh/vertex.h"

enum { MESHLET_VERTICES = 64, MESHLET_TRIANGLES = 128 };

/// Up to 64 vertices and 128 triangles of one material and one tangent handedness. The bits of a
/// primitive's number (geometry.h) rest on these two sizes.
typedef struct meshlet {
    uint32_t vertex_first;   ///< into model_mesh.meshlet_vertex
    uint32_t triangle_first; ///< into model_mesh.meshlet_corner[k]; a multiple of 16
    uint16_t vertex_count;
    uint16_t triangle_count;
    uint32_t material;
    bool left_handed; ///< bitangent = cross(N, T) * (left_handed ? -1 : 1)
} meshlet;

/// A morph target of a mesh. Its name is its number when the file gives none.
typedef struct model_morph {
    const char *name;
    float weight; ///< where neither a node nor a clip nor the scene gives one
    morph_shape shape;
} model_morph;

typedef struct model_mesh {
    const char *name;
    uint32_t vertex_count; ///< the arrays below hold pad16(vertex_count), padded with the last one
    uint32_t triangle_count; ///< sum over the meshlets
    uint32_t meshlet_count;
    const vertex_position *position;
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
    float bounds_min[3], bounds_max[3]; ///< of the positions in bind space, without morph targets
} model_mesh;

/// Triangles of a mesh before they are cut into meshlets.
typedef struct mesh_source {
    const char *name;
    uint32_t vertex_count;
    vertex_position *position;
    vertex_attributes *attributes;
    float *tangent_w;             ///< [vertex_count] +-1, NULL = all +1
    vertex_extra *extra;          ///< NULL or [vertex_count]
    vertex_joints *joints;        ///< NULL or [vertex_count]
    vertex_weights *weights;      ///< NULL or [vertex_count]
    vertex_joints *joints_more;   ///< NULL or [vertex_count]
    vertex_weights *weights_more; ///< NULL or [vertex_count]
    uint32_t *origin; ///< NULL, or the file's number of each vertex where morph targets ask
    uint32_t triangle_count;
    const uint32_t *corner;   ///< [3 * triangle_count], counter-clockwise is the front
    const uint32_t *material; ///< [triangle_count]
} mesh_source;

/// Cuts a mesh into meshlets and copies it, padded, into `keep`. Every index must be in range.
/// What comes of it does not depend on `pool`, which may be NULL.
zt_result mesh_build(job_pool *pool, arena *keep, arena *scratch, const mesh_source *source,
                     model_mesh *out, zt_error *err);

/// Keeps the groups of vertices in which something differs from 0. `dense` holds `width` floats for
/// each of pad16(vertex_count) vertices, zeros after the last.
zt_result morph_part_build(arena *keep, const float *dense, uint32_t vertex_count, size_t width,
                           morph_part *out, zt_error *err);

/// Fills tangents (attributes.t*, tangent_w) where a file has none, by MikkTSpace's definition, and
/// splits vertices whose corners disagree: so arrays may be replaced and grow. Area-weighted smooth
/// or flat normals are computed by the readers before. What comes of it does not depend on `pool`,
/// which may be NULL.
zt_result tangents_generate(job_pool *pool, arena *scratch, mesh_source *mesh, zt_error *err);

#endif
