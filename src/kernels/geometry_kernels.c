// SPDX-License-Identifier: MIT
// The loops of geometry, from vertices to triangles on the screen, of one instruction set.
#include "geometry/geometry_loops.h"
#include "kernels/stage_table.h"

// clang-format off
#include "geometry/morph.inl"
#include "geometry/skin_dual.inl"
#include "geometry/skin.inl"
#include "geometry/transform.inl"
#include "geometry/setup.inl"
// clang-format on

extern const geometry_loops STAGE_TABLE(geometry);
const geometry_loops STAGE_TABLE(geometry) = {
    .morph = morph, .skin = skin, .transform = transform, .setup = setup};
