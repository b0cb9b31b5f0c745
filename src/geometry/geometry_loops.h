// SPDX-License-Identifier: MIT
/// The hot loops of geometry and their jobs: morph, skin, transform, setup. Spaces: bind space of
/// a mesh -> world space -> homogeneous pixels -> fixed point on the screen (raster_loops.h).
#pragma once

#include "mesh/mesh.h"
#include "model/palette.h"
#include "raster/raster_loops.h"

#include <stdbool.h>
#include <stddef.h>

enum { MORPH_CHUNK = 1024 }; ///< maximum number of vertices in a job

/// Morph targets of vertices [first, first + count) of a mesh, in bind space:
/// out = ((base + w0 d0) + w1 d1) + ... in the order of `uses`, for every float of a vertex.
///
/// Where a normal or a tangent then differs from the base, the frame is made orthonormal again:
/// n' = n (1 / sqrt((x x + y y) + z z)), or the base's n if the length of n is 0;
/// t' = t - n' (n' . t), normalized likewise, or a vector perpendicular to n' if its length is 0
/// (Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6(1), 2017). A colour that
/// differs from the base is clamped to [0, 1] (glTF 2.0, 3.7.2.2). Other vertices keep their bits.
typedef struct morph_job {
    const vertex_position *position;
    const vertex_attributes *attributes;
    const vertex_extra *extra; ///< read only if out_extra is not NULL
    const morph_use *uses;
    uint32_t use_count;
    vertex_position *out_position;
    vertex_attributes *out_attributes; ///< NULL: not wanted
    vertex_extra *out_extra;           ///< NULL: not wanted
    size_t first;                      ///< a multiple of 16
    size_t count;                      ///< <= MORPH_CHUNK; all arrays are padded to 16 vertices
} morph_job;

/// Skinning of vertices [first, first + count) of a mesh, bind space -> world space.
///
/// Linear: M = ((M0 w0 + M1 w1) + M2 w2) + M3 w3, then + M4 w4 ... + M7 w7 with 8 influences.
/// Positions: p' = ((c0 x + c1 y) + c2 z) + c3. Normals: the same blend of `normals`, without c3.
/// Tangents: M without c3. Not normalized. `joints` NULL: palette[0] without a weight.
///
/// With `duals`: q = sum of w_k s_k q_k in the order of k, s_k = -1 where real_k . real_p < 0, p
/// the first influence of largest weight. The stretches are blended like M and applied first, then
/// the rotation R and translation t of q / |real|: p' = R (S p) + t, normals R (N n), tangents
/// R (S t). (Kavan et al., "Geometric skinning with approximate dual quaternion blending", ACM TOG
/// 27(4), 2008.)
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
    const vertex_joints *joints_more; ///< influences 4 to 7; NULL: 4 influences
    const vertex_weights *weights_more;
    const skin_dual *duals;     ///< NULL: linear
    const skin_matrix *stretch; ///< applied before the duals, without translation; NULL: none
    const skin_matrix *stretch_normals; ///< for normals; NULL if `stretch` is
} skin_job;

/// Screen-space vertices of a meshlet, as a structure of arrays: at most 64, padded to 16.
/// Homogeneous pixels are X = x_px * w, Y = y_px * w, so a pixel position is X / w. The depth is
/// 1 / w in perspective (nearer is larger), and linear from 1 (near) to 0 (far) in orthographic
/// views (w = 1).
typedef struct screen_vertices {
    float x[64], y[64], w[64]; ///< X, Y, w: homogeneous pixels
    float depth[64];
    int32_t sx[64], sy[64]; ///< snapped to fx8, valid when outcode is 0
    uint32_t outcode[64];   ///< OUTCODE_* bits; 0 = inside near and guard band
} screen_vertices;

enum {
    OUTCODE_NEAR = 1,  ///< nearer than the near plane: must be clipped
    OUTCODE_GUARD = 2, ///< outside the guard band (or behind): must be clipped
    OUTCODE_LEFT = 4,  ///< outside this edge of the picture: rejects whole triangles
    OUTCODE_RIGHT = 8,
    OUTCODE_TOP = 16,
    OUTCODE_BOTTOM = 32,
    OUTCODE_FAR = 64,      ///< orthographic views only
    OUTCODE_INVALID = 128, ///< not finite, or beyond TRANSFORM_MAX: drops the triangle
    OUTCODE_CLIP = OUTCODE_NEAR | OUTCODE_GUARD,
};

/// pixels_from_world: one row each for X, Y, w and the orthographic depth. See view/view_camera.c.
typedef struct view_transform {
    float row_x[4], row_y[4], row_w[4];
    float row_d[4];      ///< orthographic depth; unused in perspective
    float near_w;        ///< perspective: clip where w < near_w; orthographic: where depth > 1
    float width, height; ///< pixels
    bool orthographic;
} view_transform;

typedef struct transform_job {
    const view_transform *view;
    const vertex_position *position; ///< world space, whole mesh
    const uint32_t *vertex;          ///< vertices of the meshlet -> of the mesh, [count]
    uint32_t count;                  ///< 1..64
    screen_vertices *out;            ///< padded to pad16(count) with copies of the last vertex
    float (*out_homogeneous)[4];     ///< X, Y, w, depth of each vertex, [count]: for shading
} transform_job;

/// Which faces to draw.
typedef enum setup_cull { SETUP_CULL_BACK, SETUP_CULL_FRONT, SETUP_CULL_NONE } setup_cull;

typedef struct setup_job {
    const screen_vertices *vertices;
    const uint8_t *corner[3]; ///< [pad16(count)]
    uint32_t count;           ///< triangles, 1..128
    setup_cull cull;
    int32_t width, height; ///< picture
    uint32_t first_id;     ///< id of triangle 0
    uint32_t masked;       ///< setup_triangle.masked
    int32_t sample_count;  ///< > 1: the bounding box covers samples, not only pixel centres
    setup_triangle *out;   ///< capacity `count`
    uint32_t *out_count;
    small_triangle *small; ///< capacity pad16(count); NULL: all triangles go to `out`
    uint32_t *small_tiles; ///< [pad16(count)] with `small`: tiles touched, see SMALL_TILES_*
    uint32_t *small_count;
    uint8_t *clip_list; ///< capacity `count`: triangles that the caller must clip
    uint32_t *clip_count;
} setup_job;

/// The loops of one instruction set (kernels/kernels.h fills them).
typedef struct geometry_loops {
    /// Morph targets, before skinning.
    void (*morph)(const morph_job *job);
    /// Linear-blend and dual quaternion skinning.
    void (*skin)(const skin_job *job);
    /// World positions of one meshlet -> screen.
    void (*transform)(const transform_job *job);
    /// Screen-space triangles of one meshlet -> those not culled, ready for the raster loops.
    void (*setup)(const setup_job *job);
} geometry_loops;
