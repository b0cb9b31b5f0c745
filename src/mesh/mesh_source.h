// SPDX-License-Identifier: MIT
/// A mesh as readers of files fill it, before it is cut into meshlets; its arrays' copies.
#pragma once

#include "base/arena.h"
#include "base/dvec3.h"
#include "base/jobs.h"
#include "mesh/mesh.h"

/// Triangles of a mesh before they are cut into meshlets.
typedef struct mesh_source {
    const char *name;
    uint32_t vertex_count;
    vertex_position *position;
    dvec3 middle; ///< of the file: subtracted from positions
    vertex_attributes *attributes;
    float *tangent_w;             ///< [vertex_count] +-1, NULL = all +1
    vertex_extra *extra;          ///< NULL or [vertex_count]
    vertex_joints *joints;        ///< NULL or [vertex_count]
    vertex_weights *weights;      ///< NULL or [vertex_count]
    vertex_joints *joints_more;   ///< NULL or [vertex_count]
    vertex_weights *weights_more; ///< NULL or [vertex_count]
    uint32_t *origin;             ///< NULL, or the file's number of each vertex, for morph targets
    bool morphs;                  ///< morph targets will be read
    uint32_t triangle_count;
    const uint32_t *corner;   ///< [3 * triangle_count], counter-clockwise is the front
    const uint32_t *material; ///< [triangle_count]; NULL: all have the first
    const uint8_t *kind;      ///< [triangle_count] primitive_kind; NULL: all are triangles
    /// That of the model, when positions and attributes are in it and have room for whole lanes:
    /// they become the mesh's. NULL: they are copied.
    arena *keep;
} mesh_source;

/// Gives a mesh `count` vertices, copies of from[i], in `a`, or positions and attributes in
/// mesh->keep if it has that. Drops tangent_w; corners are left.
zt_result mesh_source_gather(job_pool *pool, arena *a, mesh_source *mesh, const uint32_t *from,
                             size_t count, zt_error *err);
/// Gives every corner its own vertex with the normal of its triangle.
zt_result mesh_source_flatten(arena *a, mesh_source *mesh, zt_error *err);
/// Puts `count` meshes one after the other into new arrays of `a`, without materials and origins.
/// An optional array that one of them has gets the default values for the others.
zt_result mesh_source_join(arena *a, const mesh_source *const *parts, uint32_t count,
                           mesh_source *out, zt_error *err);
/// The unit normal of a triangle; +z when it has no area.
void mesh_flat_normal(const vertex_position p[3], float n[3]);
