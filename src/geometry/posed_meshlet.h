// SPDX-License-Identifier: MIT
/// From the id of a primitive to its meshlet and its posed vertices. Geometry fills the table
/// before any view is drawn; shading and rays read it.
#pragma once

#include "mesh/mesh.h"
#include "model/palette.h"

/// A primitive number packs the number of a meshlet in the frame and that of a triangle in the
/// meshlet. An id is the primitive number plus 1, because 0 is ID_NONE.
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

/// Properties that geometry needs to know about a material, as bits.
typedef enum surface_flag {
    SURFACE_DOUBLE_SIDED = 1,
    SURFACE_MASKED = 2,
    SURFACE_BLENDED = 4,
    SURFACE_INVISIBLE = 8,   ///< draws nothing
    SURFACE_SHADOWLESS = 16, ///< light does not meet it: outlines, the ground
    SURFACE_EMISSIVE = 32    ///< evenly, and enough to light what is near it
} surface_flag;

/// True if light, and rays besides those of the eye, meet a surface with these flags. Points and
/// lines (posed_meshlet.line) have no width in the world.
static inline bool surface_meets_light(unsigned flags, bool line)
{
    return !line && !(flags & (SURFACE_INVISIBLE | SURFACE_SHADOWLESS));
}

/// Directions of bind space's axes after morph and skin, at vertices; of any length but 0.
typedef struct bind_axes {
    const vertex_attributes *xy; ///< +x in n*, +y in t*
    const vertex_attributes *z;  ///< +z in n*
} bind_axes;

/// A meshlet of the frame in the world, whatever sees it.
typedef struct posed_meshlet {
    const uint32_t *vertex;              ///< local -> mesh vertex
    const uint8_t *corner[3];            ///< local vertices of each triangle
    const vertex_position *position;     ///< posed, of the whole mesh
    const vertex_attributes *attributes; ///< posed, of the whole mesh
    const vertex_extra *extra;           ///< NULL when absent
    bind_axes axes;                      ///< NULL: no material of the mesh needs them
    uint32_t material;
    float handedness; ///< sign of the bitangent, mirroring included: +1 or -1
    float front;      ///< sign of e0 + e1 + e2 of a front face: -1, mirrored +1; 0: it has no back
    bool line;        ///< true for lines and points: values vary from corner 0 to 1 alone
    const skin_matrix *world_from_position; ///< NULL: positions are in world space
    const skin_matrix *world_from_tangent;  ///< NULL: tangents and normals are
    const skin_matrix *world_from_normal;   ///< NULL like world_from_tangent
    float scale; ///< mean length in world space of a vector of length 1 in bind space; of a skinned
                 ///< mesh that of its first joint
} posed_meshlet;

/// X, Y, w, depth of the local vertices of a meshlet in one view.
typedef const float (*homogeneous_vertices)[4];
