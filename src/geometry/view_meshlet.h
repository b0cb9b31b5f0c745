// SPDX-License-Identifier: MIT
/// Where the id of a visible sample leads: the meshlet, its vertices on the screen and posed.
/// Geometry fills it, shading reads it.
#ifndef ZT_GEOMETRY_VIEW_MESHLET_H
#define ZT_GEOMETRY_VIEW_MESHLET_H

#include "mesh/mesh.h"
#include "model/palette.h"
#include "raster/raster_loops.h"

/// A primitive number is the meshlet's in the frame and the triangle's in it; an id is that plus 1,
/// since 0 is ID_NONE.
enum { PRIMITIVE_TRIANGLE_BITS = 7 };
_Static_assert(1 << PRIMITIVE_TRIANGLE_BITS == MESHLET_TRIANGLES,
               "a triangle's number in its meshlet fills the low bits of an id");
#define PRIMITIVE_MESHLET_LIMIT ((1u << (32 - PRIMITIVE_TRIANGLE_BITS)) - 1u)

static inline uint32_t primitive_id(uint32_t meshlet_number, uint32_t triangle)
{
    return (meshlet_number << PRIMITIVE_TRIANGLE_BITS | triangle) + 1u;
}

static inline uint32_t primitive_meshlet(uint32_t id)
{
    return (id - 1u) >> PRIMITIVE_TRIANGLE_BITS;
}

static inline uint32_t primitive_triangle(uint32_t id)
{
    return (id - 1u) & ((1u << PRIMITIVE_TRIANGLE_BITS) - 1u);
}

/// What geometry has to know of a material: bits of surface_flag.
typedef enum surface_flag {
    SURFACE_DOUBLE_SIDED = 1,
    SURFACE_MASKED = 2,
    SURFACE_BLENDED = 4,
    SURFACE_INVISIBLE = 8 ///< nothing of it can be seen
} surface_flag;

/// A meshlet as one view shows it.
typedef struct view_meshlet {
    const uint32_t *vertex;              ///< local -> mesh vertex
    const uint8_t *corner[3];            ///< local vertices of each triangle
    const float (*homogeneous)[4];       ///< X, Y, w, depth of the local vertices
    const vertex_attributes *attributes; ///< posed, world space, of the mesh
    const vertex_extra *extra;           ///< NULL when absent
    uint32_t material;
    float handedness; ///< of the bitangent, mirroring included: +1 or -1
    float front;      ///< sign of e0 + e1 + e2 of a front face: -1, mirrored +1
    /// NULL, or matrices that turn the attributes into world space: of tangents, and of normals.
    const skin_matrix *turn, *world_from_model_normals;
} view_meshlet;

/// Where the axes of bind space point in the world, at the vertices of a meshlet's mesh, after
/// morphs and skin; any length but 0.
typedef struct bind_axes {
    const vertex_attributes *xy; ///< +x in n*, +y in t*
    const vertex_attributes *z;  ///< +z in n*
} bind_axes;

#endif
