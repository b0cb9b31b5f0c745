// SPDX-License-Identifier: MIT
/// Reader of PLY files: triangles, polygons and points without a scene, as text or binary in both
/// byte orders. References: Turk, The PLY Polygon File Format (1994),
/// https://www.cc.gatech.edu/projects/large_models/ply.html; the names of properties as MeshLab,
/// Blender, VTK, PCL and CloudCompare write them.
///
/// PLY has no unit and no axes; it is read in metres with y up, as glTF is.
#pragma once

#include "model/model_format.h"

extern const model_format ply_format;
