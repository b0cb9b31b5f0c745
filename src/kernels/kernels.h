// SPDX-License-Identifier: MIT
/// The hot loops of all stages. One source (kernels.c and the .inl files of the stages) is compiled
/// once per instruction set. Each object exports one table, and one table is chosen at run time.
/// All tables give identical bits: lanes are independent; the loops use only + - * / sqrt,
/// compares, selects and exact conversions; nothing is fused or estimated; and all arrays are
/// padded to 16, so that no width needs a loop for the rest.
#ifndef ZT_KERNELS_KERNELS_H
#define ZT_KERNELS_KERNELS_H

#include "base/error.h"
#include "geometry/geometry_loops.h"
#include "pose/pose_loops.h"
#include "raster/raster_loops.h"
#include "shade/shade_loops.h"

/// The loops of all stages for one instruction set. Each stage declares its table in *_loops.h.
typedef struct kernel_table {
    zt_isa isa;
    const char *name;
    int32_t width; ///< lanes
    pose_loops pose;
    geometry_loops geometry;
    raster_loops raster;
    shade_loops shade;
} kernel_table;

/// NULL if the instruction set was not built, or the machine or operating system cannot run it.
const kernel_table *kernels_for(zt_isa isa);
bool kernels_built(zt_isa isa);
/// The best available table up to `max_isa` (ZT_ISA_BEST: no limit). An instruction set of another
/// architecture is no limit either.
const kernel_table *kernels_best(zt_isa max_isa);

#endif
