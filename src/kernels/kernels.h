// SPDX-License-Identifier: MIT
/// The hot loops. One source (kernels.c and its .inl parts) is compiled once per instruction set;
/// each object exports one table, chosen at run time. Every table gives identical bits: lanes are
/// independent, only + - * / sqrt, compares, selects and exact conversions are used, nothing is
/// fused or estimated, and all arrays are padded to 16 so that no width has a tail of its own.
#ifndef ZT_KERNELS_KERNELS_H
#define ZT_KERNELS_KERNELS_H

#include "base/error.h"
#include "geometry/geometry_loops.h"
#include "pose/pose_loops.h"
#include "raster/raster_loops.h"
#include "shade/shade_loops.h"

/// The loops of all stages for one instruction set. Each stage declares its own.
typedef struct kernel_table {
    zt_isa isa;
    const char *name;
    int32_t width; ///< lanes
    pose_loops pose;
    geometry_loops geometry;
    raster_loops raster;
    shade_loops shade;
} kernel_table;

/// NULL when it was not built in, or this machine or its operating system cannot run it.
const kernel_table *kernels_for(zt_isa isa);
bool kernels_built(zt_isa isa);
/// The best available table not above `max_isa` (ZT_ISA_BEST: no cap). A cap that belongs to
/// another architecture is no cap.
const kernel_table *kernels_best(zt_isa max_isa);

#endif
