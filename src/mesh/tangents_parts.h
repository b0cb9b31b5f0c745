// SPDX-License-Identifier: MIT
/// The parts of MikkTSpace tangents; see tangents.c.
#pragma once

#include "base/jobs.h"
#include "mesh/corner_lists.h"
#include "mesh/mesh_source.h"

// tangents_triangles.c
#define TANGENT_NONE UINT32_MAX

typedef struct tangent_triangle {
    float along_u[3];      ///< unit vector along which u grows, or 0
    uint32_t vertex[3];    ///< representatives of the welded corners
    uint32_t neighbour[3]; ///< across the edge from corner k to k + 1, TANGENT_NONE
    bool degenerate;       ///< two corners at one position
    bool any;              ///< its texture coordinates span no area: fits any orientation
    bool preserving;       ///< its texture coordinates are not mirrored
} tangent_triangle;

typedef struct tangent_triangles {
    tangent_triangle *triangle; ///< [mesh->triangle_count]
    const uint32_t *weld;       ///< [mesh->vertex_count] the first vertex equal to each
    bool has_any;               ///< of some triangle `any` is set
} tangent_triangles;

/// Welds vertices and computes triangles, without neighbours.
zt_result tangents_triangles(job_pool *pool, arena *scratch, const mesh_source *mesh,
                             tangent_triangles *out, zt_error *err);

// tangents_connect.c
/// Pairs triangles over edges. corners: at welded vertices.
zt_result tangents_connect(job_pool *pool, arena *scratch, tangent_triangle *triangles,
                           const corner_lists *corners, zt_error *err);

// tangents_group.c
/// A tangent of a corner: unit length (or any perpendicular where texture coordinates give none).
typedef struct corner_tangent {
    float t[3];
    float w; ///< +-1: bitangent = w * cross(normal, t)
} corner_tangent;

/// The state of a corner, in vertex_tangents.state.
typedef enum tangent_state {
    TANGENT_LEFT,    ///< by all groups
    TANGENT_GROUPED, ///< it has the tangent of its vertex
    TANGENT_OTHER    ///< it wants another
} tangent_state;

typedef struct vertex_tangents {
    corner_tangent *tangent; ///< [mesh->vertex_count] of the first corner there; w 0: there is none
    uint8_t *state;          ///< [3 * triangle_count] tangent_state
    corner_tangent *wanted;  ///< [3 * triangle_count] set where `state` is TANGENT_OTHER
    _Atomic size_t others;   ///< corners in that state
} vertex_tangents;

static inline bool corner_tangents_equal(const corner_tangent *a, const corner_tangent *b)
{
    return a->t[0] == b->t[0] && a->t[1] == b->t[1] && a->t[2] == b->t[2] && a->w == b->w;
}

/// Groups corners, sums their tangents, and gives each vertex that of its first corner.
zt_result tangents_group(job_pool *pool, arena *scratch, const mesh_source *mesh,
                         const tangent_triangles *triangles, const corner_lists *corners,
                         vertex_tangents *out, zt_error *err);
/// A unit vector at a right angle to `normal`.
void tangents_perpendicular(const float normal[3], float out[3]);
