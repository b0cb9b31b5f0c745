// SPDX-License-Identifier: MIT
/// Points that are far from zero for their size, as georeferenced ones are, in floats: these know a
/// place to a part in 2^24 of its distance from zero, so a place near the points is subtracted.
#pragma once

#include "base/dvec3.h"
#include "mesh/vertex.h"

/// Writes points of [count][3] (NULL: those that are in `out` already) as floats; NaN in x for a
/// point that is not finite, or beyond floats. `middle`: gets what is subtracted, which is in
/// floats exactly, 0 of points that are not far away; it comes as that of the mesh before, which
/// serves again where it can: meshes of a file then meet as in the file. NULL: nothing is
/// subtracted.
void far_points_load(const double *point, uint32_t count, vertex_position *out, dvec3 *middle);
