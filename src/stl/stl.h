// SPDX-License-Identifier: MIT
/// Reader of STL files: triangles without a scene, binary or text. References: 3D Systems,
/// StereoLithography Interface Specification (1989); the habits of the programs that write it:
/// https://en.wikipedia.org/wiki/STL_(file_format).
///
/// STL has no unit and no axes; as programs for 3D printing do, it is read in millimetres with z
/// up. Its normals are often wrong and are not read: the order of corners says which side is
/// outside.
#pragma once

#include "model/model_format.h"

extern const model_format stl_format;
