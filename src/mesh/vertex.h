// SPDX-License-Identifier: MIT
/// Vertex records shared by the readers of model files (which write them) and the kernels (which
/// read them). Spaces: model (bind) space in a model, world space once posed.
#pragma once

#include <stdint.h>

typedef struct vertex_position {
    float x, y, z, one; ///< one = 1
} vertex_position;

/// 32 bytes: one cache line holds two. v grows downwards: (0,0) is the top left of the picture.
typedef struct vertex_attributes {
    float nx, ny, nz; ///< unit normal
    float u;
    float tx, ty, tz; ///< unit tangent along +u; its handedness is a property of the meshlet
    float v;
} vertex_attributes;

/// Only in meshes that have a colour or a second texture coordinate set. Colour is linear RGBA.
typedef struct vertex_extra {
    float r, g, b, a;
    float u1, v1, pad[2];
} vertex_extra;

/// Four influences, or four of eight; weights sum to 1, an unused one is 0 with joint 0. The joint
/// indexes the palette of the mesh's skin.
typedef struct vertex_joints {
    uint16_t joint[4];
} vertex_joints;

typedef struct vertex_weights {
    float weight[4];
} vertex_weights;

_Static_assert(sizeof(vertex_position) == 16, "kernels load 16 bytes");
_Static_assert(sizeof(vertex_attributes) == 32, "kernels load 32 bytes");
_Static_assert(sizeof(vertex_extra) == 32, "kernels load 32 bytes");
