// SPDX-License-Identifier: MIT
/// Job of the skinning kernel.
#ifndef ZT_KERNELS_SKIN_TYPES_H
#define ZT_KERNELS_SKIN_TYPES_H

#include "base/vertex.h"

#include <stdbool.h>
#include <stddef.h>

/// A 4x4 matrix, column-major, 64-byte rows of a palette; the last row is 0 0 0 1.
typedef struct skin_matrix {
    float column[4][4];
} skin_matrix;

/// Vertices [first, first + count) of a mesh, bind space -> world space.
/// M = ((M0 w0 + M1 w1) + M2 w2) + M3 w3; p' = ((c0 x + c1 y) + c2 z) + c3; normals by the same
/// blend of `normals` without c3; tangents by M without c3. Directions are not normalised.
/// `joints` NULL: every vertex uses palette[0] alone, as it is.
typedef struct skin_job {
    const vertex_position *position;
    const vertex_attributes *attributes;
    const vertex_joints *joints;
    const vertex_weights *weights;
    const skin_matrix *palette; ///< world_from_bind
    const skin_matrix *normals; ///< for normals; == palette when no joint scales non-uniformly
    vertex_position *out_position;
    vertex_attributes *out_attributes; ///< u, v copied; NULL: positions only
    size_t first, count;
} skin_job;

#endif
