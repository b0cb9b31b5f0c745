// SPDX-License-Identifier: MIT
/// The loops of one instruction set, compiled once for each (see CMakeLists.txt). Everything is
/// static except the table. Each stage declares its jobs in *_loops.h and defines its loops in .inl
/// files, included here.
#include "kernels/kernels.h"

#include "simd/lanes.h"

#include <stddef.h>
#include <string.h>

// clang-format off
#include "pose/pose.inl"
#include "geometry/morph.inl"
#include "geometry/skin_dual.inl"
#include "geometry/skin.inl"
#include "geometry/transform.inl"
#include "geometry/setup.inl"
#include "raster/raster.inl"
#include "raster/raster_region.inl"
#include "raster/raster_small.inl"
#include "raster/raster_large.inl"
#include "raster/fragments.inl"
#include "raster/compact.inl"
#include "shade/texture.inl"
#include "shade/surface.inl"
#include "shade/normals.inl"
#include "shade/brdf.inl"
#include "shade/shade_traits.inl"
#include "shade/shade_point.inl"
#include "shade/shade.inl"
#include "shade/blend.inl"
#include "shade/film.inl"
// clang-format on

#define KERNELS_JOIN_(a, b) a##b
#define KERNELS_JOIN(a, b)  KERNELS_JOIN_(a, b)
#define KERNELS_TEXT_(a)    #a
#define KERNELS_TEXT(a)     KERNELS_TEXT_(a)
#define KERNELS_TABLE       KERNELS_JOIN(zt_kernels_, ZT_ISA_NAME)

#if defined(ZT_ISA_SCALAR_BUILD)
#define KERNELS_ISA ZT_ISA_SCALAR
#elif defined(ZT_ISA_SSE2_BUILD)
#define KERNELS_ISA ZT_ISA_SSE2
#elif defined(ZT_ISA_AVX2_BUILD)
#define KERNELS_ISA ZT_ISA_AVX2
#elif defined(ZT_ISA_AVX512_BUILD)
#define KERNELS_ISA ZT_ISA_AVX512
#elif defined(ZT_ISA_NEON_BUILD)
#define KERNELS_ISA ZT_ISA_NEON
#endif

extern const kernel_table KERNELS_TABLE;
// clang-format off
const kernel_table KERNELS_TABLE = {
    .isa = KERNELS_ISA,
    .name = KERNELS_TEXT(ZT_ISA_NAME),
    .width = ZT_W,
    .pose = {.sample = pose_sample, .blend = pose_blend, .add = pose_add,
             .matrices = pose_matrices},
    .geometry = {.morph = morph, .skin = skin, .transform = transform, .setup = setup},
    .raster = {.draw = raster, .compact = compact, .fragments = fragments},
    .shade = {.alpha_test = alpha_test, .shade = shade, .premultiply = premultiply,
              .blend = blend, .film = film},
};
// clang-format on
