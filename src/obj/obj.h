// SPDX-License-Identifier: MIT
/// Reader of Wavefront OBJ files with their MTL files. References: Wavefront, Appendix B1 to the
/// Advanced Visualizer manual (OBJ 3.0) and MTL material format; the PBR keys of Exocortex'
/// proposal (Pr, Pm, norm) as Blender and tinyobjloader have them.
///
/// OBJ has no unit; it is read in metres, with y up.
#pragma once

#include "model/model_format.h"

extern const model_format obj_format;
