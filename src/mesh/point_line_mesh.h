// SPDX-License-Identifier: MIT
/// Points and lines as triangles, for file formats that have only these.
#pragma once

#include "mesh/mesh_source.h"

/// Triangles of one point and of one line.
enum { POINT_TRIANGLES = 8, LINE_TRIANGLES = 12 };

/// Each "triangle" of `mesh` is a point or line: its corners are its first vertex, and its last one
/// twice. They become octahedra (`points`) or bars with vertices of their own, in new arrays of
/// `a`.
zt_result point_line_mesh_build(arena *a, bool points, mesh_source *mesh, zt_error *err);
