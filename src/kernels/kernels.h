// SPDX-License-Identifier: MIT
/// The hot loops. One source (kernels.c and its .inl parts) is compiled once per instruction set;
/// each object exports one table, chosen at run time. Every table gives identical bits: lanes are
/// independent, only + - * / sqrt, compares, selects and exact conversions are used, nothing is
/// fused or estimated, and all arrays are padded to 16 so that no width has a tail of its own.
#ifndef ZT_KERNELS_KERNELS_H
#define ZT_KERNELS_KERNELS_H

#include "base/error.h"
#include "geometry/morph_types.h"
#include "geometry/skin_types.h"
#include "mesh/vertex.h"
#include "pose/pose_types.h"
#include "raster/raster_types.h"
#include "shade/shade_types.h"

typedef struct kernel_table {
    zt_isa isa;
    const char *name;
    int32_t width; ///< lanes

    /// Morph targets, before skinning; see morph_types.h.
    void (*morph)(const morph_job *job);
    /// Linear-blend skinning; see skin_types.h.
    void (*skin)(const skin_job *job);
    /// Poses of 16 nodes at a time; see pose_types.h.
    void (*pose_sample)(const pose_sample_job *job);
    void (*pose_blend)(const pose_blend_job *job);
    void (*pose_add)(const pose_add_job *job);
    void (*pose_matrices)(const pose_matrices_job *job);
    /// World positions of one meshlet -> screen; see raster_types.h.
    void (*transform)(const transform_job *job);
    /// Screen triangles of one meshlet -> culled, set-up triangles.
    void (*setup)(const setup_job *job);
    /// Set-up triangles -> depth and id of one tile.
    void (*raster)(const raster_job *job);
    /// Visibility of one tile -> things to shade; returns their number.
    uint32_t (*list)(const list_job *job);
    /// Blended triangles -> what they show in one tile; returns the number of fragments.
    uint32_t (*fragments)(fragment_job *job);
    /// Visible samples of one material -> linear colour.
    void (*shade)(const shade_job *job);
    /// Colours of fragments, ready to be blended.
    void (*premultiply)(const premultiply_job *job);
    /// Colours of fragments over those of what is opaque.
    void (*blend)(const blend_job *job);
    /// Linear colours of one tile -> 8-bit pixels.
    void (*film)(const film_job *job);
} kernel_table;

/// NULL when it was not built in, or this machine or its operating system cannot run it.
const kernel_table *kernels_for(zt_isa isa);
bool kernels_built(zt_isa isa);
/// The best available table not above `max_isa` (ZT_ISA_BEST: no cap). A cap that belongs to
/// another architecture is no cap.
const kernel_table *kernels_best(zt_isa max_isa);

#endif
