// SPDX-License-Identifier: MIT
/// Job of the skinning kernel.
#ifndef ZT_GEOMETRY_SKIN_TYPES_H
#define ZT_GEOMETRY_SKIN_TYPES_H

#include "mesh/vertex.h"
#include "model/palette.h"

#include <stdbool.h>
#include <stddef.h>

/// Vertices [first, first + count) of a mesh, bind space -> world space.
///
/// Linear: M = ((M0 w0 + M1 w1) + M2 w2) + M3 w3, then + M4 w4 ... + M7 w7 in turn where there are
/// more; p' = ((c0 x + c1 y) + c2 z) + c3; normals by the same
/// blend of `normals` without c3; tangents by M without c3. Directions are not normalised.
/// `joints` NULL: every vertex uses palette[0] alone, as it is.
///
/// With `duals`: q = sum of w_k s_k q_k in turn, s_k = -1 where real_k . real_p < 0, p the first
/// influence of largest weight; q / |real| turns and moves what the stretches, blended like M, have
/// scaled before: p' = R (S p) + t, normals R (N n), tangents R (S t). (Kavan et al., "Geometric
/// skinning with approximate dual quaternion blending", ACM TOG 27(4), 2008.)
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
    const vertex_joints *joints_more; ///< influences 5 to 8; NULL: no vertex has any
    const vertex_weights *weights_more;
    const skin_dual *duals;             ///< NULL: linear
    const skin_matrix *stretch;         ///< before the duals; NULL: none stretches
    const skin_matrix *stretch_normals; ///< for normals; there when `stretch` is
} skin_job;

#endif
