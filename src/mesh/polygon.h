// SPDX-License-Identifier: MIT
/// Polygons of files -> triangles.
#pragma once

#include "base/arena.h"
#include "mesh/vertex.h"

/// Cuts a polygon of `count` >= 3 corners into count - 2 triangles: out[3 * (count - 2)] are places
/// of corners. vertex: [count] into `position`. Polygons that are not convex are cut by ears, as
/// they are seen along their normal (M. Newell's sum over edges); a hole is a part of the outline
/// that runs there and back. One that crosses itself has some triangles. The steps of all polygons
/// of a model are bounded by the bytes of its file (work_count.cut); beyond, corners are cut off
/// without tests, and work_count.blind counts the polygon. `a`: only its budget is used.
zt_result polygon_cut(arena *a, const vertex_position *position, const uint32_t *vertex,
                      uint32_t count, uint32_t *out, zt_error *err);
