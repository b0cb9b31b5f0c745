// SPDX-License-Identifier: MIT
/// Job of the morph kernel.
#ifndef ZT_GEOMETRY_MORPH_TYPES_H
#define ZT_GEOMETRY_MORPH_TYPES_H

#include "mesh/morph.h"

#include <stddef.h>

enum { MORPH_CHUNK = 1024 }; ///< vertices of a job, at most

/// Vertices [first, first + count) of a mesh with its morph targets, in bind space:
/// out = ((base + w0 d0) + w1 d1) + ... in the order of `uses`, for every float of a vertex.
///
/// Where a normal or a tangent then differs from the base, the frame is made orthonormal again:
/// n' = n (1 / sqrt((x x + y y) + z z)), the base's n where n has no length; t' = t - n' (n' . t),
/// made unit likewise, or any direction at a right angle to n' where nothing is left (Duff et al.,
/// "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017). Where a colour differs from the
/// base it is limited to [0, 1] (glTF 2.0, 3.7.2.2). A vertex without differences keeps its bits.
typedef struct morph_job {
    const vertex_position *position;
    const vertex_attributes *attributes;
    const vertex_extra *extra; ///< read only when out_extra is there
    const morph_use *uses;
    uint32_t use_count;
    vertex_position *out_position;
    vertex_attributes *out_attributes;
    vertex_extra *out_extra; ///< NULL: not wanted
    size_t first;            ///< a multiple of 16
    size_t count;            ///< <= MORPH_CHUNK; all arrays are padded to 16 vertices
} morph_job;

#endif
