// SPDX-License-Identifier: MIT
/// Where the axes of bind space point once a mesh is posed: what turns object-space normals into
/// the world.
#ifndef ZT_GEOMETRY_AXES_H
#define ZT_GEOMETRY_AXES_H

#include "geometry/geometry.h"

/// Memory for the axes of a draw that asks for them.
zt_result axes_allocate(geometry_draw *draw, arena *a, zt_error *err);

/// Poses the axes of `count` vertices from `first` on, by the matrices that turn normals. Before
/// them come the morph targets, which must be in draw->morphed_attributes: an axis is turned by the
/// shortest rotation that takes the vertex's normal to its morphed one. Overwrites draw->position.
void axes_pose(const geometry_draw *draw, const geometry_loops *loops, size_t first, size_t count);

#endif
