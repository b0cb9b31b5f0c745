// SPDX-License-Identifier: MIT
// The loops of raster, from triangles to visible samples, of one instruction set.
#include "kernels/stage_table.h"
#include "raster/raster_loops.h"

// clang-format off
#include "raster/raster.inl"
#include "raster/raster_region.inl"
#include "raster/raster_small.inl"
#include "raster/raster_large.inl"
#include "raster/fragments.inl"
#include "raster/compact.inl"
// clang-format on

extern const raster_loops STAGE_TABLE(raster);
const raster_loops STAGE_TABLE(raster) = {
    .draw = raster, .compact = compact, .fragments = fragments};
