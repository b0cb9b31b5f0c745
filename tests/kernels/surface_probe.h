// SPDX-License-Identifier: MIT
/// Interpolation and texture sampling on 16 elements, as the shading kernels see them:
/// surface_probe.c is compiled once for each instruction set, like the kernels.
#pragma once

#include "shade/shade_loops.h"

enum { SURFACE_LANES = 16 };

/// Results of surface_locate and surface_interpolate at 16 positions.
typedef struct surface_found {
    float l[3][SURFACE_LANES]; ///< barycentrics
    float w[SURFACE_LANES], depth[SURFACE_LANES];
    float back[SURFACE_LANES]; ///< 1 where seen from behind
    float normal[3][SURFACE_LANES], tangent[3][SURFACE_LANES];
    float color[4][SURFACE_LANES];
    float uv[2][6][SURFACE_LANES]; ///< u, v, du/dx, dv/dx, du/dy, dv/dy of each set
} surface_found;

typedef struct surface_probe {
    const char *name;
    void (*locate)(const shade_frame *frame, const uint32_t id[SURFACE_LANES],
                   const float px[SURFACE_LANES], const float py[SURFACE_LANES],
                   surface_found *out);
    /// uv: u, v, du/dx, dv/dx, du/dy, dv/dy. `limit`: of anisotropic taps; 0: isotropic.
    void (*sample)(const surface_texture *texture, const float uv[6][SURFACE_LANES], int32_t limit,
                   float out[4][SURFACE_LANES]);
    /// In 1/256 of a level, for gradients of uv times `factor`.
    void (*level_of_detail)(const surface_texture *texture, const float uv[6][SURFACE_LANES],
                            float factor, int32_t out[SURFACE_LANES]);
    void (*sample_packed)(const surface_packed *packed, const float uv[6][SURFACE_LANES],
                          float out[8][SURFACE_LANES], float emissive_occlusion[4][SURFACE_LANES]);
} surface_probe;

/// NULL when it was not built in, or this machine cannot run it.
const surface_probe *surface_probe_for(zt_isa isa);
/// A loop over the probes that there are.
#define EACH_SURFACE_PROBE(isa, probe)                                                             \
    for (int isa = 0; isa < (int)ZT_ISA_COUNT; isa++)                                              \
        for (const surface_probe *probe = surface_probe_for((zt_isa)isa); probe; probe = NULL)

/// Those of sets that are not built are at NULL.
extern __attribute__((weak)) const surface_probe surface_probe_scalar, surface_probe_sse2,
    surface_probe_avx2, surface_probe_avx512, surface_probe_neon;
