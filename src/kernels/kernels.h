// SPDX-License-Identifier: MIT
/// The hot loops of all stages. A source here for each stage (pose_kernels.c ...) includes its .inl
/// files and is compiled once for each instruction set; its object exports the stage's table, and
/// the tables of one instruction set are chosen at run time. All give identical bits: lanes are
/// independent; only + - * / sqrt, compares, selects, exact conversions; nothing fused or
/// estimated; arrays padded to 16, so that no width needs a loop for the rest.
#pragma once

#include "base/error.h"
#include "environment/environment_loops.h"
#include "film/film_loops.h"
#include "geometry/geometry_loops.h"
#include "pose/pose_loops.h"
#include "raster/raster_loops.h"
#include "shade/shade_loops.h"
#include "shadow/shadow_loops.h"
#include "trace/trace_loops.h"

#include <stddef.h>

/// The loops of all stages for one instruction set. Each stage declares its table in *_loops.h.
typedef struct kernel_table {
    zt_isa isa;
    const char *name;
    int32_t width; ///< lanes
    const pose_loops *pose;
    const geometry_loops *geometry;
    const raster_loops *raster;
    const environment_loops *environment;
    const shadow_loops *shadow;
    const shade_loops *shade;
    const film_loops *film;
    const trace_loops *trace;
} kernel_table;

/// NULL if the instruction set was not built, or the machine or operating system cannot run it.
const kernel_table *kernels_for(zt_isa isa);
/// A loop over the tables that this machine can run; `continue` goes to the next one.
#define EACH_KERNEL_TABLE(isa, table)                                                              \
    for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++)                                              \
        for (const kernel_table *table = kernels_for((zt_isa)isa); table; table = NULL)
bool kernels_built(zt_isa isa);
/// The best table up to `max_isa` (ZT_ISA_BEST or one of another architecture: no limit).
const kernel_table *kernels_best(zt_isa max_isa);
/// A table with loops of another one.
typedef struct kernel_mix {
    kernel_table table;
    geometry_loops geometry;
} kernel_mix;

/// The loops of `best`, but for those that a narrower set runs faster on this processor: by its
/// family, as bench_kernels measures. Their bits are the same. Returns &out->table.
const kernel_table *kernels_tune(const kernel_table *best, kernel_mix *out);
/// True when texels are better prefetched into the first cache of this processor than into the
/// second: measured on AMD's and on Intel's. A line on its way takes a place of the first cache
/// until memory answers, and Intel's have fewer of them. Pictures do not depend on it.
bool kernels_prefetch_near(void);
